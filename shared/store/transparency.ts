import { getItem, type Item, setting, updateItem } from './dynamo.ts'
import { isChanged, type ObjectKey, objectFacts, putObjectIf, readIfThere, readWhole } from './objects.ts'

/**
 * How far the rows of the service tell what the log holds: its first `size` entries, and up to which number each chain of the
 * audit trail is in it, by the number of the chain.
 */
export type LogState = { size: number; ends: Record<string, number> }

const stateKey = (log: string) => ({ pk: 'TRANSPARENCY', sk: log })

/** The state of a log; of an empty one, where there is none. */
export async function findLogState(log: string): Promise<LogState> {
  const { size = 0, ends = {} } = (await getItem<Item & Partial<LogState>>('jobs', stateKey(log))) ?? {}
  return { size, ends }
}

/** Keeps the state of a log, unless what is there is as new. */
export async function keepLogState(log: string, state: LogState): Promise<void> {
  const { update, names, values } = setting({ ...state })
  const older = { condition: 'attribute_not_exists(#size) OR #size < :size' }
  const named = { names: { ...names, '#size': 'size' }, values: { ...values, ':size': state.size } }
  await updateItem('jobs', stateKey(log), { update, ...older, ...named })
}

/** Where a file of a log is. */
export const logObject = (log: string, path: string): ObjectKey => ({ bucket: 'transparency', key: `${log}/${path}` })

/** A file of a log; undefined where there is none. */
export const readLogFile = (log: string, path: string): Promise<Buffer | undefined> => readIfThere(logObject(log, path))

/** A file of a log, with the ETag that it is replaced by. Undefined where there is none. */
export async function readForChange(log: string, path: string): Promise<{ bytes: Buffer; etag: string } | undefined> {
  for (;;) {
    const object = logObject(log, path)
    const facts = await objectFacts(object)
    if (!facts) return undefined
    try {
      return { bytes: await readWhole({ ...object, etag: facts.etag }), etag: facts.etag }
    } catch (error) {
      if (!isChanged(error)) throw error
    }
  }
}

/** Writes a file of a log: a new one, or in place of the one with the ETag. False when another one was faster. */
export const writeLogFile = (log: string, path: string, bytes: Uint8Array, type: string, etag?: string) =>
  putObjectIf({ ...logObject(log, path), etag }, bytes, type)

/** Writes a file of a log that never changes; throws where another one is there. */
export async function writeOnce(log: string, path: string, bytes: Uint8Array, type: string): Promise<void> {
  if (await writeLogFile(log, path, bytes, type)) return
  if (!(await readLogFile(log, path))?.equals(bytes)) throw new Error(`The log already holds another ${path}`)
}
