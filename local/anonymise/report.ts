import { relative } from 'node:path'
import type { Skipped } from './find.ts'
import { hasFailed, labelCounts, type Outcome } from './outcome.ts'
import { placeOf } from './places.ts'
import { printable } from './printable.ts'

/** A path as it is shortest to read from a folder. */
export const shortFrom =
  (from: string) =>
  (path: string): string => {
    const short = relative(from, path)
    return short === '' || short.startsWith('..') ? path : short
  }

/** Breaks a line between words where it is wider than a terminal; what goes on is indented. */
export function wrap(text: string, width: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/^\s*\S+|\S+/gu) ?? []) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `  ${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

/** `4 PERSON, 2 LOCATION`. */
const countsOf = (outcome: Outcome) =>
  labelCounts(outcome)
    .map(({ label, count }) => `${count} ${label}`)
    .join(', ') || 'nothing found'

/** What a report is made of. */
export type Run = {
  outcomes: Outcome[]
  skipped: Skipped[]
  missing: string[]
  from: string
  dryRun: boolean
  diff: boolean
  quiet: boolean
  /** Columns of the terminal that it is for, if any: programs get whole lines. */
  width?: number
}

/** One entry per file: where its output is and what was replaced, why it failed, or why it was left out; and the totals. */
export function reportOf({ outcomes, skipped, missing, from, dryRun, diff, quiet, width = Infinity }: Run): string {
  const short = shortFrom(from)
  const line = (text: string) => wrap(printable(text), width)
  const failed = outcomes.filter(hasFailed)
  const leftOut = [...skipped, ...outcomes.flatMap(({ file, leftOut: why }) => (why ? [{ path: file, why }] : []))]
  const done = outcomes.filter(one => !hasFailed(one) && !one.leftOut)
  const failures = failed.map(({ file, problems }) => line(`FAILED ${short(file)}: ${problems.join('; ')}`))
  if (quiet) return failures.join('\n')
  const lines = done.flatMap(outcome => {
    const { file, output, encoding = 'utf-8', matches = [], dropped = [], warnings = [] } = outcome
    const head = dryRun ? short(file) : `${short(file)} -> ${short(output!)}`
    const removed = dropped.map(({ what, count }) => `${count} ${what}`).join(', ')
    return [
      line(`${head}: ${countsOf(outcome)}`),
      ...(dryRun || diff ? matches.flatMap(match => matchLines(match, diff).map(printable)) : []),
      ...(removed ? [line(`  ${dryRun ? 'would be removed' : 'removed'}: ${removed}`)] : []),
      ...(encoding.startsWith('utf') ? [] : [line(`  read as ${encoding}; --encoding names another`)]),
      ...warnings.map(text => line(`  note: ${text}`)),
    ]
  })
  return [
    ...lines,
    ...leftOut.map(({ path, why }) => line(`Left out ${short(path)}: ${why}`)),
    ...failures,
    ...(missing.length > 0 ? [line(`Not looked for: ${missing.join(', ')}, and whatever no rule describes`)] : []),
    `${done.length} ${dryRun ? 'looked at' : 'anonymised'}, ${failed.length} failed, ${leftOut.length} left out`,
  ].join('\n')
}

/** One match as a row; its value is shown only where it is asked for. */
function matchLines(match: NonNullable<Outcome['matches']>[number], diff: boolean): string[] {
  const row = `  ${placeOf(match).padEnd(16)} ${match.label.padEnd(20)} ${match.score.toFixed(2)} ${match.reason.pattern ?? match.reason.by}`
  const one = (text: string) => text.replace(/\s+/g, ' ')
  return diff ? [row, `    - ${one(match.value)}`, `    + ${one(match.replacement.text)}`] : [row.trimEnd()]
}

/** The same for programs. Holds no values. */
export function jsonOf({ outcomes, skipped, missing, from, dryRun }: Run): string {
  const short = shortFrom(from)
  const files = outcomes.map(({ file, output, certificate, matches, ...told }) => ({
    file: short(file),
    ...(output && { output: short(output) }),
    ...(certificate && { certificate: short(certificate) }),
    ...told,
    ...(dryRun && {
      matches: matches?.map(({ value: _, replacement: __, rule: ___, ...match }) => match),
    }),
  }))
  const leftOut = skipped.map(({ path, why }) => ({ file: short(path), why }))
  return JSON.stringify({ files, leftOut, notLookedFor: missing }, null, 2)
}
