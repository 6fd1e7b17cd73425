import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { FormatContext } from '../../../shared/engine/formats/format.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { openZip } from '../../../shared/engine/formats/zip/read.ts'
import { zipWriter } from '../../../shared/engine/formats/zip/write.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { defaultLimits } from '../../../shared/engine/limits.ts'

const context: FormatContext = { registry, limits: defaultLimits, signal: new AbortController().signal, options: {} }

const text = Buffer.from('Zoë, 日本; '.repeat(60_000))
const entries = [
  { name: 'mimetype', content: Buffer.from('text/plain'), store: true },
  { name: 'large.xml', content: text, pieces: 50_000 },
  { name: 'größer.bin', content: randomBytes(300_000), pieces: 65_536 },
  { name: 'kept.bin', content: randomBytes(200_000), pieces: 1000, store: true },
  { name: 'empty', content: Buffer.alloc(0), pieces: 1 },
  { name: 'folder\\whole.xml', content: text },
  { name: 'nothing', content: Buffer.alloc(0) },
]

async function* cut(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function written(): Promise<Buffer> {
  const bytes: Buffer[] = []
  const zip = zipWriter({ write: async piece => void bytes.push(Buffer.from(piece)) })
  for (const { name, content, pieces, store = false } of entries)
    await zip.add(name, pieces === undefined ? content : cut(content, pieces), { store })
  await zip.end()
  return Buffer.concat(bytes)
}

test('an archive has the bytes that another writer gives it', async () => {
  const zip = new ZipFile()
  for (const { name, content, pieces, store = false } of entries) {
    const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: !store, forceDosTimestamp: true }
    if (pieces === undefined) zip.addBuffer(content, name, options)
    else
      zip.addReadStream(Readable.from(cut(content, pieces)), name, {
        ...options,
        ...(!store && { compressionLevel: 3 }),
      })
  }
  zip.end()
  expect((await written()).equals(Buffer.concat(await Readable.from(zip.outputStream).toArray()))).toBe(true)
})

test('an archive is read as it was written', async () => {
  const zip = await openZip(bufferInput('a.zip', await written()), context)
  expect(zip.entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name.replace('\\', '/')))
  for (const { name, content } of entries) {
    const pieces: Buffer[] = []
    for await (const piece of zip.stream(name.replace('\\', '/'))) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
  }
})

test.each([0, 1, 2])('what goes wrong is told by the time the archive ends: at write %d', async bad => {
  let count = 0
  const zip = zipWriter({
    async write() {
      if (count++ === bad) throw new Error('full')
    },
  })
  const add = async () => {
    await zip.add('a', Buffer.from('a'))
    await zip.add('b', cut(text, 100_000))
    await zip.end()
  }
  await expect(add()).rejects.toThrow('full')
})

test('what goes wrong with the content of an entry is thrown when it is added', async () => {
  const zip = zipWriter({ async write() {} })
  const content = async function* () {
    yield text
    throw new Error('no more')
  }
  await expect(zip.add('a', content())).rejects.toThrow('no more')
})
