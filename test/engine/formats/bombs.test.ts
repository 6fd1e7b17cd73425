import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { assetFailures } from '../../../shared/engine/errors.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeOffice, relationships } from './package.ts'

const generator = '../shared/tools/gen.mjs'
const ready = existsSync(generator)
if (!ready) console.log('skipped: the generator of hostile files (../shared/tools/gen.mjs) is not here')

describe.skipIf(!ready)('files made to break a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bombs-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('come out clean or are refused by name, in less than 512 MiB', { timeout: 600_000 }, () => {
    execFileSync(process.execPath, [generator, 'bombs', '--out', folder], { stdio: 'ignore' })
    const files = readdirSync(folder)
    expect(files).toHaveLength(31)
    for (const name of files) {
      const words = [join(import.meta.dirname, 'hostile-child.ts'), join(folder, name)]
      const { stdout, status, signal } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 120_000 })
      expect({ name, status, signal }).toEqual({ name, status: 0, signal: null })
      const { outcome, mebibytes } = JSON.parse(stdout) as { outcome: string; mebibytes: number }
      expect(
        ['clean', ...Object.keys(assetFailures)].filter(one => one !== 'internal'),
        name,
      ).toContain(outcome)
      expect(mebibytes, name).toBeLessThan(512)
    }
  })
})

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A workbook whose cells all show the same item of its shared strings. */
const repeating = (item: string, cells: number) =>
  makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si>${item}</si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(cells)}</sheetData></worksheet>`,
  })

test.each([
  ['plain', (text: string) => `<t>${text}</t>`],
  ['rich', (text: string) => `<r><t>${text}</t></r><r><t>${text}</t></r>`],
])(
  'a workbook whose cells repeat a long %s text is refused by name, one that does so less comes out',
  async (_, item) => {
    const run = (bytes: Buffer) =>
      anonymise(call({ input: bufferInput('a.xlsx', bytes), rules: [regexRule('A', 'Anna')] }))
    await expect(run(repeating(item('nobody '.repeat(150_000)), 12_000))).rejects.toMatchObject({
      type: 'limit_exceeded',
    })
    const { findings } = await run(repeating(item(`Anna ${'nobody '.repeat(2000)}`), 200))
    expect(findings[0]!.count).toBeGreaterThanOrEqual(200)
  },
)

test.each([
  ['a.html', '<html><body>', '<p>nobody wrote a letter</p>\n', '</body></html>'],
  ['a.xml', '<a>', '<p>nobody wrote a letter</p>\n', '</a>'],
  ['a.json', '{"a":"', 'nobody wrote a letter ', '"}'],
  ['a.eml', 'From: a@b.example\r\nSubject: x\r\n\r\n', 'nobody wrote a letter\r\n', ''],
])(
  '%s of more characters than a text can have is refused by name',
  { timeout: 120_000 },
  async (name, head, unit, end) => {
    const bytes = Buffer.alloc(513 * 2 ** 20, unit)
    bytes.write(head)
    bytes.write(end, bytes.length - end.length)
    const input = bufferInput(name, bytes)
    await expect(anonymise(call({ input, rules: [regexRule('A', 'Anna')] }))).rejects.toMatchObject({
      type: 'limit_exceeded',
    })
  },
)
