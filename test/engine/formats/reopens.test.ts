import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const corpus = '../shared/corpus'
const files = [
  'docx/footnotes.docx',
  'docx/delins.docx',
  'pptx/testPPT_diagramData.pptx',
  'xlsx/WithChart.xlsx',
  'xlsx/ExcelPivotTableSample.xlsx',
  'odt/testPhoneNumberExtractor.odt',
]
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const ready = existsSync(corpus) && has('soffice')
if (!ready) console.log('skipped: LibreOffice or the corpus is not here')

describe.skipIf(!ready)('LibreOffice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reopens-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Number of pages that a file has when it is opened and printed. */
  function pages(name: string, bytes: Uint8Array): number {
    writeFileSync(join(folder, name), bytes)
    const profile = `-env:UserInstallation=file://${folder}/profile`
    execFileSync('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, join(folder, name)], {
      stdio: 'ignore',
    })
    const pdf = readFileSync(join(folder, name.replace(/\.\w+$/, '.pdf'))).toString('latin1')
    return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
  }

  test.each(files)('%s opens with as many pages as before', { timeout: 180_000 }, async path => {
    const bytes = readFileSync(`${corpus}/${path}`)
    const name = path.split('/')[1]!
    const rules = [regexRule('x', 'nothing of the kind')]
    const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules, options: { pictures: 'blank' } }))
    const before = pages(`before-${name}`, bytes)
    expect(before).toBeGreaterThan(0)
    expect(pages(`after-${name}`, await output.read(0, output.size))).toBe(before)
  })
})
