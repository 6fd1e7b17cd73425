import { recognise, recognisers } from '../../../shared/engine/recognisers/index.ts'
import { random } from '../models/varied.ts'
import { valid } from './vectors.ts'

const rows = new Map(recognisers.map(row => [row.name, row]))

/** What the recogniser of this name says of a value after its first context word. */
export function ask(name: string, value: string) {
  const row = rows.get(name)!
  const text = `${row.context?.[0] ?? 'value'}: ${value}`
  const match = Array.from(text.matchAll(row.pattern)).find(found => (found.groups?.value ?? found[0]) === value)
  return { text, matched: match !== undefined, passes: match !== undefined && (row.valid?.(value) ?? true) }
}

/**
 * Up to 20 numbers of each recogniser that checks a sum, and as many look-alikes whose sum is wrong: how many were found,
 * missed, and taken by mistake.
 */
export function measureChecksums(): { found: number; missed: number; wrong: number } {
  const count = { found: 0, missed: 0, wrong: 0 }
  for (const [name, sample] of Object.entries(valid)) {
    const row = rows.get(name)!
    const next = random(sample.length * 7919 + name.length)
    for (let good = 0, bad = 0, tries = 0; (good < 20 || bad < 20) && tries < 40_000; tries++) {
      const value = sample.replace(/\d/g, digit => (next() < 0.5 ? digit : String(Math.floor(next() * 10))))
      const passes = row.valid!(value)
      if (passes ? good++ >= 20 : bad++ >= 20) continue
      const { text, matched } = ask(name, value)
      if (passes && !matched) continue // a change of its date or region that the pattern rightly refuses
      const reported = recognise(text, { threshold: 0.5 }).some(
        one => text.slice(one.start, one.end).includes(value) && one.evidence.by === 'checksum',
      )
      if (passes && reported) count.found++
      else if (passes) count.missed++
      // Another country's number of the same shape may prove the same digits; that is no mistake of this one.
      else if (reported && recognise(text, { threshold: 0.5 }).some(one => one.evidence.pattern === name)) count.wrong++
    }
  }
  return count
}
