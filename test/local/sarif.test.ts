import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Outcome, Placed } from '../../local/anonymise/outcome.ts'
import { sarifOf } from '../../local/anonymise/sarif.ts'
import { findingsSarif } from '../../shared/jobs/findings/write-findings.ts'

/** Where npm has installed packages for tests alone; see `.ci/run`. */
const peers = process.env.NPM_PEERS

/** What the published schema of SARIF 2.1.0 finds wrong with a log. */
function problemsOf(log: unknown): unknown {
  const load = createRequire(join(peers!, 'package.json'))
  const Validator = load('ajv')
  const validator = new Validator({ schemaId: 'auto', validateSchema: false, allErrors: true, logger: false })
  validator.addMetaSchema(load('ajv/lib/refs/json-schema-draft-04.json'))
  validator.validate(load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), log)
  return validator.errors
}

const match = (given: Partial<Placed>): Placed => ({
  ...{ start: 0, end: 5, rule: 0, label: 'PERSON', score: 0.9, reason: { by: 'model' }, place: { kind: 'body' } },
  ...{ value: 'Grace', replacement: { start: 0, end: 8, text: '[PERSON]' } },
  ...given,
})

const none = { findings: [], problems: [] }
const outcomes: Outcome[] = [
  {
    ...{ ...none, file: '/home/ada/a b#ü.txt' },
    matches: [match({ line: 3, column: 1 }), match({ line: 4, column: 7, value: 'Grace\nMiller' })],
  },
  { ...none, file: '/elsewhere/b.pdf', matches: [match({ place: { kind: 'ocr', page: 2 } }), match({})] },
  {
    ...none,
    file: '/home/ada/c.docx',
    matches: [match({ label: 'E-mail (own)', place: { kind: 'note', part: 'x.xml' } })],
  },
  { ...none, file: '/home/ada/d.zip', problems: ['unsupported_format: no'] },
]

describe.skipIf(!peers)('SARIF logs are valid by the published schema', () => {
  test('of a dry run', () => {
    expect(problemsOf(JSON.parse(sarifOf(outcomes, '/home/ada')))).toBeNull()
    expect(problemsOf(JSON.parse(sarifOf([], '/home/ada')))).toBeNull()
  })

  test('of the findings of a job', () => {
    const found = { assetId: randomUUID(), ruleId: randomUUID(), rule: 'Names', label: 'PERSON', score: 1 }
    const place = { kind: 'cell', row: 2, column: 'name' } as const
    const finding = { ...found, id: 'a1', reason: { by: 'model' }, place, start: 0, end: 4 } as const
    const page = { findings: [finding], cursor: null, unlisted: [] }
    expect(problemsOf(JSON.parse(findingsSarif(page)))).toBeNull()
    expect(problemsOf(JSON.parse(findingsSarif({ ...page, findings: [] })))).toBeNull()
  })

  test('and others are not', () => {
    const log = JSON.parse(sarifOf(outcomes, '/home/ada'))
    log.runs[0].results[0].level = 'severe'
    expect(problemsOf(log)).not.toBeNull()
  })
})
