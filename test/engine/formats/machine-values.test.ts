import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { sheetNames } from '../../../shared/engine/formats/office/sheet-names.ts'
import { readPart } from '../../../shared/engine/formats/ooxml/xml-part.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { mutant } from '../mutant.ts'
import { makeDocx, makeOdf, readZip } from './package.ts'

// What a control or a field of Word shows stands beside it in a form for programs, which no rule for the shown one finds.

async function paragraph(content: string, pattern = 'zy\\w*'): Promise<string> {
  const input = bufferInput('a.docx', makeDocx(`<w:p>${content}</w:p>`))
  const { output } = await anonymise(call({ input, rules: [regexRule('X', pattern)] }))
  const document = readZip(await output.read(0, output.size))
    .get('word/document.xml')!
    .toString()
  return /<w:p>(.*)<\/w:p>/.exec(document)![1]!
}

const text = (value: string) => `<w:r><w:t>${value}</w:t></w:r>`
const control = (properties: string, value: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${text(value)}</w:sdtContent></w:sdt>`
const list = (last: string, items: string) => `<w:dropDownList${last}>${items}</w:dropDownList>`
const item = (shown: string, value = '') => `<w:listItem w:displayText="${shown}"${value}/>`
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (value: string) => `<w:r><w:instrText>${value}</w:instrText></w:r>`
const field = (value: string, shown: string) => mark('begin') + code(value) + mark('separate') + shown + mark('end')
/** What is left of a field that became text. */
const emptied = (shown: string) => `${'<w:r></w:r>'.repeat(3)}${shown}<w:r></w:r>`

describe('a value for programs goes with the text that shows it', () => {
  test.each([
    [
      'a date',
      control('<w:date w:fullDate="2004-06-08T00:00:00Z"><w:lid w:val="de-DE"/></w:date>', 'zya'),
      control('<w:date><w:lid w:val="de-DE"/></w:date>', '[X]'),
    ],
    [
      'a choice',
      control(
        list(' w:lastValue="20040608"', item('Nine', ' w:value="9"') + item('Eight', ' w:value="20040608"')),
        'zya',
      ),
      control(list('', item('Nine') + item('Eight')), '[X]'),
    ],
    [
      'a choice not made',
      control(list('', item('zya', ' w:value="8"')), 'Nine'),
      control(list('', item('[X]')), 'Nine'),
    ],
    ['a field', field(' = 20040608 \\# "0" ', text('zya')), emptied(text('[X]'))],
    ['a simple field', `<w:fldSimple w:instr=' = 20040608 '>${text('zya')}</w:fldSimple>`, text('[X]')],
    [
      'a field in a control',
      control('<w:date w:fullDate="2004-06-08T00:00:00Z"/>', 'at').replace(text('at'), field('QUOTE 8', text('zya'))),
      control('<w:date/>', 'at').replace(text('at'), emptied(text('[X]'))),
    ],
    [
      'the reading over a word',
      `<w:r><w:ruby><w:rt>${text('ro')}</w:rt><w:rubyBase>${text('zya')}</w:rubyBase></w:ruby></w:r>`,
      `<w:r><w:ruby><w:rt></w:rt><w:rubyBase>${text('[X]')}</w:rubyBase></w:ruby></w:r>`,
    ],
  ])('%s', async (_, content, left) => {
    expect(await paragraph(text('(') + content + text(')'))).toBe(text('(') + left + text(')'))
    const other = content.replace('zya', 'someone')
    expect(await paragraph(text('(') + other + text(')'))).toBe(text('(') + other + text(')'))
  })

  test('a field whose code holds others stays, as their texts stand in it', async () => {
    const inner = code(' IF ') + field(' SEX ', text('m')) + code(' = "m" "a" "b" ')
    const content = mark('begin') + inner + mark('separate') + text('(zya') + mark('end')
    expect(await paragraph(content)).toBe(content.replace('zya', '[X]'))
  })

  test.each([
    ['fields that do not end', mark('begin') + code('=1') + mark('separate') + text('a'), ''],
    ['controls', '<w:sdt><w:sdtPr><w:date w:fullDate="1"/></w:sdtPr><w:sdtContent>', '</w:sdtContent></w:sdt>'],
  ])('of very many %s around it, which are kept few times', async (_, begin, end) => {
    const content = begin.repeat(200) + text('zya') + end.repeat(200)
    const left = await paragraph(content)
    expect(left).toContain('[X]')
    expect(left).not.toMatch(/instrText|fullDate/)
    const part = `<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:p>`
    const context = { place: { kind: 'body' }, depth: 64, gone: new Set<string>(), sheets: sheetNames() } as const
    const runs = readPart(part, context).nodes.flatMap(node => node.runs)
    expect(Math.max(...runs.map(({ also = [] }) => also.length))).toBeLessThan(100)
  })

  test('a date that a rule finds in its form for programs goes, as Word takes only dates', async () => {
    const content = control('<w:date w:fullDate="2004-06-08T00:00:00Z"/>', 'Tuesday')
    expect(await paragraph(content, '2004-06-08')).toBe(control('<w:date/>', 'Tuesday'))
  })
})

describe('a date that is left for programs beside a text that was replaced fails the file', () => {
  const shown = '<text:date text:date-value="2004-06-08">8 June 2004</text:date>'
  const weekday = '<text:date text:date-value="2004-06-08">Tuesday</text:date>'
  test.each([
    [
      'of a control',
      'formats/ooxml/entailed.ts',
      'w:date@w:fullDate',
      'a.docx',
      makeDocx(`<w:p>${control('<w:date w:fullDate="2004-06-08T00:00:00Z"/>', '8 June 2004')}</w:p>`),
    ],
    [
      'of a field',
      'formats/odf/vocabulary.ts',
      '(?:date|time)-value',
      'a.odt',
      makeOdf('text', `<text:p>${shown} ${weekday}</text:p>`),
    ],
  ])('%s', async (_, file, from, name, bytes) => {
    const rules = [regexRule('X', '8 June 2004')]
    const blind = await mutant({ file, from, to: 'none' })
    await expect(blind.anonymise(call({ input: bufferInput(name, bytes), rules }))).rejects.toMatchObject({
      type: 'leak_detected',
    })
    await expect(anonymise(call({ input: bufferInput(name, bytes), rules }))).resolves.toBeDefined()
  })
})
