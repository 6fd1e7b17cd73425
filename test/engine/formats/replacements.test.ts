import { expect, test } from 'vitest'
import { Replacement } from '../../../shared/api/replacements.ts'
import { NewWorkflow } from '../../../shared/api/workflows.ts'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { parseAll } from '../../../shared/http/validate.ts'
import { call, regexRule } from '../call.ts'

/** One file of each kind that is written as text, with the value in several of its places. */
const files: Record<string, string> = {
  'a.txt': 'Hello Anna there',
  'a.html':
    '<html><head><title>Anna</title></head><body><p title="Anna">Hello Anna <b>there</b></p><pre>x\tAnna  y</pre></body></html>',
  'a.xml': '<?xml version="1.0"?><a b="Anna">Hello Anna there</a>',
  'a.csv': 'n,m\nAnna,x\nb,hello Anna\n',
  'a.json': '{"Anna":"Hello Anna there"}',
  'a.rtf': '{\\rtf1\\ansi Hello Anna there\\par}',
  'a.eml':
    'From: Anna <a@b.example>\r\nSubject: for Anna\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Anna there\r\n',
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>Anna</title><text>Hello Anna</text></svg>',
  'a.md': '# Anna\n\nHello **Anna** there',
}

/** Texts that are odd where they are written, by what is odd. */
const odd: Record<string, string> = {
  tab: 'a\tb',
  'line feed': 'a\nb',
  'return of the carriage': 'a\rb',
  nothing: 'a\0b',
  bell: 'a\x07b',
  escape: 'a\x1bb',
  fence: 'a\x1fb',
  delete: 'a\x7fb',
  'next line': 'a\x85b',
  'half of a control sequence': 'a\x9bb',
  'no-break space': 'a\u00a0b',
  'soft hyphen': 'a\u00adb',
  'space without width': 'a\u200bb',
  'mark of byte order': '\ufeffb',
  'line separator': 'a\u2028b',
  picture: 'a🙂b',
  'no character': 'a\ufffeb',
  'no character either': 'a\uffffb',
  'private character': 'a\ue000b',
  override: 'a\u202eb',
  'accent alone': '\u0301b',
  'blank first': ' b',
  'blank last': 'b ',
  'two blanks': 'a  b',
  markup: '<b>&amp;{\\b}]]>--></script>',
  quotes: '"\'',
}

test.each(Object.entries(odd))(
  'a replacement with %s is refused when it is saved, or can be written',
  async (_, text) => {
    if (!Replacement.safeParse({ text }).success) return
    for (const [name, content] of Object.entries(files)) {
      const rules = [regexRule('x', 'Anna', { replacement: { text } })]
      const assetType = name.endsWith('.csv') ? ('TABLE' as const) : ('DOCUMENT' as const)
      const input = bufferInput(name, Buffer.from(content))
      const { findings } = await anonymise(call({ input, rules, assetType }))
      expect([name, findings[0]!.count]).not.toEqual([name, 0])
    }
  },
)

test('what is removed leaves two blanks in HTML, and that is no fault', async () => {
  const rules = [regexRule('x', 'Anna', { replacement: { remove: {} } })]
  const input = bufferInput('a.html', Buffer.from('<p>Hello Anna there</p>'))
  const { output } = await anonymise(call({ input, rules }))
  expect(Buffer.from(await output.read(0, output.size)).toString()).toBe('<p>Hello  there</p>')
})

test('the refusal names the place in the workflow', () => {
  const replacement = { text: 'a\x07b' }
  const rules = [{ ruleId: '3f2b8c1e-0d4a-4b6f-9a57-5b1c7e9d2f10', replacement }]
  const value = { name: 'x', supportedAssetType: 'DOCUMENT', config: { rules } }
  const parse = () => parseAll([{ at: 'body', schema: NewWorkflow, value }])
  const loc = ['body', 'config', 'rules', '0', 'replacement', 'text']
  expect(parse).toThrow(expect.objectContaining({ detail: [expect.objectContaining({ loc, type: 'invalid_format' })] }))
})

test('characters of control are refused with their place, ends of lines and tabs are not', () => {
  const refused = (replacement: unknown) => Replacement.safeParse(replacement).error !== undefined
  for (const character of ['\0', '\x08', '\x0b', '\r', '\x1f', '\x7f', '\x9f', '\ufffe', '\uffff']) {
    expect(refused({ text: `a${character}` })).toBe(true)
    expect(refused({ mask: { char: character } })).toBe(true)
    expect(refused({ generalise: { prefix: { keep: 1, char: character } } })).toBe(true)
    expect(refused({ generalise: { hierarchy: { level: 1, rows: [['a', `b${character}`]] } } })).toBe(true)
  }
  for (const text of ['\t', '\n', 'é', '🙂', '\u00a0']) expect(refused({ text })).toBe(false)
  expect(refused({ mask: { char: '🙂' } })).toBe(false)
})
