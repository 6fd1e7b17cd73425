import { relative } from 'node:path'
import type { Outcome } from './file.ts'
import type { Skipped } from './find.ts'

const short = (path: string): string => {
  const from = relative(process.cwd(), path)
  return from.startsWith('..') ? path : from
}

/** How much one rule replaced, by label where a label says more than the name of the rule: `6 pii-ner (4 PERSON, 2 CITY)`. */
function countOf({ name, count, labels = [] }: Outcome['findings'][number]): string {
  const told = labels.some(({ label }) => label !== name)
  return `${count} ${name}${told ? ` (${labels.map(({ label, count }) => `${count} ${label}`).join(', ')})` : ''}`
}

/** Whether a file was to be anonymised and isn't. */
export const hasFailed = ({ output, leftOut }: Outcome): boolean => !output && !leftOut

/** One line per file: where its output is and what was replaced, why it failed, or why it was left out; and the totals. */
export function reportOf(outcomes: Outcome[], skipped: Skipped[]): string {
  const done = outcomes.filter(({ output }) => output)
  const failed = outcomes.filter(hasFailed)
  const existing = outcomes.flatMap(({ file, leftOut }) => (leftOut ? [{ path: file, why: leftOut }] : []))
  const leftOut = [...skipped, ...existing]
  const found = ({ findings }: Outcome) =>
    findings
      .filter(({ count }) => count > 0)
      .map(countOf)
      .join(', ') || 'nothing found'
  return [
    ...done.map(outcome => `${short(outcome.file)} -> ${short(outcome.output!)}   ${found(outcome)}`),
    ...leftOut.map(({ path, why }) => `Left out ${short(path)}: ${why}`),
    ...failed.map(({ file, problems }) => `FAILED ${short(file)}: ${problems.join('; ')}`),
    `${done.length} anonymised, ${failed.length} failed, ${leftOut.length} left out`,
  ].join('\n')
}
