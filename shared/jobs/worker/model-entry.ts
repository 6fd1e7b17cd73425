import { parentPort } from 'node:worker_threads'
import { EngineError } from 'anonymisation-engine'
import { type LoadedModel, loadModel } from 'anonymisation-engine/models'
import { describeFailure } from '../../failure.ts'
import { classifierSources } from '../../models/shipped.ts'
import { sharedBy } from './model-cache.ts'
import type { FromModels, ToModels } from './model-calls.ts'
import type { ToModelThread } from './model-host.ts'

/**
 * Runs classifiers for the threads that assets are processed in, one after the other, each over a port of its own: a
 * session then lives as long as the worker, whatever becomes of an asset.
 */

// One call at a time, of all assets: two would double the memory and gain nothing on the same cores.
let last: Promise<unknown> = Promise.resolve()
const ending = new AbortController()

parentPort!.on('message', (message: ToModelThread) => {
  if (message.type === 'ping') parentPort!.postMessage(message.n)
  else if (message.type === 'serve') serve(message)
  else end()
})

/** Ends this thread once no native code runs in it: what is under way stops after its batch, and nobody gets an answer. */
function end(): void {
  ending.abort()
  last.finally(() => process.exit())
}

function serve({ port, fetched, job }: Extract<ToModelThread, { type: 'serve' }>) {
  const sources = classifierSources(fetched)
  const shared = job === undefined ? undefined : sharedBy(job)
  // The asset's thread has ended, whichever way: nobody waits for what is under way.
  const gone = new AbortController()
  const stop = AbortSignal.any([gone.signal, ending.signal])
  port.on('close', () => {
    gone.abort()
    shared?.release()
  })
  const perform = async (call: ToModels): Promise<FromModels> => {
    try {
      stop.throwIfAborted()
      const model: LoadedModel = await loadModel(call.reference, sources)
      const { labels, languages } = model
      if (call.type === 'load') return { id: call.id, ok: true, labels, languages }
      const { texts, options } = call
      const asked = { find: (some: string[], signal: AbortSignal) => model.detect(some, { ...options, signal }) }
      const key = JSON.stringify([call.reference, options])
      const found = await (shared?.over(key, asked) ?? asked).find([...texts], stop)
      return { id: call.id, ok: true, found }
    } catch (error) {
      if (error instanceof EngineError) return { id: call.id, ok: false, type: error.type, message: error.message }
      parentPort!.postMessage({ failure: describeFailure(error) })
      return { id: call.id, ok: false }
    }
  }
  port.on('message', (call: ToModels) => {
    last = last.then(async () => {
      const answer = await perform(call)
      if (!ending.signal.aborted) port.postMessage(answer)
    })
  })
}
