import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { formatOf, headBytes } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readZip } from './package.ts'

const corpus = '../shared/corpus'
const folders = ['docx', 'pptx', 'xlsx', 'odt', 'mail', 'rtf'].map(name => `${corpus}/${name}`)
const files = existsSync(corpus) ? folders.flatMap(folder => readdirSync(folder).map(name => `${folder}/${name}`)) : []
if (files.length === 0) console.log('skipped: the corpus of documents is not here')

const common = /^(?:arial|author|header|footer|table|normal|heading|title|sheet|image|picture|chart|style|theme|column)/

/** The three most frequent longer words that a file shows. */
async function frequentWords(name: string, bytes: Uint8Array): Promise<string[]> {
  const input = bufferInput(name, bytes)
  const { limits, signal } = call({ input, rules: [] })
  const options = { pictures: 'blank' }
  const file = await formatOf(bytes.subarray(0, headBytes), name).open(input, { limits, signal, options })
  const counts = new Map<string, number>()
  for await (const batch of file.segments())
    for (const { text, visible } of batch)
      for (const word of visible ? (text.match(/(?<![\p{L}\p{N}_])\p{L}{6,}(?![\p{L}\p{N}_])/gu) ?? []) : [])
        if (!common.test(word.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1)
  await file.close()
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([word]) => word)
}

/** What a reader would see or find between tags, in any part. */
function readableText(bytes: Uint8Array): string {
  if (Buffer.from(bytes.subarray(0, 2)).toString() !== 'PK') return Buffer.from(bytes).toString('latin1')
  const parts = [...readZip(bytes)].filter(([name]) => /\.(?:xml|rels|vml)$/.test(name))
  return parts.map(([, part]) => part.toString().replace(/<[^>]*>/g, '\n')).join('\n')
}

describe.skipIf(files.length === 0)('real files', () => {
  test.each(files)('%s is clean or refused by name', async path => {
    const bytes = readFileSync(path)
    try {
      const words = await frequentWords(path, bytes)
      const pattern =
        words.length > 0 ? `(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])` : 'nothing at all'
      const rules = [regexRule('word', pattern)]
      const { output } = await anonymise(
        call({ input: bufferInput(path, bytes), rules, options: { pictures: 'blank' } }),
      )
      const text = readableText(await output.read(0, output.size))
      const left = text.match(new RegExp(pattern, 'gu')) ?? []
      expect(left).toEqual([])
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      expect(['corrupt_file', 'encrypted_file', 'unsupported_format']).toContain(error.type)
    }
  })
})
