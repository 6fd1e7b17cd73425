import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { anonymise } from '../engine/anonymise.ts'
import type { LoadModel } from '../engine/detect/model.ts'
import { EngineError } from '../engine/errors.ts'
import { fileInput, fileOutput } from '../engine/input.ts'
import { describeFailure } from '../log.ts'
import type { FromThread, ThreadData, ToThread } from './isolate.ts'

/** Runs one anonymisation in a thread of its own, which can be ended from outside whatever it does. */

const data = workerData as ThreadData
const send = (message: FromThread) => parentPort!.postMessage(message)
const waiting = new Map<number, (numbers: number[]) => void>()
let asked = 0

parentPort!.on('message', ({ id, numbers }: ToThread) => {
  waiting.get(id)?.(numbers)
  waiting.delete(id)
})

/** Numbers are given by the store, which the thread can't reach: the main thread asks for it. */
const number = (keys: string[]): Promise<number[]> =>
  new Promise(resolve => {
    const id = ++asked
    waiting.set(id, resolve)
    send({ type: 'number', id, keys })
  })

/** Models are loaded by code of their own, which assets without model rules do without. */
const models: LoadModel = async detection => (await import('./models.ts')).modelsIn(data.models)(detection)

let files = 0
const create = async () => {
  const path = join(data.directory, `output-${++files}`)
  const output = fileOutput(path)
  const input = async () => {
    await output.close()
    return { ...(await fileInput(path, data.name)), path }
  }
  return { output, input }
}

async function run(): Promise<void> {
  try {
    const { output, ...result } = await anonymise({
      input: await fileInput(data.path, data.name),
      plan: data.plan,
      secrets: { hash: createSecretKey(data.secrets.hash), pseudonym: createSecretKey(data.secrets.pseudonym) },
      numbering: { number },
      workspace: { create },
      models,
      signal: new AbortController().signal,
      ...data.chunk,
    })
    send({ type: 'done', result, path: (output as { path?: string }).path! })
  } catch (error) {
    if (error instanceof EngineError)
      send({ type: 'refused', failure: error.type, message: error.message, loc: error.loc })
    else send({ type: 'crashed', failure: describeFailure(error) })
  } finally {
    parentPort!.close()
  }
}

void run()
