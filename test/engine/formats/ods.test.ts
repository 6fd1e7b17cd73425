import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { rereadOdf } from '../../../shared/engine/formats/odf/verify-reader.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, readZip } from './package.ts'

const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const text = (shown: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${shown}</text:p></table:table-cell>`
const sheet = (rows: string, name = 'S') => `<table:table table:name="${name}">${rows}</table:table>`

async function clean(body: string, rules: PlannedRule[], parts: Record<string, string> = {}) {
  const input = bufferInput('t.ods', makeOdf('spreadsheet', body, parts))
  const result = await anonymise(call({ input, rules, assetType: 'TABLE' }))
  const files = readZip(await result.output.read(0, result.output.size))
  const tables = /<office:spreadsheet>([\s\S]*)<\/office:spreadsheet>/.exec(files.get('content.xml')!.toString())![1]!
  return { tables, files, result }
}

describe('a spreadsheet', () => {
  const header = row(text('name'), text('born'), text('town'))
  const anna = (columns: string[]) => [regexRule('X', '\\bAnna\\b', { columns })]

  test('has a cell for each of several that are written once', async () => {
    const twice = ' table:number-columns-repeated="2" table:style-name="ce1"'
    const rows = header + row(text('Anna', twice), text('x')) + row(text('Bert', twice))
    const { tables, result } = await clean(sheet(rows), anna(['born']))
    expect(tables).toContain(
      row(text('Anna', ' table:style-name="ce1"'), text('[X]', ' table:style-name="ce1"'), text('x')),
    )
    expect(result.findings[0]!.count).toBe(1)
    await expect(
      clean(sheet(row(text('a', ' table:number-columns-repeated="99999999"'))), anna(['1'])),
    ).rejects.toMatchObject({ type: 'limit_exceeded' })
  })

  test('loses the value behind a text that is replaced, and the text of a value that is', async () => {
    const date = ' office:value-type="date" office:date-value="1920-01-05"'
    const rows =
      header + row(text('a'), text('5 Jan 20', date), text('b')) + row(text('c'), text('6 Jan 20', date), text('d'))
    const byText = await clean(sheet(rows), [regexRule('X', '^5 Jan', { columns: ['born'] })])
    expect(byText.tables).toContain(row(text('a'), text('[X] 20', ' office:value-type="string"'), text('b')))
    expect(byText.tables).toContain(text('6 Jan 20', date))
    const byValue = await clean(sheet(rows), [regexRule('X', '^1920', { columns: ['born'] })])
    expect(byValue.tables).toContain(text('[X]-01-05', ' office:value-type="string"'))
    expect(byValue.tables).not.toMatch(/1920|5 Jan/)
    const bySlow = rows.replace('<text:p>5 Jan 20</text:p>', '<text:p>5 Jan<text:s/>20</text:p><text:p>b</text:p>')
    expect((await clean(sheet(bySlow), [regexRule('X', '^1920', { columns: ['born'] })])).tables).toContain(
      '<text:p>[X]-01-05</text:p>',
    )
    const note = `<table:named-expressions><table:named-expression table:name="n" table:expression="&quot;5 Jan 20&quot;"/></table:named-expressions>`
    const { tables } = await clean(sheet(rows) + note, [regexRule('X', '^1920-01-05', { columns: ['born'] })])
    expect(tables).toContain('&quot;[X]&quot;')
  })

  test('has one text in a cell of several lines', async () => {
    const name = regexRule('X', 'Anna\\s+Berg')
    const lines = (...texts: string[]) => `<table:table-cell>${texts.join('')}</table:table-cell>`
    const p = (line: string) => `<text:p>${line}</text:p>`
    const bold = '<text:span text:style-name="T1">Berg</text:span>'
    for (const [before, after] of [
      [lines(p('a Anna'), p('Berg b'), p('c')), lines(p('a [X] b'), p('c'))],
      [
        lines(p('a'), '<text:p text:style-name="P1">Anna</text:p>', p('Berg')),
        lines(p('a'), '<text:p text:style-name="P1">[X]</text:p>'),
      ],
      [lines(p('Anna'), p(`${bold} b`)), lines(p('[X]<text:span text:style-name="T1"></text:span> b'))],
      [lines(p('Anna'), '<text:p/>', p('Berg')), lines(p('[X]'))],
      [lines(p('Anna'), p(' '), p('Berg')), lines(p('[X]'))],
      [lines(p('Anna<text:line-break/>b'), p('Berg')), lines(p('Anna<text:line-break/>b'), p('Berg'))],
    ] as const) {
      const { tables } = await clean(sheet(row(before)), [name])
      expect(tables).toBe(sheet(row(after)))
    }
    const whole = regexRule('X', 'Anna', { columns: ['1'], replace: 'cell' })
    const { tables } = await clean(sheet(row(lines(p('b'), p('Anna'), p('c')))), [whole])
    expect(tables).toBe(sheet(row(lines(p('[X]')))))
  })

  test('says by their new names what its settings are for', async () => {
    const item = (name: string, value: string) =>
      `<config:config-item config:name="${name}">${value}</config:config-item>`
    const entry = (name: string) =>
      `<config:config-item-map-entry config:name="${name}">${item('ZoomValue', '100')}</config:config-item-map-entry>`
    const settings = (one: string, two: string) =>
      `<a xmlns:config="${oasis}:config:1.0">${entry(one)}${entry(two)}${item('ActiveTable', two)}</a>`
    const body = sheet(row(text('a')), 'Anna') + sheet(row(text('b')), 'Anna B')
    const rules = [regexRule('X', 'Anna( B)?', { replacement: { text: 'X' } })]
    const { files, tables } = await clean(body, rules, { 'settings.xml': settings('Anna', 'Anna B') })
    const [one = '', two = ''] = [...tables.matchAll(/<table:table table:name="([^"]*)"/g)].map(([, name]) => name!)
    expect([one, two]).toEqual(['X', 'X_2'])
    expect(files.get('settings.xml')!.toString()).toContain(settings(one, two))
  })

  test('keeps a value in one column that was replaced in another, and nowhere else', async () => {
    const link =
      '<table:table-cell><text:p><text:a xlink:href="mailto:Anna@b.c">Anna</text:a></text:p></table:table-cell>'
    const rows = header + row(link, text('x'), text('Anna'))
    const parts = { 'Object 1/content.xml': `<a xmlns:text="${oasis}:text:1.0"><text:p>Chart of Anna</text:p></a>` }
    const { tables, files } = await clean(sheet(rows), anna(['name']), parts)
    expect(tables).toContain('mailto:[X]@b.c">[X]<')
    expect(tables).toContain(text('Anna'))
    expect(files.get('Object 1/content.xml')!.toString()).toContain('Chart of [X]')
  })

  test('is written again where what stands before its cells holds their values', async () => {
    const remark =
      '<table:table-cell><office:annotation><text:p>like Anna</text:p></office:annotation><text:p>x</text:p></table:table-cell>'
    const formula = text('y', ' table:formula="of:=&quot;Anna&quot;"')
    const rows = header + row(remark, formula, text('z')) + row(text('x')).repeat(300) + row(text('Anna'))
    const named = await clean(sheet(rows, 'Anna'), anna(['name']))
    expect(named.tables.includes('Anna')).toBe(false)
    expect(named.tables.slice(0, 40)).toContain('table:name="X"')
    expect(named.tables).toContain('like [X]')
    expect(named.result.report.escalated).toEqual([])
    const other = await clean(sheet(rows), anna(['name']))
    expect(other.tables.includes('Anna')).toBe(false)
    expect(other.result.report.escalated).toEqual([{ kind: 'drop', part: 'content.xml' }])
    expect(other.result.report.warnings).toContain('Hidden texts and formulas of cells were taken out as a whole')
  })

  test('keeps groups of rows, charts, formulas, styles and what it finds no value in', async () => {
    const group = `<table:table-row-group>${row(text('x'))}<table:table-row-group>${row(text('Anna'))}</table:table-row-group></table:table-row-group>`
    const body = `<table:table table:name="S" table:style-name="ta1"><table:table-column table:style-name="co1"/><table:table-header-rows>${header}</table:table-header-rows>${group}${row(text('6', ' office:value-type="float" office:value="6" table:formula="of:=2*3"'))}<table:shapes><draw:frame svg:width="5cm" xmlns:svg="${oasis}:svg-compatible:1.0"/></table:shapes></table:table>`
    const { tables } = await clean(body, anna(['name']))
    expect(tables).toBe(body.replace('Anna', '[X]'))
  })

  test('whose namespaces name what is replaced keeps its remarks and formulas whole', async () => {
    const remark =
      '<table:table-cell><office:annotation><text:p>about Anna</text:p></office:annotation><text:p>Anna</text:p></table:table-cell>'
    const own = `<table:table xmlns:a="http://anna.example/ns" xmlns:b="urn:anna" table:name="S">`
    const body = `${own}${row(remark, text('Anna'))}${row(text('b'), text('c', ' table:formula="of:=[.A2]"'))}</table:table>`
    const { tables } = await clean(body, [regexRule('LONGER', 'anna', { flags: 'i' })])
    expect(tables).toBe(body.replaceAll('anna', '%5BLONGER%5D').replaceAll('Anna', '[LONGER]'))
  })

  test('goes on pointing to the same sheets where their names become the same', async () => {
    const formula = (own: string) => `<table:table-cell table:formula="${own}" office:value="1"/>`
    const link = (href: string) =>
      `<table:table-cell><text:p><text:a xlink:href="${href}">x</text:a></text:p></table:table-cell>`
    const of = (one: string, two: string) =>
      sheet(row(formula(`of:=[$'${two}'.B1]+[${one}.B1:.B2]+SUM([$'${two}'.A1:.A3])`) + link(`#'${two}'.A1`)), one) +
      sheet(row(text('b')), two) +
      `<table:named-expressions><table:named-range table:name="n" table:cell-range-address="$${two}.$A$1:.$A$2" table:base-cell-address="$${one}.$A$1"/></table:named-expressions>`
    const { tables } = await clean(of('Anna1', 'Anna2'), [regexRule('X', 'Anna\\d')])
    const [one = '', two = ''] = [...tables.matchAll(/<table:table table:name="([^"]*)"/g)].map(([, name]) => name!)
    expect([one, two].sort()).toEqual(['X', 'X_2'])
    expect(tables.replaceAll('&apos;', "'")).toBe(of(one, two))
  })

  test('has no value of theirs in what pages are called after sheets', async () => {
    const styles = (own: string, shown: string) =>
      `<office:document-styles xmlns:office="${oasis}:office:1.0" xmlns:style="${oasis}:style:1.0"><office:master-styles><style:master-page style:name="PageStyle_5f_${own}" style:display-name="PageStyle_${shown}"/></office:master-styles></office:document-styles>`
    const parts = { 'styles.xml': styles('Anna_20_Meier', 'Anna Meier') }
    for (const pattern of ['Anna Meier', '\\bAnna Meier\\b']) {
      const { files } = await clean(sheet(row(text('b')), 'Anna Meier'), [regexRule('X', pattern)], parts)
      expect(files.get('styles.xml')!.toString()).toBe(styles('_5b_X_5d_', '[X]'))
    }
  })

  test('of another spelling is read all the same', async () => {
    const body = sheet(header + row(text('Anna'), text('x'), text('Anna')))
    const bytes = readZip(makeOdf('spreadsheet', body)).get('content.xml')!.toString()
    const renamed = bytes.replace(/(<\/?| )table:/g, '$1t:').replace('xmlns:table=', 'xmlns:t=')
    const input = bufferInput('t.ods', makeOdf('spreadsheet', '', { 'content.xml': renamed }))
    const { output, findings } = await anonymise(call({ input, rules: anna(['name']), assetType: 'TABLE' }))
    expect(findings[0]!.count).toBe(1)
    const written = readZip(await output.read(0, output.size))
      .get('content.xml')!
      .toString()
    expect(written).toBe(renamed.replace('Anna', '[X]'))
  })
})

