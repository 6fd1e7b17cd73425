import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** What a statement answers: rows of text, bytes or NULL, or an error of the server. */
export type Answer =
  | { columns: { name: string; binary?: boolean }[]; rows: Iterable<(string | Buffer | null)[]> }
  | { error: number; message: string; level?: number }

type Settings = {
  user: string
  password: string
  databases: string[]
  /** Certificate and key; without them the server offers no encryption. */
  tls?: { cert: string; key: string }
  answer(sql: string): Answer | undefined
  /** Where whoever logs in is sent on to, as Azure SQL does. */
  routing?: { host: string; port: number }
}

const [BATCH, ATTENTION, BULK, LOGIN, PRELOGIN, REPLY] = [0x01, 0x06, 0x07, 0x10, 0x12, 0x04]

const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer)
const ucs2 = (text: string) => Buffer.from(text, 'utf16le')
const short = (text: string) => Buffer.concat([Buffer.of(text.length), ucs2(text)])
const token = (kind: number, body: Buffer) => Buffer.concat([Buffer.of(kind), u16(body.length), body])
const done = (status: number, rows = 0) => Buffer.concat([Buffer.of(0xfd), u16(status), u16(0xc1), u64(BigInt(rows))])

const failure = (number: number, message: string, level = 16) =>
  token(
    0xaa,
    Buffer.concat([
      u32(number),
      Buffer.of(1, level),
      u16(message.length),
      ucs2(message),
      short('fake'),
      short(''),
      u32(1),
    ]),
  )

const loginAck = token(0xad, Buffer.concat([Buffer.of(1, 0x74, 0, 0, 4), short('Fake'), Buffer.of(16, 0, 0, 0)]))
const packetSize = token(0xe3, Buffer.concat([Buffer.of(4), short('4096'), short('4096')]))

/** Sends a client on to another server ([MS-TDS] 2.2.7.9, type 20). */
const routed = ({ host, port }: { host: string; port: number }) => {
  const value = Buffer.concat([Buffer.of(0), u16(port), u16(host.length), ucs2(host)])
  return token(0xe3, Buffer.concat([Buffer.of(20), u16(value.length), value, u16(0)]))
}

const metadata = (columns: { name: string; binary?: boolean }[]) =>
  Buffer.concat([
    Buffer.of(0x81),
    u16(columns.length),
    ...columns.map(({ name, binary }) =>
      Buffer.concat([
        u32(0),
        u16(9),
        binary ? Buffer.of(0xa5, 0xff, 0xff) : Buffer.of(0xe7, 0xff, 0xff, 0x09, 0x04, 0xd0, 0x00, 0x34),
        short(name),
      ]),
    ),
  ])

/** A row whose cells are all of the (max) types: partly length-prefixed. */
const row = (cells: (string | Buffer | null)[]) =>
  Buffer.concat([
    Buffer.of(0xd1),
    ...cells.map(cell => {
      if (cell === null) return u64(0xffffffffffffffffn)
      const bytes = typeof cell === 'string' ? ucs2(cell) : cell
      const piece = bytes.length ? [u32(bytes.length), bytes] : []
      return Buffer.concat([u64(BigInt(bytes.length)), ...piece, u32(0)])
    }),
  ])

const packet = (kind: number, last: boolean, body: Buffer) => {
  const header = Buffer.of(kind, last ? 1 : 0, 0, 0, 0, 0, 1, 0)
  header.writeUInt16BE(body.length + 8, 2)
  return Buffer.concat([header, body])
}

/** What a bulk load brings: rows of nvarchar(max) cells, and nothing else ([MS-TDS] 2.2.6.1, 2.2.7.4, 2.2.7.19). */
function bulkRows(body: Buffer): { columns: string[]; rows: (string | null)[][] } {
  let at = 0
  const take = (length: number) => {
    if (at + length > body.length) throw new Error('The bulk load is too short')
    at += length
    return body.subarray(at - length, at)
  }
  const expect = (...bytes: number[]) => {
    if (!take(bytes.length).equals(Buffer.from(bytes))) throw new Error(`Not ${bytes} at ${at - bytes.length}`)
  }
  expect(0x81)
  const columns = Array.from({ length: take(2).readUInt16LE() }, () => {
    take(6)
    expect(0xe7, 0xff, 0xff)
    take(5)
    return take(2 * take(1)[0]!).toString('utf16le')
  })
  const cell = () => {
    if (take(8).readBigUInt64LE() === 0xffffffffffffffffn) return null
    const pieces: Buffer[] = []
    for (let length = take(4).readUInt32LE(); length; length = take(4).readUInt32LE()) pieces.push(take(length))
    return Buffer.concat(pieces).toString('utf16le')
  }
  const rows: (string | null)[][] = []
  while (at < body.length) {
    const [kind] = take(1)
    if (kind === 0xd1) rows.push(columns.map(cell))
    // FreeTDS ends its message with the last row, as servers let it.
    else if (kind === 0xfd) take(body.length - at)
    else throw new Error(`Neither a row nor the end: ${kind}`)
  }
  return { columns, rows }
}

/** Fields of a LOGIN7 message ([MS-TDS] 2.2.6.4); the password is unscrambled. */
function login(body: Buffer) {
  const field = (at: number) => {
    const [from, length] = [body.readUInt16LE(at), body.readUInt16LE(at + 2)]
    return body.subarray(from, from + 2 * length)
  }
  const password = field(44).map(byte => {
    const plain = byte ^ 0xa5
    return ((plain & 0x0f) << 4) | (plain >> 4)
  })
  return {
    user: field(40).toString('utf16le'),
    password: Buffer.from(password).toString('utf16le'),
    database: field(68).toString('utf16le'),
  }
}

