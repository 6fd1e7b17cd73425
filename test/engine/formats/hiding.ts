import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readZip } from './package.ts'

const utf16 = [new TextDecoder('utf-16le'), new TextDecoder('utf-16be')]

/** All that can be read out of a file: names of entries, bytes in every encoding, what is packed or written as digits. */
export function* layers(bytes: Uint8Array, depth = 0): Generator<string> {
  const text = Buffer.from(bytes).toString('latin1')
  yield text
  yield Buffer.from(bytes).toString('utf8')
  for (const decoder of utf16) for (const skip of [0, 1]) yield decoder.decode(bytes.subarray(skip))
  if (text.startsWith('PK'))
    for (const [name, content] of readZip(bytes)) {
      yield name
      yield* layers(content, depth + 1)
    }
  // An archive may stand in base64, as in mail; four levels of that are deeper than any sample.
  if (depth > 4) return
  const joined = text.replace(/\r?\n/g, '')
  for (const [run] of joined.matchAll(/[A-Za-z0-9+/]{10,}={0,2}/g))
    for (const skip of [0, 1, 2, 3]) {
      const decoded = Buffer.from(run.slice(skip), 'base64')
      if (run.length > 60) yield* layers(decoded, depth + 1)
      else yield* [decoded.toString('latin1'), ...utf16.map(decoder => decoder.decode(decoded))]
    }
  for (const [run] of joined.matchAll(/(?:[0-9A-Fa-f]{2}){5,}/g)) yield Buffer.from(run, 'hex').toString('latin1')
}

/** The canary words that a file holds: `Zy` and letters, by whatever case and encoding. */
export function canaries(bytes: Uint8Array): string[] {
  const found = new Set<string>()
  for (const layer of layers(bytes)) {
    // Long stretches of base64 hold any three letters by chance; what they stand for is a layer of its own.
    const text = layer.replace(/[A-Za-z0-9+/]{60,}/g, ' ')
    for (const [word] of text.matchAll(/zy[a-z]{3,}/gi)) found.add(word)
  }
  return [...found]
}

const rules = [regexRule('X', '\\bZy\\w*', { flags: 'i' })]

/** The file without its canaries, and its report. */
export async function withoutCanaries(name: string, bytes: Uint8Array) {
  const { output, report } = await anonymise(call({ input: bufferInput(name, bytes), rules }))
  return { bytes: await output.read(0, output.size), report }
}

/** One test for each hiding place: the file that `make` hides a canary in holds none when it comes out. */
export function hidingPlaces(name: string, places: Record<string, () => Uint8Array | Promise<Uint8Array>>): void {
  test.each(Object.entries(places))(`${name}: %s`, async (_, make) => {
    const bytes = await make()
    expect(canaries(bytes)).not.toEqual([])
    expect(canaries((await withoutCanaries(name, bytes)).bytes)).toEqual([])
  })
}
