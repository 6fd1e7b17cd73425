import { relative } from 'node:path'
import type { Outcome } from './file.ts'
import type { Skipped } from './find.ts'

const short = (path: string): string => {
  const from = relative(process.cwd(), path)
  return from.startsWith('..') ? path : from
}

/** One line per file: where its output is and what was replaced, why it failed, or why it was left out; and the totals. */
export function reportOf(outcomes: Outcome[], skipped: Skipped[]): string {
  const [done, failed] = [outcomes.filter(({ output }) => output), outcomes.filter(({ output }) => !output)]
  const found = ({ findings }: Outcome) =>
    findings
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => `${count} ${name}`)
      .join(', ') || 'nothing found'
  return [
    ...done.map(outcome => `${short(outcome.file)} -> ${short(outcome.output!)}   ${found(outcome)}`),
    ...skipped.map(({ path, why }) => `Left out ${short(path)}: ${why}`),
    ...failed.map(({ file, problems }) => `FAILED ${short(file)}: ${problems.join('; ')}`),
    `${done.length} anonymised, ${failed.length} failed, ${skipped.length} left out`,
  ].join('\n')
}
