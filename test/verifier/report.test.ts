import { expect, test } from 'vitest'
import { reportOf } from '../../verifier/report.ts'
import { readLeaf, type Statement } from '../../verifier/statement.ts'
import { certified, fileOf } from './made.ts'

const { statement, lines } = certified([fileOf(0), fileOf(1)])
const reported = (change: object = {}, leaf: object = {}) =>
  reportOf({
    statement: { ...statement, predicate: { ...statement.predicate, ...change } } as Statement,
    leaves: lines.map(line => ({ ...readLeaf(line), ...leaf })),
    keyid: 'the key',
  })

test('tells what was looked for, found and checked, and leaves the judgement to people', () => {
  const report = reported({
    counts: { assets: 2, succeeded: 2, failed: 0, findings: 7, labels: [{ label: 'PERSON', count: 7 }] },
  })
  for (const told of [
    'Numbers',
    'REGEX',
    'file 0.txt',
    'file 1.txt',
    '<td>PERSON</td><td>7</td>',
    'the key',
    'Was not measured',
  ])
    expect(report).toContain(told)
  expect(report).toContain('they stay personal data')
  expect(report).not.toMatch(/anonymous|anonymised/i)
})

test('tells what was not done, and the risk before and after', () => {
  const figures = (k: number, average: number) => ({
    ...{ records: 20, k, uniqueness: 0.5 },
    prosecutor: { highest: 1, average, recordsAtRisk: 0.25 },
  })
  const risk = { quasiIdentifiers: ['age', 'town'], threshold: 0.2, before: figures(1, 0.5), after: figures(4, 0.125) }
  const limits = {
    errors: ['encrypted_file'],
    dropped: [{ what: 'macros', count: 3 }],
    ocr: { confidence: 0.3 },
    warnings: 2,
  }
  const report = reported({}, { risk, ...limits })
  for (const told of [
    '<td>left out: macros</td><td>6</td>',
    '<td>failed: encrypted_file</td><td>2</td>',
    'age, town',
    '12.5 %',
  ])
    expect(report).toContain(told)
  expect(report).toContain('<td>files whose pictures could hardly be read</td><td>2</td>')
})

test('shows names as text, whatever they hold, and runs and loads nothing', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const workflow = { rules: [{ name: hostile, detection: { type: hostile }, replacement: { form: hostile } }] }
  const labels = [{ label: hostile, count: 1 }]
  const report = reported(
    { workflow, counts: { labels } },
    { output: { name: hostile, size: 1, sha256: '' }, status: hostile },
  )
  expect(report).not.toMatch(/<(script|img)/)
  expect(report).toContain("default-src 'none'")
  expect(report).not.toMatch(/(src|href)="/)
})
