import { Readable } from 'node:stream'
import type { Connection, Query } from 'mysql2'
import { csvRecord } from './csv.ts'
import type { Selected } from './mysql-catalog.ts'

/** A packet of the driver: the bytes of `buffer` from `offset` to `end`. */
type Packet = { buffer: Buffer; offset: number; end: number; isEOF(): boolean }
type RowState = (this: unknown, packet: Packet, connection: unknown) => unknown

const CHUNK = 256 * 1024
const [QUOTE, COMMA, LF, CR] = [0x22, 0x2c, 0x0a, 0x0d]

/**
 * The rows of a query as CSV with a header line. They go from the packets of the server into the CSV as bytes: no cell becomes a string, so
 * none can change, and it is several times as fast. A row in the protocol's text form is one cell after the other, each
 * with its length in front (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_row.html).
 */
export function csvRows(connection: Connection, sql: string, columns: Selected[]): Readable {
  const forms = columns.map(({ form }) => form)
  let chunk = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  const body = new Readable({
    highWaterMark: 2 * CHUNK,
    read: () => connection.resume(),
    destroy: (error, done) => {
      connection.destroy()
      done(error)
    },
  })
  body.push(csvRecord(columns.map(({ name }) => name)))
  const flush = () => {
    if (!filled) return
    const more = body.push(chunk.subarray(0, filled))
    chunk = Buffer.allocUnsafe(CHUNK)
    filled = 0
    if (!more) connection.pause()
  }
  const query: Query = connection.query({ sql })
  // The state of the driver's machine that takes a row; at the end of the rows its own one goes on.
  const command = query as unknown as { row: RowState }
  const end = command.row
  command.row = function row(packet, from) {
    if (packet.isEOF()) return end.call(this, packet, from)
    // Every byte of a cell may be doubled, and every cell gets a separator and two quotes; hex takes two for one.
    const most = 2 * (packet.end - packet.offset) + 4 * forms.length
    if (filled + most > chunk.length) flush()
    if (most > chunk.length) chunk = Buffer.allocUnsafe(most)
    filled = writeRow(packet, forms, chunk, filled)
    return row
  }
  // A connection that breaks off is told by its own event, a statement that fails by the query's.
  query.on('error', error => body.destroy(error))
  connection.on('error', error => body.destroy(error))
  query.on('end', () => {
    flush()
    body.push(null)
  })
  return body
}

/** Writes the row of a packet as a record of CSV into `out` from `at`; gives where it ends. */
export function writeRow({ buffer, offset, end }: Packet, forms: Selected['form'][], out: Buffer, at: number): number {
  let from = offset
  for (let column = 0; column < forms.length; column++) {
    if (column) out[at++] = COMMA
    let length = buffer[from++]!
    if (length === 0xfb) continue
    if (length === 0xfc) {
      length = buffer.readUInt16LE(from)
      from += 2
    } else if (length === 0xfd) {
      length = buffer.readUIntLE(from, 3)
      from += 3
    } else if (length === 0xfe) {
      length = Number(buffer.readBigUInt64LE(from))
      from += 8
    }
    const to = from + length
    if (to > end) throw new RangeError('A row is shorter than it says')
    const form = forms[column]
    if (form === 'bytes') {
      out[at++] = 0x5c
      out[at++] = 0x78
      at += out.write(buffer.toString('hex', from, to), at, 'latin1')
    } else if (form === 'text') at = writeText(buffer, from, to, out, at)
    else for (let byte = from; byte < to; byte++) out[at++] = buffer[byte]!
    from = to
  }
  out[at++] = LF
  return at
}

function writeText(buffer: Buffer, from: number, to: number, out: Buffer, at: number): number {
  if (from === to) {
    out[at++] = QUOTE
    out[at++] = QUOTE
    return at
  }
  const begin = at
  for (let byte = from; byte < to; byte++) {
    const code = buffer[byte]!
    if (code === QUOTE || code === COMMA || code === LF || code === CR) return writeQuoted(buffer, from, to, out, begin)
    out[at++] = code
  }
  return at
}

function writeQuoted(buffer: Buffer, from: number, to: number, out: Buffer, at: number): number {
  out[at++] = QUOTE
  for (let byte = from; byte < to; byte++) {
    const code = buffer[byte]!
    if (code === QUOTE) out[at++] = QUOTE
    out[at++] = code
  }
  out[at++] = QUOTE
  return at
}
