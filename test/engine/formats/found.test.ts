import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHTML } from 'entities'
import PostalMime from 'postal-mime'
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

const mailOf: Reader = async bytes => {
  const mail = await PostalMime.parse(Buffer.from(bytes), { attachmentEncoding: 'utf8' })
  return [JSON.stringify(mail), mail.text ?? '', mail.html ?? '']
}

/** A page as its source, as what is left without tags, without readings too, and with the escapes of style sheets undone. */
const pageOf: Reader = bytes => {
  const source = Buffer.from(bytes).toString()
  const bare = (text: string) => decodeHTML(text.replace(/<[^<>]*>/g, ''))
  const unescaped = source.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
  return [bare(source), bare(source.replace(/<rt>[^<]*/g, '')), decodeHTML(source), unescaped]
}

const token = regexRule('token', 'Zqx[a-z]+', { replacement: { text: '[T]' } })

const wholeName = regexRule('name', '\\bMargaret Johnson\\b', { replacement: { text: '[N]' } })
const address = regexRule('mail', '[\\w.+-]+@[\\w-]+\\.[\\w.-]+', { replacement: { text: '[E]' } })
const wholeAddress = regexRule('mail', '\\b[\\w.]+@example\\.org\\b', { replacement: { text: '[E]' } })

/** What no reader may see any more, and what all of them must still see together. */
type Row = { rules: PlannedRule[]; gone: RegExp; kept?: RegExp; readers?: Reader[] }

/** Files that showed a fault once: each format's readers look at what becomes of them. */
const found: Record<string, Row> = {
  '04-html-angle.html': { rules: [address], gone: /anna\.k/i, kept: /Anna <\[E\]> wrote/, readers: [pageOf] },
  '04-eml-angle.eml': {
    rules: [address],
    gone: /anna\.k/i,
    kept: /Anna Karlsson <\[E\]> wrote/,
    readers: [mailOf, pageOf],
  },
  '15-eml-flowed.eml': {
    rules: [wholeName],
    gone: /Margaret|Johnson/,
    kept: /of \[N\] and it goes/,
    readers: [mailOf],
  },
  '15-eml-invite.eml': {
    rules: [wholeName, regexRule('mail', '\\bmargaret\\.johnson@example\\.org\\b', { replacement: { text: '[E]' } })],
    gone: /Margaret|Johnson|margaret\.johns/,
    kept: /CN=\[N\];X-NUM-GUESTS=0:mailto:\[E\].*contract of \[N\] please/s,
    readers: [mailOf],
  },
  '15-eml-uuencode.eml': { rules: [token], gone: /Zqx/, kept: /\[T\]/, readers: [mailOf] },
  '16-html-truncated.html': { rules: [token], gone: /Zqx/, kept: /\[T\]|_T_/, readers: [pageOf] },
  '16-html-superscript.html': {
    rules: [wholeName, wholeAddress, regexRule('other', '\\bBert Miller\\b')],
    gone: /Margaret|Johnson|Bert|example\.org/,
    kept: /\[N\]1,2, \[other\]2.*Mail: \[E\]1/s,
    readers: [pageOf],
  },
  '16-html-ruby.html': { rules: [token], gone: /Zqx|xruby|aa|bb/, kept: /Plain\[T\]/, readers: [pageOf] },
  '16-html-cssescape.html': { rules: [token], gone: /Zqx/, kept: /\[T\]/, readers: [pageOf] },
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

  test('each of them is what a test reads', () => {
    const tests = readdirSync(import.meta.dirname).filter(name => /^found.*\.test\.ts$/.test(name))
    const sources = [...tests, '../detect/spelling.test.ts'].map(name =>
      readFileSync(join(import.meta.dirname, name), 'utf8'),
    )
    const files = readdirSync(folder).filter(name => name !== 'README.md')
    // A row of a table of tests begins with the file, and all else that names one reads it.
    const reads = (name: string) =>
      new RegExp(
        `^ +(?:\\[?'${RegExp.escape(name)}'(?:,|: \\{)|(?!//|\\*).*\\b(?:found|parts|read|run)\\('${RegExp.escape(name)}'|test\\.each\\(\\[.*'${RegExp.escape(name)}')`,
        'm',
      )
    expect(files.filter(name => !sources.some(source => reads(name).test(source)))).toEqual([])
  })
})
