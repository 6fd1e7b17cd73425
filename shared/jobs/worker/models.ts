import type { MessagePort } from 'node:worker_threads'
import { keepingModels, type LoadModel, modelLoader } from 'anonymisation-engine/models'
import { comprehendSource } from '../../models/comprehend.ts'
import { modelsBehind } from './model-calls.ts'

const comprehend = comprehendSource()

/**
 * Every model that a rule may name: AWS Comprehend from here, all others by the thread behind the port. They are kept for as
 * long as the port is asked: an asset that comes later has one of its own.
 */
export const modelsOver = (port: MessagePort): LoadModel =>
  modelLoader([comprehend, modelsBehind(port)], keepingModels())
