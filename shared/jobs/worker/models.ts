import type { MessagePort } from 'node:worker_threads'
import type { LoadModel } from '../../engine/detect/entity-model.ts'
import { modelLoader } from '../../engine/models/model-loader.ts'
import { patternSource } from '../../engine/recognisers/index.ts'
import { comprehendSource } from '../../models/comprehend.ts'
import { modelsBehind } from './model-calls.ts'

/** Every model that a rule may name: patterns and AWS Comprehend from here, classifiers by the thread behind the port. */
export const modelsOver = (port: MessagePort): LoadModel =>
  modelLoader([patternSource, comprehendSource(), modelsBehind(port)])
