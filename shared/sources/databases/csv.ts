import { PassThrough, type Readable } from 'node:stream'
import { SourceError } from '../errors.ts'

/** What a driver gives for a cell that was selected in its exact text form. */
export type Cell = string | number | bigint | Buffer | null | undefined

const special = /[",\r\n]/

/**
 * One record of CSV in PostgreSQL's convention, which all tables of databases become: NULL is nothing at all, the empty
 * text is `""`, bytes are `\x` and hexadecimal digits.
 */
export function csvRecord(cells: readonly Cell[]): string {
  let record = ''
  for (let at = 0; at < cells.length; at++) {
    if (at) record += ','
    const cell = cells[at]
    if (cell === null || cell === undefined) continue
    const text = typeof cell === 'string' ? cell : Buffer.isBuffer(cell) ? `\\x${cell.toString('hex')}` : String(cell)
    // A lone `\.` would end the data for PostgreSQL.
    record += text === '' || special.test(text) || text === '\\.' ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${record}\n`
}

/** The bytes of a cell in hexadecimal digits. Throws `source_unsupported` for anything else, such as a replacement. */
export function bytesOf(cell: string): Buffer {
  if (!/^\\x(?:[0-9a-f]{2})*$/i.test(cell)) throw new SourceError('source_unsupported', MISFIT)
  return Buffer.from(cell.slice(2), 'hex')
}

/** Why a result cannot be written: said of any server that refuses a value. */
export const MISFIT = 'A value does not fit its column in the target'

const LONGEST_HEADER = 1024 * 1024

/** Takes the header line off a CSV: the names in it, and a stream of everything from the first byte on. */
export async function readHeader(body: Readable): Promise<{ names: string[]; rest: Readable }> {
  const held: Buffer[] = []
  let text = ''
  const iterator = body[Symbol.asyncIterator]()
  let names: string[] | undefined
  while (!names) {
    const { value, done } = await iterator.next()
    if (done && !text) throw new SourceError('source_unsupported', 'The table is empty: it has no header line')
    if (!done) {
      const chunk = Buffer.from(value)
      held.push(chunk)
      text += chunk.toString('latin1')
    }
    names = headerOf(text, Boolean(done))
    if (!names && text.length > LONGEST_HEADER)
      throw new SourceError('source_unsupported', 'The header line is too long')
  }
  const rest = new PassThrough()
  const feed = async () => {
    for (const chunk of held) if (!rest.write(chunk)) await drained(rest)
    for (;;) {
      const { value, done } = await iterator.next()
      if (done) return rest.end()
      if (!rest.write(value)) await drained(rest)
    }
  }
  feed().catch(error => rest.destroy(error))
  rest.once('close', () => body.destroy())
  return { names, rest }
}

const drained = (stream: PassThrough) =>
  new Promise<void>((resolve, reject) => {
    const settle = () => {
      stream.off('drain', settle).off('close', settle)
      if (stream.destroyed) reject(stream.errored ?? new SourceError('source_connection_lost'))
      else resolve()
    }
    stream.once('drain', settle).once('close', settle)
  })

/** The names of the first record of a CSV, given as Latin-1; undefined while it isn't complete. */
function headerOf(text: string, complete: boolean): string[] | undefined {
  const names: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y
  for (const data = complete && !text.endsWith('\n') ? `${text}\n` : text; ; ) {
    const match = field.exec(data)
    if (!match) return
    const name = Buffer.from(match[1]?.replaceAll('""', '"') ?? match[2]!, 'latin1').toString()
    names.push(names.length ? name : name.replace(/^\uFEFF/, ''))
    if (match[3] === ',') continue
    if (names.some(one => one === '') || new Set(names).size !== names.length)
      throw new SourceError('source_unsupported', 'The header line must name every column once')
    return names
  }
}
