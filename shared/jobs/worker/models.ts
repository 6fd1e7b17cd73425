import type { MessagePort } from 'node:worker_threads'
import { type LoadModel, modelLoader } from 'anonymisation-engine/models'
import { patternSource } from 'anonymisation-engine/rules'
import { comprehendSource } from '../../models/comprehend.ts'
import { modelsBehind } from './model-calls.ts'

/** Every model that a rule may name: patterns and AWS Comprehend from here, classifiers by the thread behind the port. */
export const modelsOver = (port: MessagePort): LoadModel =>
  modelLoader([patternSource, comprehendSource(), modelsBehind(port)])
