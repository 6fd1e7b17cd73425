import { describe, expect, test } from 'vitest'
import { recognise, recognisers } from '../../../shared/engine/recognisers/index.ts'
import { ask } from './measure.ts'
import { formats, harmless, valid } from './vectors.ts'

const rows = new Map(recognisers.map(row => [row.name, row]))
const all = { threshold: 0, misses: true }

describe('every recogniser', () => {
  test('has a name of its own, a source, and a pattern that is read as Unicode', () => {
    expect(rows.size).toBe(recognisers.length)
    for (const { pattern, source } of recognisers)
      expect([pattern.unicode, pattern.global, source !== '']).toEqual([true, true, true])
  })

  test('that checks a sum has a vector', () => {
    const missing = recognisers.filter(row => row.checksum && row.valid && !valid[row.name] && row.label !== 'SECRET')
    expect(missing.map(row => row.name)).toEqual([])
  })

  test('of numbers that states give is there for at least 20 countries, with their checksums and context words', () => {
    const national = recognisers.filter(row => /^[a-z]{2}\./.test(row.name) && row.checksum && valid[row.name])
    expect(new Set(national.map(row => row.name.slice(0, 2))).size).toBeGreaterThanOrEqual(20)
    expect(national.filter(row => !row.context?.length).map(row => row.name)).toEqual([])
  })

  test('with a context scores higher near one of its words', () => {
    for (const row of recognisers) if (row.near) expect(row.near).toBeGreaterThan(row.score)
  })
})

/** How many of the wrong digits tried a checksum doesn't notice; all others are noticed. */
const unnoticed: Record<string, number> = {
  // These carry digits that the checksum doesn't cover.
  'hu.anum': 9,
  'au.medicare': 3,
  mrz: 24,
  // The remainder 10, or the first digit, stands for two values.
  'lt.asmens': 2,
  'is.kennitala': 1,
  'mx.curp': 1,
  'mx.rfc': 1,
  'th.id': 3,
  'gb.utr': 3,
  'gb.vat': 2,
}

test.each(Object.entries(valid))('%s: %s is found, not with a wrong digit, not cut short', (name, value) => {
  const row = rows.get(name)!
  expect(ask(name, value)).toMatchObject({ matched: true, passes: true })
  const { text } = ask(name, value)
  expect(recognise(text, { threshold: 0.5 }).some(found => text.slice(found.start, found.end).includes(value))).toBe(
    true,
  )
  const changes = Array.from(value.matchAll(/[0-9]/g), ({ index, 0: digit }) =>
    [1, 4, 7].map(step => `${value.slice(0, index)}${(Number(digit) + step) % 10}${value.slice(index + 1)}`),
  ).flat()
  const taken = changes.filter(wrong => ask(name, wrong).passes)
  expect(taken).toHaveLength(unnoticed[name] ?? 0)
  const cut = value.slice(0, -1)
  expect(row.valid!(cut) && ask(name, cut).matched).toBe(false)
})

test.each(Object.entries(formats))('%s: %s is found', (name, value) => {
  const { text, passes } = ask(name, value)
  expect(passes).toBe(true)
  expect(recognise(text, { threshold: 0.5 }).some(found => text.slice(found.start, found.end).includes(value))).toBe(
    true,
  )
})

test.each(harmless)('nothing is found in: %s', text => {
  expect(recognise(text, { threshold: 0.5 })).toEqual([])
})

describe('explanations', () => {
  test('a failed checksum and a missing context word are near misses, with the reason', () => {
    const [card] = recognise('my card 4111 1111 1111 1112', all).filter(one => one.evidence.pattern === 'card')
    expect(card).toMatchObject({ label: 'PAYMENT_CARD', score: 0.05, evidence: { by: 'pattern', context: 'card' } })
    const [bsn] = recognise('111222333', all).filter(one => one.evidence.pattern === 'nl.bsn')
    expect(bsn).toMatchObject({ score: 0.15, evidence: { by: 'checksum', pattern: 'nl.bsn' } })
    const [near] = recognise('BSN 111222333', all).filter(one => one.evidence.pattern === 'nl.bsn')
    expect(near).toMatchObject({ score: 0.93, evidence: { by: 'checksum', context: 'bsn' } })
  })
})

test.each([
  ['+46 70 123 45 67', 'PHONE'],
  ['call (415) 555-2671', 'PHONE'],
  ['tel. 020 7946 0958', 'PHONE'],
  ['Teléfono: 915 55 12 34', 'PHONE'],
])('telephone: %s', (text, label) => {
  expect(recognise(text, { threshold: 0.5 }).map(found => found.label)).toEqual([label])
})

test.each([
  ['thanks @ngozi_a', '@ngozi_a'],
  ['ask @mirek.s about it', '@mirek.s'],
  ['@lena', '@lena'],
  ['hi\n@lena\nsee you', '@lena'],
  ['{"@ngozi_a": 4}', '@ngozi_a'],
  ['ask @type about it', '@type'],
  ['cc @jonas/mirek', '@jonas'],
])('in %j a user has the name %s', (text, name) => {
  expect(recognise(text, { threshold: 0.5 }).map(({ start, end }) => text.slice(start, end))).toEqual([name])
})

test('what is called a number is found whole, however long', () => {
  const uuid = '6f1c2a4e-58cc-4372-a56f-0e02b2c3d479'
  for (const text of [`Record id: ${uuid}.`, `patient ${uuid}, ward 4`])
    expect(recognise(text, { threshold: 0.5 }).map(({ start, end }) => text.slice(start, end))).toContain(uuid)
})

test('hostile texts take time in proportion to their length', () => {
  for (const unit of [
    '1',
    '1 ',
    'a.',
    'a@',
    '@a ',
    '\n@a',
    'npm @a',
    '1-',
    ':1',
    'A1',
    '-----BEGIN PRIVATE KEY-----',
    'eyJa.',
    'http://',
    '(1)',
    '1.1.',
    'id: ',
    'Dr. ',
    'Mr A. ',
    'Frau Aa-Aa ',
  ]) {
    recognise(unit.repeat(Math.ceil(100_000 / unit.length)), { threshold: 0.5 })
  }
}, 120_000)
