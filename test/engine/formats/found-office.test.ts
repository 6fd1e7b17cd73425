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
})
