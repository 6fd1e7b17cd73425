import type { Bitmap } from './bitmap.ts'

/** Codes of JPEG (ITU-T T.81, annex K.3.3): for sizes of brightness and colour, and then for runs of both. */
const usualTables = [
  '0000010501010101010100000000000000000102030405060708090a0b',
  '0100030101010101010101010000000000000102030405060708090a0b',
  '100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  '1100020102040403040705040400010277000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
].map(text => Buffer.from(text, 'hex'))

/** Rows of a strip: whole blocks, however the colours are sampled, and fewer blocks than a restart interval may have. */
const blockRows = 16
const stripPixels = 2_000_000

const marker = { frame: 0xc0, tables: 0xc4, scan: 0xda, interval: 0xdd, restart: 0xd0, end: 0xd9 }

type Component = { blocks: number; size: number; run: number }

/** A JPEG in one scan: the headers in front of it without its tables of codes, those tables, and what it is made of. */
type Jpeg = {
  frame: Buffer
  scan: Buffer
  others: Buffer[]
  tables: Buffer[]
  data: Buffer
  components: Component[]
  units: number
}

/** The numbers of tables as the lists here have them: sizes 0 and 1, runs 2 and 3. */
const tableAt = (number: number) => (number >> 4) * 2 + (number & 1)

function jpegOf(bytes: Uint8Array): Jpeg {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [others, tables]: [Buffer[], Buffer[]] = [[], []]
  let at = 2
  let frame: Buffer = Buffer.alloc(0)
  for (; file[at + 1] !== marker.scan; at += 2 + file.readUInt16BE(at + 2)) {
    const segment = file.subarray(at, at + 2 + file.readUInt16BE(at + 2))
    if (file[at + 1] === marker.frame) frame = segment
    else if (file[at + 1] !== marker.tables) others.push(segment)
    else
      for (let from = 4; from < segment.length; ) {
        const table = segment.subarray(from)
        const length = 17 + table.subarray(1, 17).reduce((sum, count) => sum + count, 0)
        tables[tableAt(table[0]!)] = table.subarray(0, length)
        from += length
      }
  }
  const start = at + 2 + file.readUInt16BE(at + 2)
  const scan = file.subarray(at, start)
  const count = frame[9]!
  const sampling = Array.from({ length: count }, (_, n) => frame[11 + 3 * n]!)
  // One component alone is stored in blocks of 8 by 8 whatever its sampling says.
  const most = (shift: number) => (count === 1 ? 1 : Math.max(...sampling.map(both => (both >> shift) & 15)))
  const units = (length: number, shift: number) => Math.ceil(length / (8 * most(shift)))
  const components = sampling.map((both, n) => {
    const used = scan[6 + 2 * n]!
    return { blocks: count === 1 ? 1 : (both >> 4) * (both & 15), size: used >> 4, run: 2 + (used & 15) }
  })
  const [height, width] = [frame.readUInt16BE(5), frame.readUInt16BE(7)]
  return {
    frame,
    scan,
    others,
    tables,
    data: file.subarray(start, -2),
    components,
    units: units(width, 4) * units(height, 0),
  }
}

/** Calls back with each code of a table, its length in bits and what it stands for. */
function eachCode(table: Buffer, visit: (code: number, length: number, symbol: number) => void): void {
  let [code, at] = [0, 17]
  for (let length = 1; length <= 16; length++, code <<= 1)
    for (let n = 0; n < table[length]!; n++) visit(code++, length, table[at++]!)
}

/** What each sequence of 16 bits begins with: the length of the code, and its symbol in the lower byte. */
function readingOf(table: Buffer): Uint16Array {
  const symbols = new Uint16Array(0x10000)
  eachCode(table, (code, length, symbol) =>
    symbols.fill((length << 8) | symbol, code << (16 - length), (code + 1) << (16 - length)),
  )
  return symbols
}

/** The code of each symbol, and its length in the highest byte. */
function writingOf(table: Buffer): Int32Array {
  const codes = new Int32Array(256)
  eachCode(table, (code, length, symbol) => {
    codes[symbol] = (length << 24) | code
  })
  return codes
}

const usualCodes = usualTables.map(writingOf)

/** Bytes of a block at most: 64 symbols of 27 bits, and an empty byte behind each of ones. */
const mostBytes = 64 * 8

