import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { readZip } from './package.ts'

const found = join(import.meta.dirname, '../../../../shared/corpus/found')
const present = existsSync(found)
if (!present) console.log('skipped: the files that showed a fault are not here')

/** The parts of what a file becomes, as text. */
async function parts(name: string, ...rules: PlannedRule[]): Promise<Map<string, string>> {
  const { output } = await anonymise(call({ input: bufferInput(name, readFileSync(join(found, name))), rules }))
  return new Map([...readZip(await output.read(0, output.size))].map(([part, bytes]) => [part, bytes.toString()]))
}

const none = regexRule('none', 'Qqqq')

describe.skipIf(!present)('Office files that showed a fault', () => {
  test('02: relationships that are typed one by one stay so', async () => {
    const files = await parts('02-ooxml-rels-by-override.docx', none)
    const types = files.get('[Content_Types].xml')!
    for (const name of files.keys())
      if (name.endsWith('.rels')) expect(types).toMatch(new RegExp(`PartName="/${name}"|Extension="rels"`))
    for (const [, name] of types.matchAll(/PartName="\/([^"]*)"/g)) expect([...files.keys()]).toContain(name)
  })

  test('14: a shared string with markup of others is bare text', async () => {
    const files = await parts('14-xlsx-broken-sst.xlsx', none)
    expect(files.get('xl/sharedStrings.xml')).toContain('<si><t xml:space="preserve">dddabc</t></si>')
  })

  test('14: names of functions are no text, and names of people in formulas are', async () => {
    const rule = regexRule('r', '\\b(?:max|rose)\\b', { flags: 'i' })
    const sheet = (await parts('14-xlsx-max.xlsx', rule)).get('xl/worksheets/sheet1.xml')!
    expect(sheet).toContain('MAX(B2:B3)')
    expect(sheet).not.toMatch(/Rose/)
  })

  test('14: carriage returns of workbooks are no letters', async () => {
    const files = await parts('14-xlsx-x000D.xlsx', regexRule('N', '\\b(?:Margaret|Zqx[a-z]+)\\b'))
    const all = [...files.values()].join('')
    expect(all).not.toMatch(/Margaret|Zqx/)
    expect(all).toContain('[N]\n[N]\nand \t[N]')
    expect(all).toContain('[N]\nline')
  })

  test('14: the name of a sheet goes from links of drawings', async () => {
    const files = await parts('14-xlsx-drawing-link.xlsx', regexRule('N', 'Another|Апаче'))
    const links = files.get('xl/drawings/_rels/drawing1.xml.rels')!
    expect(links).not.toMatch(/Another|Апаче/)
    expect(links).toContain(`Target="#&apos;N Sheet&apos;!A1"`)
    expect(files.get('xl/workbook.xml')).toContain('name="N Sheet"')
  })

  test('03: a name beside a picture with a description is found, and the description keeps its words', async () => {
    const rules = [regexRule('name', '\\bMargaret Johnson\\b'), regexRule('mail', '\\b[\\w.]+@example\\.com\\b')]
    const content = (await parts('03-odt-alt-text.odt', ...rules)).get('content.xml')!
    expect(content).not.toMatch(/Margaret|example\.com/)
    expect(content).toContain(
      '<svg:title>Logo</svg:title><svg:desc>Company logo</svg:desc></draw:frame>[name], Managing',
    )
    expect(content).toContain('<svg:desc>Envelope</svg:desc></draw:frame>[mail]')
  })

  test('18: the name and the font of a shape are read', async () => {
    const document = (await parts('18-docx-vml.docx', regexRule('N', 'Zqx[a-z]+'))).get('word/document.xml')!
    expect(document).not.toContain('Zqx')
    expect(document).toContain('<v:shape id="[N]" style="font-family:[N]"/>')
  })

  test('18: so are the names of elements and attributes of anybody', async () => {
    const document = (await parts('18-docx-elname.docx', regexRule('N', 'Zqx[a-z]+'))).get('word/document.xml')!
    expect(document).not.toContain('Zqx')
    expect(document).toContain('<w:p foo:_N_="1"><foo:_N_>t</foo:_N_></w:p>')
  })
})
