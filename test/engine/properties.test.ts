import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { runs } from '../runs.ts'
import { call, regexRule } from './call.ts'

const patterns = ['a+', 'ab', 'b.a', '\\bc\\w*', '[^a ]{2,3}', '(?<=a)1', 'é|🙂', '1\\b', '\\s\\w', 'c(?<redact>[ab]+)']

const rules = fc.uniqueArray(fc.constantFrom(...patterns), { minLength: 1, maxLength: 4 }).map(chosen =>
  chosen.map((pattern, index) => ({
    pattern,
    rule: regexRule(`rule ${index}`, pattern, { replacement: { text: `‹${index}›` } }),
  })),
)

const text = fc
  .string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', 'é', '🙂', '-'), maxLength: 60, size: 'max' })
  .filter(Boolean)

/** Which UTF-16 units the rules match, by V8 alone. */
function union(subject: string, chosen: { pattern: string }[]): Set<number> {
  const units = new Set<number>()
  for (const { pattern } of chosen) {
    for (const match of subject.matchAll(new RegExp(pattern, 'dgu'))) {
      const [start, end] = match.indices?.groups?.redact ?? [match.index, match.index + match[0].length]
      for (let at = start; at < end; at++) units.add(at)
    }
  }
  return units
}

test('all that matches is replaced, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(text, rules, async (subject, chosen) => {
      const input = bufferInput('note.txt', Buffer.from(subject))
      const result = await anonymise(call({ input, rules: chosen.map(({ rule }) => rule) }))
      const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
      const covered = union(subject, chosen)
      const kept = subject
        .split('')
        .filter((_, at) => !covered.has(at))
        .join('')
      expect(output.replaceAll(/‹\d›/g, '')).toBe(kept)
      // One replacement at least for each unbroken stretch, in its place.
      const stretches = subject
        .split('')
        .map((unit, at) => (covered.has(at) ? '‹' : unit))
        .join('')
        .replaceAll(/‹+/g, '‹')
      expect(output.replaceAll(/(?:‹\d›)+/g, '‹')).toBe(stretches)
      expect(result.findings.reduce((sum, { count }) => sum + count, 0)).toBe(output.match(/‹\d›/g)?.length ?? 0)
    }),
    { numRuns: runs(200) },
  )
})

test('the same values get the same pseudonyms and hashes in every file of a job', async () => {
  const forms = { p: { pseudonym: {} }, h: { hash: {} }, n: { text: '{{n}}' } } as const
  for (const replacement of Object.values(forms)) {
    const rule = regexRule('who', 'Ann|Bob|Jos(?:é|e\u0301)', { replacement })
    const { numbering } = call({ input: bufferInput('x', Buffer.alloc(1)), rules: [] })
    const outputs: string[] = []
    for (const [name, content] of [
      ['a.txt', 'Ann,José'],
      ['b.csv', 'x,y\n1,Ann\n2,Jose\u0301\n3,Bob\n'],
    ] as const) {
      const result = await anonymise(call({ input: bufferInput(name, Buffer.from(content)), rules: [rule], numbering }))
      outputs.push(Buffer.from(await result.output.read(0, result.output.size)).toString())
    }
    const [ann, jose] = outputs[0]!.split(',')
    const bob = outputs[1]!.split('\n')[3]!.split(',')[1]!
    expect(outputs[1]).toBe(`x,y\n1,${ann}\n2,${jose}\n3,${bob}\n`)
    expect(new Set([ann, jose, bob]).size).toBe(3)
  }
})