/**
 * A fake of SQL Server that speaks TDS 7.4 ([MS-TDS]): encryption inside its packets, logins, batches, rows over many
 * packets, errors and attention. What `answer` doesn't know is a syntax error.
 */
export async function startTds(settings: Settings) {
  const sockets = new Set<Socket>()
  const statements: string[] = []
  const loads: ReturnType<typeof bulkRows>[] = []
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    serve(socket, settings, statements, loads)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    /** What was loaded in bulk. */
    loads,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}

const drained = (stream: Duplex) =>
  new Promise<void>(resolve => {
    const settle = () => {
      stream.off('drain', settle).off('close', settle)
      resolve()
    }
    stream.on('drain', settle).on('close', settle)
  })

function serve(socket: Socket, settings: Settings, statements: string[], loads: ReturnType<typeof bulkRows>[]) {
  let loading = false
  let stream: Duplex = socket
  let cancelled = false
  const say = (bytes: Buffer, last = true) => stream.write(packet(REPLY, last, bytes))

  async function batch(body: Buffer) {
    const sql = body.subarray(body.readUInt32LE(0)).toString('utf16le')
    statements.push(sql)
    loading = /^insert bulk /.test(sql)
    const silent = { columns: [], rows: [] }
    const unknown = /^\s*(set|use) /i.test(sql) ? silent : { error: 102, message: 'Incorrect syntax' }
    const answer: Answer = loading ? silent : (settings.answer(sql) ?? unknown)
    if ('error' in answer) return say(Buffer.concat([failure(answer.error, answer.message, answer.level), done(2)]))
    if (!answer.columns.length) return say(done(0))
    cancelled = false
    let held = metadata(answer.columns)
    let rows = 0
    for (const cells of answer.rows) {
      held = Buffer.concat([held, row(cells)])
      rows++
      while (held.length > 4000) {
        const more = say(held.subarray(0, 4000), false)
        held = held.subarray(4000)
        if (!more) await drained(stream)
        if (rows % 512 === 0) await new Promise(setImmediate)
      }
      if (cancelled || socket.destroyed) return
    }
    say(Buffer.concat([held, done(0x10, rows)]))
  }

  function message(kind: number, body: Buffer) {
    if (kind === PRELOGIN) {
      const wanted = settings.tls ? 1 : 2
      stream.write(packet(REPLY, true, Buffer.of(0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, wanted)))
      if (settings.tls) stream = secured(socket, settings.tls, read)
      return
    }
    if (kind === LOGIN) {
      const { user, password, database } = login(body)
      if (user !== settings.user || password !== settings.password)
        return say(Buffer.concat([failure(18456, `Login failed for user '${user}'.`, 14), done(2)]))
      if (database && !settings.databases.includes(database))
        return say(Buffer.concat([failure(4060, `Cannot open database "${database}"`, 11), done(2)]))
      const onward = settings.routing ? [routed(settings.routing)] : []
      return say(Buffer.concat([packetSize, loginAck, ...onward, done(0)]))
    }
    if (kind === BATCH) return void batch(body)
    // A bulk load follows the statement that announces it.
    if (kind === BULK && loading) {
      loading = false
      try {
        const load = bulkRows(body)
        loads.push(load)
        return say(done(0x10, load.rows.length))
      } catch (error) {
        return say(Buffer.concat([failure(4804, (error as Error).message), done(2)]))
      }
    }
    if (kind === ATTENTION) {
      cancelled = true
      return say(done(0x20))
    }
    socket.destroy()
  }

  let pending = Buffer.alloc(0)
  let parts: Buffer[] = []
  function read(chunk: Buffer) {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 8 && pending.length >= pending.readUInt16BE(2)) {
      const length = pending.readUInt16BE(2)
      const [kind, status] = pending
      parts.push(pending.subarray(8, length))
      pending = pending.subarray(length)
      if (!(status! & 1)) continue
      const body = Buffer.concat(parts)
      parts = []
      // Whoever breaks a message off says that it is to be ignored.
      if (status! & 2) say(done(2))
      else message(kind!, body)
    }
  }
  socket.on('data', read)
}

/** TLS whose handshake travels inside PRELOGIN packets, as TDS 7 has it, and whose data doesn't. */
function secured(socket: Socket, { cert, key }: { cert: string; key: string }, read: (chunk: Buffer) => void): Duplex {
  let wrapped = true
  let pending = Buffer.alloc(0)
  const transport = new Duplex({
    read() {},
    write(chunk: Buffer, _, written) {
      socket.write(wrapped ? packet(PRELOGIN, true, chunk) : chunk, () => written())
    },
  })
  socket.removeAllListeners('data')
  socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk])
    while (wrapped && pending.length >= 8 && pending[0] === PRELOGIN && pending.length >= pending.readUInt16BE(2)) {
      const length = pending.readUInt16BE(2)
      transport.push(pending.subarray(8, length))
      pending = pending.subarray(length)
    }
    // The first record of data ends the handshake.
    if (pending.length && pending[0] !== PRELOGIN) wrapped = false
    if (wrapped) return
    transport.push(pending)
    pending = Buffer.alloc(0)
  })
  socket.on('close', () => transport.destroy())
  const clear = new TLSSocket(transport as unknown as Socket, { isServer: true, cert, key, maxVersion: 'TLSv1.2' })
  clear.on('data', read)
  clear.on('error', () => socket.destroy())
  return clear
}
