import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FormatContext } from '../../../shared/engine/formats/format.ts'
import { registry } from '../../../shared/engine/formats/index.ts'
import { openZip } from '../../../shared/engine/formats/zip/read.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { defaultLimits } from '../../../shared/engine/limits.ts'
import { fleetingInput } from '../call.ts'
import { makeZip } from './package.ts'

const context: FormatContext = { registry, limits: defaultLimits, signal: new AbortController().signal, options: {} }

test.each([
  ['small', 1, 50, true],
  ['large with few entries', 9, 3, false],
  ['large with many entries', 9, 50, true],
])('an archive that is %s: %d MB in %d entries, held: %s', async (_, megabytes, entries, held) => {
  const contents = Array.from({ length: entries }, (_, n) =>
    n === 0 ? randomBytes(megabytes * 1_000_000) : Buffer.from(`entry ${n} `.repeat(n * 1000)),
  )
  const bytes = makeZip(contents.map((content, n) => ({ name: `${n}`, content, store: n === 1 })))
  const input = fleetingInput('a.zip', bytes, 50_000)
  let whole = 0
  const read = (start: number, end: number) => {
    if (start === 0 && end === input.size) whole++
    return input.read(start, end)
  }
  const zip = await openZip({ ...input, read }, context)
  for (const [n, content] of contents.entries()) {
    const pieces: Buffer[] = []
    for await (const piece of zip.stream(`${n}`)) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
    expect((await zip.bytes(`${n}`)).equals(content)).toBe(true)
  }
  expect(whole).toBe(held ? 1 : 0)
  zip.close()
})

test('an entry that is longer or shorter than it says, or another, is refused while it is streamed', async () => {
  const content = Buffer.from('content '.repeat(50_000))
  let streamed = 0
  for (const store of [true, false])
    for (const forged of [{ size: content.length - 1 }, { size: content.length + 1 }, { crc: 1 }]) {
      const zip = await openZip(
        bufferInput('a.zip', makeZip([{ name: 'a', content, store, ...forged }])),
        context,
      ).catch((error: Error) => error)
      // A stored entry that gives two sizes is refused when it is opened.
      if (zip instanceof Error) {
        expect(zip).toMatchObject({ type: 'corrupt_file' })
        continue
      }
      streamed++
      const all = async () => {
        for await (const _ of zip.stream('a'));
      }
      await expect(all()).rejects.toMatchObject({ type: 'corrupt_file' })
    }
  expect(streamed).toBe(4)
})
