import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { layers } from './hiding.ts'

const folder = join(import.meta.dirname, '../../../../shared/corpus/found')
const here = existsSync(folder)
if (!here) console.log('skipped: the files that showed a fault are not here')

/** Reads a file as another program does: all texts that a person or a program could get out of it. */
type Reader = (bytes: Uint8Array) => string[] | Promise<string[]>

/** Everything that the bytes say, also in base64 and in archives. */
const bytesOf: Reader = bytes => [...layers(bytes)]

const token = regexRule('token', 'Zqx[a-z]+', { replacement: { text: '[T]' } })

/** What no reader may see any more, and what all of them must still see together. */
type Row = { rules: PlannedRule[]; gone: RegExp; kept?: RegExp; readers?: Reader[] }

/** Files that showed a fault once: each format's readers look at what becomes of them. */
const found: Record<string, Row> = {
  '19-txt-lone-surrogate.txt': { rules: [token], gone: /Zqx/, kept: /\[T\] \\udc00 b/ },
}

describe.skipIf(!here)('files that showed a fault', () => {
  test.each(Object.entries(found))('%s', async (name, { rules, gone, kept, readers = [] }) => {
    const bytes = readFileSync(join(folder, name))
    expect(bytes.length).toBeGreaterThan(0)
    const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules }))
    const result = await output.read(0, output.size)
    const texts: string[] = []
    for (const read of [bytesOf, ...readers]) texts.push(...(await read(result)))
    for (const text of texts) expect(text).not.toMatch(gone)
    if (kept) expect(texts.join('\n')).toMatch(kept)
  })
})
