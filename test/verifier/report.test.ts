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
    histogram: [
      { from: 1, to: 1, classes: 5, records: k === 1 ? 5 : 0 },
      { from: 2, to: 4, classes: 3, records: 8 },
      { from: 5, to: null, classes: 1, records: k === 1 ? 7 : 12 },
    ],
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
    'could hardly be read (confidence below 50 %)',
    '<td>files whose pictures could hardly be read</td><td>2</td>',
    'Records by how many are alike (k). 1: 25 % before, 0 % after; 2–4: 40 % before, 40 % after; 5 or more: 35 % before, 60 % after',
    'Highest: 100 % before, 100 % after; Average: 50 % before, 12.5 % after; Records above 20 %: 25 % before, 25 % after',
  ])
    expect(report).toContain(told)
  expect(report).not.toMatch(/anonymous|anonymised/i)
  // Certificates of earlier versions tell no sizes of classes.
  const { histogram: _, ...earlier } = figures(1, 0.5)
  const without = reported({}, { risk: { ...risk, before: earlier, after: earlier } })
  expect(without).toContain('Average: 50 % before, 50 % after')
  expect(without).not.toContain('how many are alike (k)')
})

test('speaks of anonymised outputs only where no record is above the threshold, and leaves that to an expert', () => {
  const figures = (recordsAtRisk: number) => ({ prosecutor: { recordsAtRisk } })
  const risk = (recordsAtRisk: number) => ({
    risk: { threshold: 0.2, before: figures(1), after: figures(recordsAtRisk) },
  })
  expect(reported({}, risk(0))).toContain('an expert may determine')
  expect(reported({}, risk(0.01))).not.toMatch(/anonymous|anonymised/i)
})

test('tells the languages that models were made for, and leaves the fields of forms blank', () => {
  const model = (modelId: string, languages?: string[]) => ({ modelId, modelVersion: '1', sha256: null, languages })
  const engines = [
    { version: '1', bundle: null, models: [model('ner', ['en', 'fi']), model('own'), model('forms', [])] },
  ]
  const report = reported({ engines })
  expect(report).toContain('The model ner 1 was made for text in en, fi.')
  expect(report).toContain('The model own 1 does not say which languages it was made for.')
  expect(report).not.toContain('model forms 1 ')
  expect(reported()).toContain('No model of a language took part')
  for (const field of ['Determination', 'Date and signature', 'Remaining risk', 'Legal basis'])
    expect(report).toContain(`<th>${field}</th><td></td>`)
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
