import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { anonymise, EngineError, fileInput, fileOutput } from 'anonymisation-engine'
import { type LoadModel, modelLoader } from 'anonymisation-engine/models'
import { patternSource } from 'anonymisation-engine/rules'
import type { FromPart, PartData, ToPart } from './parts.ts'

/** Anonymises parts of one table, each when it is told to. */

const { file, name, folder, options, plan, secrets } = workerData as PartData
const send = (message: FromPart) => parentPort!.postMessage(message)
const waiting = new Map<number, (answer: Extract<ToPart, { type: 'answer' }>) => void>()
let asked = 0

/** What the main thread's models say; they are there once for all threads. */
function ask(call: Pick<Extract<FromPart, { type: 'ask' }>, 'detection' | 'texts' | 'columns'>) {
  const { promise, resolve } = Promise.withResolvers<Extract<ToPart, { type: 'answer' }>>()
  waiting.set(++asked, resolve)
  send({ type: 'ask', id: asked, ...call })
  return promise.then(answer => {
    if (answer.failure) throw new EngineError(answer.failure.type, answer.failure.message)
    return answer
  })
}

const patterns = modelLoader([patternSource])

const models: LoadModel = async detection => {
  if (detection.modelId === 'pii-patterns') return patterns(detection)
  const { traits } = await ask({ detection })
  const find = async (texts: string[], _: AbortSignal, columns?: Parameters<typeof ask>[0]['columns']) =>
    (await ask({ detection, texts, columns })).found!
  return { ...traits, find }
}

async function anonymisePart({ n, range }: Extract<ToPart, { type: 'part' }>): Promise<FromPart> {
  let files = 0
  let written = ''
  const create = async (kind: string) => {
    const path = join(folder, `part-${n}-${kind}-${++files}`)
    const output = fileOutput(path)
    if (kind.startsWith('output')) written = path
    const input = async () => {
      await output.close()
      return fileInput(path, name)
    }
    return { output, input }
  }
  const { output: _, ...made } = await anonymise({
    ...{ input: await fileInput(file, name), plan, secrets, models, range, options },
    workspace: { create },
    // Tables whose values are numbered are not worked on in parts.
    numbering: { number: () => Promise.reject(new Error('A part of a table can number nothing')) },
    progress: bytes => send({ type: 'progress', n, bytes }),
    signal: new AbortController().signal,
  })
  return { type: 'done', n, written, made }
}

parentPort!.on('message', async (message: ToPart) => {
  if (message.type === 'answer') {
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
    return
  }
  try {
    send(await anonymisePart(message))
  } catch (error) {
    if (error instanceof EngineError) {
      send({ type: 'refused', failure: error.type, message: error.message, loc: error.loc })
    } else {
      const { name: kind, code } = error as NodeJS.ErrnoException
      send({ type: 'crashed', name: kind, code })
    }
  }
})
