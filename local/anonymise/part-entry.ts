import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { anonymise, EngineError, fileInput, fileOutput } from 'anonymisation-engine'
import { modelLoader } from 'anonymisation-engine/models'
import { patternSource } from 'anonymisation-engine/rules'
import type { FromPart, Part, PartData } from './parts.ts'

/** Anonymises parts of one table, each when it is told to. */

const { file, name, folder, options, plan, secrets } = workerData as PartData
const models = modelLoader([patternSource])
const send = (message: FromPart) => parentPort!.postMessage(message)

async function anonymisePart({ n, range }: Part): Promise<FromPart> {
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

parentPort!.on('message', async (part: Part) => {
  try {
    send(await anonymisePart(part))
  } catch (error) {
    if (error instanceof EngineError) {
      send({ type: 'refused', failure: error.type, message: error.message, loc: error.loc })
    } else {
      const { name: kind, code } = error as NodeJS.ErrnoException
      send({ type: 'crashed', name: kind, code })
    }
  }
})
