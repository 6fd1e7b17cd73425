import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

/** Arrow, the implementation that most programs read Parquet with; `PYTHON` names the interpreter that has it. */
const python = process.env.PYTHON ?? 'python3'
const ready = spawnSync(python, ['-c', 'import pyarrow']).status === 0
if (!ready) console.log('skipped: no Python with pyarrow is here')

describe.skipIf(!ready)('Parquet files of Arrow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const peer = (...words: string[]) =>
    execFileSync(python, [join(import.meta.dirname, 'parquet-peer.py'), ...words], { encoding: 'utf8' })

  test('keep their schema and every column that no rule touches', { timeout: 300_000 }, async () => {
    peer('make', folder)
    const files = readdirSync(folder)
    expect(files).toHaveLength(14)
    for (const name of files) {
      const rules = [regexRule('mail', '\\w+@example\\.org')]
      const input = bufferInput(name, readFileSync(join(folder, name)))
      const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
      writeFileSync(join(folder, 'after'), await output.read(0, output.size))
      const { differ, ...same } = JSON.parse(peer('compare', join(folder, name), join(folder, 'after'))) as {
        differ: string[]
      }
      expect({ name, ...same }).toEqual({ name, schema: true, nulls: true, rows: [2000, 2000] })
      const texts = ['mail', 'tags', 'person', 'people', 'attributes', 'large']
      expect(texts, name).toEqual(expect.arrayContaining(differ))
      expect(differ, name).toContain('mail')
    }
  })
  test.each([[{}], [{ columns: ['a'] }]])('may have several columns of one name: %o', async more => {
    const [before, after] = [join(folder, 'twins.parquet'), join(folder, 'after')]
    peer('twins', before)
    const rules = [regexRule('mail', '\\w+@example\\.org', more)]
    const input = bufferInput('twins.parquet', readFileSync(before))
    const { output } = await anonymise(call({ input, rules, assetType: 'TABLE' }))
    writeFileSync(after, await output.read(0, output.size))
    expect(JSON.parse(peer('show', after))).toEqual([
      ['a', '[mail]', 'x'],
      ['a', 'y', '[mail]'],
      ['n', 1, 2],
    ])
  })
})
