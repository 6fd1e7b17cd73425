import type { MessagePort } from 'node:worker_threads'
import { type AssetFailure, EngineError } from 'anonymisation-engine'
import type { DetectOptions, Found, LoadedModel, ModelReference, ModelSource } from 'anonymisation-engine/models'

/** What is looked for in texts. */
export type Detect = { reference: ModelReference; texts: readonly string[]; options: Omit<DetectOptions, 'signal'> }

/** What an asset's thread asks of the thread that runs models. */
export type ToModels = { id: number } & ({ type: 'load'; reference: ModelReference } | ({ type: 'detect' } & Detect))

/** How a model is: what it says of itself, without what it does. */
type Described = Omit<LoadedModel, keyof ModelReference | 'detect' | 'close'>

/** What it is answered: how a model is, what it found, or what went wrong. */
export type FromModels = { id: number } & (
  | { ok: true; described?: Described; found?: Found[][] }
  | { ok: false; type: AssetFailure; message: string }
  | { ok: false; type?: undefined }
)

/** A failure of the thread that runs models; what it was is in the log. */
class ModelThreadFailure extends Error {
  override readonly name = 'ModelThreadFailure'
}

/** Models that are run by another thread, at the other end of the port. */
export function modelsBehind(port: MessagePort): ModelSource {
  const waiting = new Map<number, PromiseWithResolvers<FromModels>>()
  let asked = 0
  let closed = false
  port.on('message', (answer: FromModels) => {
    waiting.get(answer.id)?.resolve(answer)
    waiting.delete(answer.id)
  })
  port.on('close', () => {
    closed = true
    for (const { reject } of waiting.values()) reject(new ModelThreadFailure('The models have ended'))
    waiting.clear()
  })
  // It alone does not keep the thread from ending.
  port.unref()

  const ask = async (call: Omit<ToModels, 'id'>) => {
    if (closed) throw new ModelThreadFailure('The models have ended')
    const id = ++asked
    const answered = Promise.withResolvers<FromModels>()
    waiting.set(id, answered)
    port.postMessage({ ...call, id })
    const answer = await answered.promise
    if (answer.ok) return answer
    if (answer.type) throw new EngineError(answer.type, answer.message)
    throw new ModelThreadFailure('The models failed')
  }
  return async ({ modelId, modelVersion }) => {
    const reference = { modelId, modelVersion }
    const { described } = await ask({ type: 'load', reference })
    return {
      ...reference,
      ...described!,
      detect: async (texts, { signal: _, ...options }) => {
        const call = { type: 'detect', reference, texts, options } as const
        return (await ask(call)).found!
      },
    }
  }
}
