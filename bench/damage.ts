import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'

/** Numbers from 0 up to 1, always the same for a seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number
const below = (random: Random, limit: number): number => Math.floor(random() * limit)

/** A stretch of some bytes, mostly a short one. */
const stretchOf = (bytes: Buffer, random: Random): { from: number; to: number } => {
  const from = below(random, bytes.length)
  return { from, to: Math.min(bytes.length, from + 1 + below(random, 4 ** (1 + below(random, 6)))) }
}

const without = (bytes: Buffer, random: Random): Buffer => {
  const { from, to } = stretchOf(bytes, random)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

const withMore = (bytes: Buffer, more: Buffer, random: Random): Buffer => {
  const at = below(random, bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])
}

const repeated = (bytes: Buffer, random: Random): Buffer => {
  const { from, to } = stretchOf(bytes, random)
  const times = 1 + below(random, 4) ** 4
  return withMore(bytes, Buffer.concat(Array<Buffer>(times).fill(bytes.subarray(from, to))), random)
}

const overwritten = (bytes: Buffer, random: Random): Buffer => {
  const { from, to } = stretchOf(bytes, random)
  return Buffer.from(bytes).fill([0, 0xff, 0x20, 0x80][below(random, 4)]!, from, to)
}

const flipped = (bytes: Buffer, random: Random): Buffer => {
  const result = Buffer.from(bytes)
  for (let left = 1 + below(random, 8); left > 0; left--) result[below(random, result.length)]! ^= 1 << below(random, 8)
  return result
}

const numbers = ['0', '-1', '1', '65536', '2147483648', '4294967295', '99999999999', '1e308', '']

/** With one of its numbers in digits replaced. */
const renumbered = (bytes: Buffer, random: Random): Buffer => {
  const text = bytes.toString('latin1')
  const from = below(random, text.length)
  const after = text.slice(from).replace(/\d+/, () => numbers[below(random, numbers.length)]!)
  return Buffer.from(text.slice(0, from) + after, 'latin1')
}

const marks = [
  '<',
  '>',
  '&',
  '"',
  '{',
  '}',
  '\\',
  '\r\n',
  '\0',
  '\ufeff',
  '\u202e',
  ']]>',
  '<!--',
  '=?utf-8?q?',
  'obj',
  'BEGIN:',
]

/** With a mark that means something to some format, once or many times. */
const marked = (bytes: Buffer, random: Random): Buffer =>
  withMore(bytes, Buffer.from(marks[below(random, marks.length)]!.repeat(1 + below(random, 5) ** 5)), random)

const cut = (bytes: Buffer, random: Random): Buffer => bytes.subarray(0, below(random, bytes.length))

const ways = [cut, without, repeated, overwritten, flipped, flipped, renumbered, renumbered, marked]

const damagedOnce = (bytes: Buffer, random: Random): Buffer =>
  bytes.length === 0 ? bytes : ways[below(random, ways.length)]!(bytes, random)

/** An archive with damage within one of its parts. */
const damagedWithin = async (bytes: Buffer, random: Random): Promise<Buffer> => {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true })
  const parts: { name: string; content: Buffer }[] = []
  for await (const entry of archive.eachEntry())
    parts.push({ name: entry.fileName, content: await buffer(await archive.openReadStreamPromise(entry)) })
  const part = parts[below(random, parts.length)]!
  part.content = damagedOnce(part.content, random)
  const zip = new ZipFile()
  for (const { name, content } of parts)
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else zip.addBuffer(content, name, { compress: name !== 'mimetype' })
  zip.end()
  return buffer(zip.outputStream)
}

/** Bytes with one fault or three, always the same for a seed; in archives mostly within a part. Seed 0 makes none. */
export const damaged = async (bytes: Buffer, seed: number): Promise<Buffer> => {
  if (seed === 0) return bytes
  const random = randomFrom(seed)
  const isArchive = bytes.subarray(0, 2).toString('latin1') === 'PK'
  if (isArchive && random() < 0.8) return damagedWithin(bytes, random).catch(() => damagedOnce(bytes, random))
  let result = bytes
  for (let left = [1, 1, 3][below(random, 3)]!; left > 0; left--) result = damagedOnce(result, random)
  return result
}
