import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { EngineError } from 'anonymisation-engine'
import { type Found, type LoadedModel, loadModel, type ModelReference } from 'anonymisation-engine/models'
import { describeFailure } from '../../failure.ts'
import { classifierSources } from '../../models/shipped.ts'
import { sharedBy } from './model-cache.ts'
import type { Detect, FromModels, ToModels } from './model-calls.ts'
import type { ToModelThread } from './model-host.ts'

/**
 * Runs models for the threads that assets are processed in, one after the other, each over a port of its own: what they have
 * loaded and compiled then lives as long as the worker, whatever becomes of an asset.
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

const describe = ({ labels, languages, readsColumns, anyText }: LoadedModel) => ({
  labels,
  languages,
  readsColumns,
  anyText,
})

/** Patterns take no place among the classifiers that are kept: all that is compiled of them is there once. */
async function load(reference: ModelReference, fetched: string): Promise<LoadedModel> {
  if (reference.modelId === 'pii-patterns') {
    const { patternSource } = await import('anonymisation-engine/rules')
    const patterns = await patternSource(reference)
    if (patterns) return patterns
  }
  return loadModel(reference, classifierSources(fetched))
}

/** Texts that are searched for patterns at once, and their characters: then it is looked whether anybody still waits. */
const AT_ONCE = { texts: 10_000, characters: 256 * 1024 }

/**
 * What a model that judges cells by their columns finds: patterns, which don't let go of the thread before they have gone through
 * all texts that they are given.
 */
async function inTurns(model: LoadedModel, { texts, options }: Detect, signal: AbortSignal): Promise<Found[][]> {
  const found: Found[][] = []
  for (let at = 0; at < texts.length; await setImmediate()) {
    const start = at
    for (let left = AT_ONCE.characters; left > 0 && at < Math.min(start + AT_ONCE.texts, texts.length); at++)
      left -= texts[at]!.length
    const columns = options.columns?.slice(start, at)
    found.push(...(await model.detect(texts.slice(start, at), { ...options, columns, signal })))
  }
  return found
}

function serve({ port, fetched, job }: Extract<ToModelThread, { type: 'serve' }>) {
  const shared = job === undefined ? undefined : sharedBy(job)
  // The asset's thread has ended, whichever way: nobody waits for what is under way.
  const gone = new AbortController()
  const stop = AbortSignal.any([gone.signal, ending.signal])
  port.on('close', () => {
    gone.abort()
    shared?.release()
  })
  const classify = (model: LoadedModel, { reference, texts, options }: Detect) => {
    const asked = { find: (some: string[], signal: AbortSignal) => model.detect(some, { ...options, signal }) }
    const key = JSON.stringify([reference, options])
    return (shared?.over(key, asked) ?? asked).find([...texts], stop)
  }
  const perform = async (call: ToModels): Promise<FromModels> => {
    try {
      stop.throwIfAborted()
      const model = await load(call.reference, fetched)
      if (call.type === 'load') return { id: call.id, ok: true, described: describe(model) }
      const found = model.readsColumns ? await inTurns(model, call, stop) : await classify(model, call)
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
