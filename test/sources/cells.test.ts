import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cases, type RowName, rows } from './cells.ts'
import { row } from './row.ts'

test.each(Object.keys(rows) as RowName[])('%s has its suite', name => {
  const texts = readdirSync(import.meta.dirname)
    .filter(file => file.endsWith('.test.ts') && file !== 'cells.test.ts')
    .map(file => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
  const begins = [`conformance('${name}'`, `row('${name}'`, `['${name}',`, `    '${name}',\n`]
  expect(texts.filter(text => begins.some(begin => text.includes(begin)))).toHaveLength(1)
})

test('a suite that leaves a cell out, or tries one that the table leaves out, does not start', () => {
  expect(() => row('PostgreSQL').complete()).toThrow('PostgreSQL: good is tried nowhere, and nothing says why')
  expect(() => row('SFTP').cell('untrusted TLS', async () => {})).toThrow('SFTP: untrusted TLS is not to be tried')
})

test('every cell that is not tried says why', () => {
  for (const one of Object.values(rows) as { untried?: Record<string, string>; standIn?: string[] }[]) {
    for (const [which, reason] of Object.entries(one.untried ?? {})) {
      expect(cases).toContain(which)
      expect(reason).toMatch(/^(does not apply|not tried): \S/)
    }
    for (const which of one.standIn ?? []) expect(cases).toContain(which)
  }
})
