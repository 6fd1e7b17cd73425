import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { unescaped } from '../../../shared/engine/verify/encodings.ts'
import { call, regexRule } from '../call.ts'

const shared = join(import.meta.dirname, '../../../../shared')
const present = existsSync(join(shared, 'data/open/robust'))
const spectrum = present ? globSync(join(shared, 'data/open/robust/csv-spectrum/csvs/*.csv')) : []
const texts = present ? globSync(join(shared, 'corpus/{text,synthetic}/*.{csv,txt,md}')) : []

const rules = [regexRule('canary', '\\b[Zz][Yy]\\w*'), regexRule('none', '\\bQQQQ\\d{9}\\b')]

async function run(name: string, bytes: Buffer) {
  const result = await anonymise(call({ input: bufferInput(name, bytes), rules }))
  const output = Buffer.from(await result.output.read(0, result.output.size))
  return { output, found: result.findings.reduce((sum, { count }) => sum + count, 0), format: result.format }
}

describe.skipIf(!present)('files of others', () => {
  test.each([...spectrum, ...texts].map(path => [basename(path), path]))(
    '%s: clean, and untouched without a hit',
    async (_, path) => {
      const bytes = readFileSync(path)
      const { output, found } = await run(basename(path), bytes)
      if (found === 0) expect(output.equals(bytes)).toBe(true)
      for (const encoding of ['latin1', 'utf16le'] as const) expect(output.toString(encoding)).not.toMatch(/\bzy\w/i)
    },
  )

  test('the list of naughty strings, as text and as cells', async () => {
    const strings = JSON.parse(readFileSync(join(shared, 'data/open/robust/blns.json'), 'utf8')) as string[]
    const rows = strings.map((text, row) => `${row},"${text.replaceAll('"', '""')}",Zy${row}`)
    for (const [name, file] of [
      ['naughty.txt', strings.join('\n')],
      ['naughty.csv', `${rows.join('\r\n')}\r\n`],
    ] as const) {
      const { output } = await run(name, Buffer.from(file))
      expect(output.toString()).toBe(file.replaceAll(/\b[Zz][Yy]\w*/g, '[canary]'))
    }
  })
})

describe.skipIf(!present)('a text that writes its words in many encodings', () => {
  const naughty = () => readFileSync(join(shared, 'corpus/text/blns.txt'))
  const mask = (word: string) =>
    anonymise(call({ input: bufferInput('blns.txt', naughty()), rules: [regexRule('word', word, { flags: 'i' })] }))

  test('comes out where a rule finds every spelling', async () => {
    const { output, findings } = await mask('unicode|characters')
    expect(findings[0]!.count).toBeGreaterThan(10)
    expect(Buffer.from(await output.read(0, output.size)).toString()).not.toMatch(/unicode|characters/i)
  })

  test('also where it is written with escapes', async () => {
    const escaped = '&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;'
    expect(naughty().toString()).toContain(escaped)
    const { output, findings } = await mask('javascript')
    expect(findings[0]!.count).toBeGreaterThan(200)
    const text = Buffer.from(await output.read(0, output.size)).toString()
    expect(text).not.toContain(escaped)
    expect(unescaped(text)).not.toContain('javascript')
  })
})

describe('files made to break a reader of tables', () => {
  test.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'corrupt_file'],
    ['a quote left open', Buffer.from(`a,b\n1,"${'x'.repeat(300_000)}`), 'corrupt_file'],
    ['zero bytes', Buffer.from('a,b\n1,\u0000\n'), 'unsupported_format'],
    ['gzip under the name of a table', Buffer.from('1f8b0800000000000003', 'hex'), 'unsupported_format'],
    ['an old workbook under the name of a table', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'unsupported_format'],
    ['only a byte order mark', Buffer.from('efbbbf', 'hex'), 'identical'],
    ['only line ends', Buffer.from('\n\r\n\r'), 'identical'],
    ['only delimiters', Buffer.from(',,,'), 'identical'],
    ['50,000 columns', Buffer.from(`${'c,'.repeat(50_000)}\n${'1,'.repeat(50_000)}\n`), 'identical'],
    ['a cell of a megabyte', Buffer.from(`a,b\n1,"${'y'.repeat(1_000_000)}"\n`), 'identical'],
    ['mixed line ends', Buffer.from('a,b\r1,2\n3,4\r\n5,6'), 'identical'],
    ['formulas that were there before', Buffer.from('a,b\n=1+1,@x\n-1,+2\n'), 'identical'],
    ['names of the language', Buffer.from('__proto__,constructor\n1,2\n'), 'identical'],
  ])('%s', async (_, bytes, outcome) => {
    const result = await run('t.csv', bytes).catch((error: unknown) => error)
    if (outcome === 'identical') expect((result as { output: Buffer }).output.equals(bytes)).toBe(true)
    else {
      expect(result).toBeInstanceOf(EngineError)
      expect((result as EngineError).type).toBe(outcome)
    }
  })
})
