import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { emfFont, emfText, makeEmf, makeWmf, wmfFont, wmfText } from './metafile-samples.ts'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const ready = has('soffice') && has('pdftotext')
if (!ready) console.log('skipped: LibreOffice or poppler is not here')

const lines = ['Notes by Zacharias Quorum (notary)', 'Garden house']
const files: [string, Buffer][] = [
  ['a.emf', makeEmf([emfFont('Arial'), ...lines.map((line, index) => emfText(line, 20, 40 + 60 * index))])],
  ['b.wmf', makeWmf([wmfFont('Arial'), ...lines.map((line, index) => wmfText(line, 20, 40 + 60 * index))], 500, 72)],
]

describe.skipIf(!ready)('LibreOffice draws metafiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'metafiles-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** What is written there, without blanks: where there are some depends on the fonts of the machine. */
  const seen = (side: string, name: string) =>
    spawnSync('pdftotext', [join(folder, side, `${name}.pdf`), '-'], { encoding: 'utf8' }).stdout.replace(/\s/g, '')

  beforeAll(async () => {
    for (const side of ['before', 'after']) mkdirSync(join(folder, side))
    for (const [name, bytes] of files) {
      const rules = [regexRule('name', 'Zacharias Quorum', { replacement: { text: 'Person' } })]
      const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules }))
      writeFileSync(join(folder, 'before', name), bytes)
      writeFileSync(join(folder, 'after', name), await output.read(0, output.size))
    }
    for (const side of ['before', 'after']) {
      const paths = files.map(([name]) => join(folder, side, name))
      const profile = `-env:UserInstallation=file://${folder}/profile`
      const into = ['--headless', '--convert-to', 'pdf', '--outdir', join(folder, side)]
      execFileSync('nice', ['soffice', profile, ...into, ...paths], { stdio: 'ignore' })
    }
  }, 240_000)

  test.each(files.map(([name]) => name.split('.')[0]!))('%s without the value and with all else', name => {
    expect(seen('before', name)).toMatch(/ZachariasQuorum/)
    const after = seen('after', name)
    expect(after).not.toMatch(/Zacharias|Quorum/i)
    for (const word of ['Notesby', 'Person', 'notary', 'Gardenhouse']) expect(after).toContain(word)
  })
})