/** Reads the data of a scan bit by bit. */
function bitsOf(data: Buffer) {
  let [at, held, count] = [0, 0, 0]
  const fill = () => {
    while (count <= 16) {
      const byte = data[at] ?? 0xff
      // A byte of ones is followed by an empty one, lest it look like a marker.
      at += byte === 0xff ? 2 : 1
      held = ((held & 0xffff) << 8) | byte
      count += 8
    }
  }
  return {
    /** The next symbol, as {@link readingOf} has them. */
    symbol(symbols: Uint16Array): number {
      fill()
      const entry = symbols[(held >>> (count - 16)) & 0xffff]!
      count -= entry >> 8
      return entry & 0xff
    },
    take(length: number): number {
      fill()
      count -= length
      return (held >>> count) & ((1 << length) - 1)
    },
  }
}

/** Writes the data of a scan bit by bit. */
function bitWriter(size: number) {
  let target = Buffer.alloc(size)
  let [to, kept, bits] = [0, 0, 0]
  return {
    makeRoom(bytes: number): void {
      if (to + bytes > target.length) target = Buffer.concat([target], target.length * 2)
    },
    put(value: number, length: number): void {
      kept = (kept << length) | value
      for (bits += length; bits >= 8; ) {
        bits -= 8
        const byte = (kept >> bits) & 0xff
        target[to++] = byte
        if (byte === 0xff) target[to++] = 0
      }
      kept &= (1 << bits) - 1
    },
    written: () => target.subarray(0, to),
  }
}

/** The data of a scan in the usual codes instead of its own, filled up to whole bytes. */
function recoded({ data, tables, components, units }: Jpeg): Buffer {
  const symbols = tables.map(readingOf)
  const source = bitsOf(data)
  const target = bitWriter(data.length * 2 + mostBytes)
  /** Copies a symbol and the bits behind it, and says which it was. */
  const copy = (table: number): number => {
    const symbol = source.symbol(symbols[table]!)
    const code = usualCodes[table]![symbol]!
    target.put(code & 0xff_ffff, code >>> 24)
    target.put(source.take(symbol & 15), symbol & 15)
    return symbol
  }
  const copyBlock = ({ size, run }: Component) => {
    target.makeRoom(mostBytes)
    copy(size)
    for (let n = 1; n < 64; n++) {
      const symbol = copy(run)
      if (symbol === 0) break
      n += symbol >> 4
    }
  }
  for (let unit = 0; unit < units; unit++)
    for (const component of components) for (let n = 0; n < component.blocks; n++) copyBlock(component)
  target.put(0x7f, 7)
  return target.written()
}

/**
 * Encodes a large JPEG strip by strip, which takes the memory of one: each becomes what stands between two restart markers
 * (ITU-T T.81, annexes B.2.4.4 and E.1.4). Codes are the usual ones, as they must be the same in all strips.
 */
export async function encodeInStrips(
  { width, height, data }: Bitmap,
  encode: (strip: Bitmap) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const rows = blockRows * Math.max(1, Math.floor(stripPixels / width / blockRows))
  const parts: Buffer[] = []
  for (let top = 0; top < height; top += rows) {
    const high = Math.min(rows, height - top)
    const strip = jpegOf(
      await encode({ width, height: high, data: data.slice(top * width * 4, (top + high) * width * 4) }),
    )
    if (top === 0) parts.push(...headOf(strip, height))
    else parts.push(Buffer.of(0xff, marker.restart + ((top / rows - 1) % 8)))
    parts.push(recoded(strip))
  }
  return Buffer.concat([...parts, Buffer.of(0xff, marker.end)])
}

/** The headers of a picture of that height, whose strips are like its first. */
function headOf({ frame, scan, others, components, units }: Jpeg, height: number): Buffer[] {
  const [whole, interval] = [Buffer.from(frame), Buffer.of(0xff, marker.interval, 0, 4, 0, 0)]
  whole.writeUInt16BE(height, 5)
  interval.writeUInt16BE(units, 4)
  const used = new Set(components.flatMap(({ size, run }) => [size, run]))
  const tables = usualTables
    .filter((_, n) => used.has(n))
    .map(table => {
      const segment = Buffer.concat([Buffer.of(0xff, marker.tables, 0, 0), table])
      segment.writeUInt16BE(segment.length - 2, 2)
      return segment
    })
  return [Buffer.of(0xff, 0xd8), ...others, whole, ...tables, interval, scan]
}
