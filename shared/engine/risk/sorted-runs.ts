import { EngineError } from '../errors.ts'
import type { Input } from '../formats/format.ts'

/** Most distinct values of a sensitive column that are told apart. */
const maxValues = 100_000

/** Refuses another distinct value of a sensitive column that has so many already. */
export function checkValues(number: number, column: string): void {
  if (number < maxValues) return
  const why = `The sensitive column ${column} has more than ${maxValues} distinct values`
  throw new EngineError('limit_exceeded', why, ['risk', 'sensitive', column])
}

/** A stretch of a tally file, bytes. */
type Stretch = { start: number; end: number }

/** How much detail a column has lost by its hierarchy. */
export type Detail = {
  /** Sum over all records of the values that theirs stands for afterwards, less one. */
  lost: number
  /** Records of each value of the hierarchy as they were, and what it becomes, as a number. */
  leaves: number[]
  groups: number[]
}

/** What a tally file says of one side: how many records, and where their classes and sensitive values stand. */
export type SideFooter = {
  records: number
  /** Sorted classes. */
  runs: Stretch[]
  /** Distinct values of each sensitive column. */
  dictionaries: Stretch[]
  /** Key (hexadecimal) of the class of records all of whose quasi-identifiers are suppressed. */
  suppressedKey: string
}

/** The end of a tally file. */
export type Footer = {
  before: SideFooter
  after: SideFooter
  /** Columns that the table was found to have. */
  seen: string[]
  /** By quasi-identifier: what was lost, where it has a hierarchy. */
  detail: (Detail | null)[]
}

/** A class as it is stored: its key, its records, and by sensitive column the values in it with their counts. */
export type StoredClass = { key: string; count: number; values: [id: number, count: number][][] }

/** Bytes of a class; `ids` are those of the sensitive values of its records, one column after the other for each. */
export function writeClass(key: string, count: number, ids: readonly number[], columns: number): Uint8Array {
  const counts = Array.from({ length: columns }, () => new Map<number, number>())
  ids.forEach((id, index) => {
    const column = counts[index % columns]!
    column.set(id, (column.get(id) ?? 0) + 1)
  })
  const pairs = counts.reduce((sum, column) => sum + column.size, 0)
  const bytes = Buffer.allocUnsafe(20 + 4 * columns + 8 * pairs)
  bytes.write(key, 0, 'latin1')
  let at = bytes.writeUInt32LE(count, 16)
  for (const column of counts) {
    at = bytes.writeUInt32LE(column.size, at)
    for (const [id, times] of column) at = bytes.writeUInt32LE(times, bytes.writeUInt32LE(id, at))
  }
  return bytes
}

const valueBytes = 28

/** Bytes of a distinct sensitive value: its key, the number that it is, or NaN, and how often it stands there. */
export function writeValue({ key, number, count }: { key: string; number: number; count: number }): Uint8Array {
  const bytes = Buffer.allocUnsafe(valueBytes)
  bytes.write(key, 0, 'latin1')
  bytes.writeDoubleLE(number, 16)
  bytes.writeUInt32LE(count, 24)
  return bytes
}

/** Reads the end of a tally file. */
export async function readFooter(file: Input): Promise<Footer> {
  const length = Buffer.from(await file.read(file.size - 4, file.size)).readUInt32LE(0)
  const bytes = await file.read(file.size - 4 - length, file.size - 4)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Footer
}

/** Reads the distinct values of a column, in the order of their ids. */
export async function readValues(file: Input, { start, end }: Stretch) {
  const bytes = Buffer.from(await file.read(start, end))
  return Array.from({ length: bytes.length / valueBytes }, (_, n) => {
    const at = n * valueBytes
    const key = bytes.toString('latin1', at, at + 16)
    return { key, number: bytes.readDoubleLE(at + 16), count: bytes.readUInt32LE(at + 24) }
  })
}

/** Reads the classes of a run in their order, `block` bytes at a time. */
export async function* readRun(file: Input, run: Stretch, columns: number, block: number): AsyncGenerator<StoredClass> {
  let bytes = Buffer.alloc(0)
  let at = 0
  let next = run.start
  /** Whether so many bytes are there from `at`; reads on where they are not. */
  const reach = async (length: number) => {
    if (at + length <= bytes.length) return
    const more = await file.read(next, Math.min(run.end, next + Math.max(block, length)))
    next += more.length
    bytes = Buffer.concat([bytes.subarray(at), more])
    at = 0
    if (length > bytes.length) throw new EngineError('internal', 'A tally of classes is cut short')
  }
  while (at < bytes.length || next < run.end) {
    await reach(20)
    const key = bytes.toString('latin1', at, at + 16)
    const count = bytes.readUInt32LE(at + 16)
    at += 20
    const values: StoredClass['values'] = []
    for (let column = 0; column < columns; column++) {
      await reach(4)
      const pairs = bytes.readUInt32LE(at)
      at += 4
      await reach(pairs * 8)
      values.push(
        Array.from({ length: pairs }, (_, n) => [bytes.readUInt32LE(at + n * 8), bytes.readUInt32LE(at + n * 8 + 4)]),
      )
      at += pairs * 8
    }
    yield { key, count, values }
  }
}