const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const ready = has('soffice')
if (!ready) console.log('skipped: LibreOffice is not here')

test.skipIf(!ready)('LibreOffice reads the same cells, but the replaced ones', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ods-'))
  const convert = (to: string, file: string) =>
    execFileSync(
      'nice',
      [
        'soffice',
        `-env:UserInstallation=file://${folder}/profile`,
        '--headless',
        '--convert-to',
        to,
        '--outdir',
        folder,
        file,
      ],
      { stdio: 'ignore' },
    )
  try {
    const lines = [
      'name,born,mail,sum,sum2',
      ...Array.from(
        { length: 400 },
        (_, n) => `Anna ${n % 7},19${10 + (n % 80)}-02-03,a${n}@b.example,${n % 3},${n % 3}`,
      ),
    ]
    writeFileSync(join(folder, 'a.csv'), lines.join('\n'))
    convert('ods', join(folder, 'a.csv'))
    const input = bufferInput('a.ods', readFileSync(join(folder, 'a.ods')))
    const rules = [
      regexRule('X', 'Anna', { columns: ['name'] }),
      regexRule('M', 'a1?\\d@b', {}),
      regexRule('N', '^1$', { columns: ['sum2'] }),
    ]
    const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
    writeFileSync(join(folder, 'b.ods'), await output.read(0, output.size))
    for (const name of ['a', 'b']) convert(`csv:Text - txt - csv (StarCalc):44,34,76`, join(folder, `${name}.ods`))
    const expected = readFileSync(join(folder, 'a.csv'), 'utf8')
      .split('\n')
      .map(line =>
        line
          .replace('Anna', '[X]')
          .replace(/\ba1?\d@b/, '[M]')
          .replace(/,1$/, ',[N]'),
      )
    expect(readFileSync(join(folder, 'b.csv'), 'utf8').split('\n')).toEqual(expected)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('what a cell holds for programs', () => {
  const number = ' office:value-type="float" office:value="20040608"'
  const day = ' office:value-type="date" office:date-value="2004-06-08"'
  const chart = (values: string) =>
    `<office:document-content xmlns:office="${oasis}:office:1.0" xmlns:table="${oasis}:table:1.0" xmlns:text="${oasis}:text:1.0" xmlns:style="${oasis}:style:1.0" xmlns:chart="${oasis}:chart:1.0"><office:automatic-styles><style:style style:name="ch1"><style:chart-properties chart:minimum="38146" chart:visible="true"/></style:style></office:automatic-styles><office:body><office:chart>${sheet(row(values))}</office:chart></office:body></office:document-content>`
  const cell = (value: string) => text(value, ` office:value-type="float" office:value="${value}"`)

  const kinds = [
    ['a plain row', ''],
    ['a row with a formula', text('3', ' table:formula="of:=1+2" office:value-type="float" office:value="3"')],
  ] as const

  test.each(kinds)('goes from charts, conditions and names, too, of %s', async (_, more) => {
    const names = `<table:named-expressions><table:named-expression table:name="n" table:expression="20040608"/></table:named-expressions>`
    const rows = row(text('2004-06/08', number), text('8 June 2004', day), more)
    const rules = [regexRule('X', '2004-06/08'), regexRule('Y', '8 June 2004')]
    const object = chart(cell('20040608') + cell('38146') + cell('30000'))
    const { files, tables } = await clean(sheet(rows) + names, rules, { 'Object 1/content.xml': object })
    expect(tables + files.get('Object 1/content.xml')).not.toMatch(/20040608|2004-06-08|38146/)
    expect(files.get('Object 1/content.xml')!.toString()).toContain(cell('30000'))
    expect(files.get('Object 1/content.xml')!.toString()).toContain('<style:chart-properties chart:visible="true"/>')
  })

  test.each(kinds)('leaves the words of all its kind, and the rest of its text, of %s', async (_, more) => {
    const amount = ' office:value-type="currency" office:currency="CHF" office:value="4200"'
    const truth = ' office:value-type="boolean" office:boolean-value="true"'
    const expression = (one: string) =>
      `<table:named-expressions><table:named-expression table:name="n" table:expression="IF([.A1]=&quot;CHF&quot;;&quot;${one} of Zyro&quot;;&quot;true&quot;)"/></table:named-expressions>`
    const symbol = '<number:currency-symbol>CHF</number:currency-symbol>'
    const styles = `<a xmlns:number="${oasis}:datastyle:1.0">${symbol}</a>`
    const rows = row(text('4200.00 CHF', amount), text('so it is', truth), text('Ida of Zyro'), more)
    const rules = [regexRule('X', '4200.00|so|Ida')]
    const { files, tables } = await clean(sheet(rows) + expression('Ida'), rules, { 'styles.xml': styles })
    expect(tables).toContain(text('[X] CHF', ' office:value-type="string"'))
    expect(tables).toContain(expression('[X]'))
    expect(files.get('styles.xml')!.toString()).toContain(symbol)
  })

  const shownText = (...texts: string[]) => texts.map(one => `<number:text>${one}</number:text>`).join('')
  const numberStyle = (content: string) =>
    `<a xmlns:number="${oasis}:datastyle:1.0" xmlns:style="${oasis}:style:1.0"><number:number-style style:name="N2">${content}</number:number-style></a>`
  const fill = '<number:fill-character> </number:fill-character>'
  const digits = '<number:number/>'
  const noFill = '<number:fill-character></number:fill-character>'

  test.each([
    [shownText('4471', '-9923'), shownText('[M]', '')],
    [shownText('Ilvar ') + fill + shownText('Sorn ') + digits, shownText('[P]') + noFill + shownText(' ') + digits],
    [shownText('4471') + digits + shownText('-9923'), shownText('4471') + digits + shownText('-9923')],
  ])('loses what a style of numbers shows side by side: %s', async (content, expected) => {
    const rules = [regexRule('P', 'Ilvar Sorn'), regexRule('M', '4471-9923')]
    const { files } = await clean(sheet(row(text('a'))), rules, { 'styles.xml': numberStyle(content) })
    expect(files.get('styles.xml')!.toString()).toBe(numberStyle(expected))
  })

  test('is read again with what a style of numbers shows side by side', () => {
    const content = shownText('Ilvar ') + fill + shownText('So', 'rn ') + digits + shownText('a')
    const texts = rereadOdf(numberStyle(content), 'styles.xml').segments.map(segment => segment.text)
    expect(texts).toContain('Ilvar Sorn ')
  })
})
