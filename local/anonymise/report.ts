import { relative } from 'node:path'
import { addLabels } from 'anonymisation-engine'
import type { Skipped } from './find.ts'
import { hasFailed, type Outcome } from './outcome.ts'
import { placeOf } from './places.ts'

/** Widest line that is written where nobody says how wide the terminal is. */
const WIDTH = 80

/** A path as it is shortest to read from a folder. */
export const shortFrom =
  (from: string) =>
  (path: string): string => {
    const short = relative(from, path)
    return short === '' || short.startsWith('..') ? path : short
  }

/** Breaks a line between words; what goes on is indented. */
export function wrap(text: string, width = WIDTH): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `  ${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

/** How much was replaced by label, whichever rule found it: `4 PERSON, 2 LOCATION`. */
const countsOf = ({ findings }: Outcome) =>
  addLabels(findings.flatMap(({ name, count, labels = [{ label: name, count }] }) => labels))
    .filter(({ count }) => count > 0)
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
}

/** One entry per file: where its output is and what was replaced, why it failed, or why it was left out; and the totals. */
export function reportOf({ outcomes, skipped, missing, from, dryRun, diff, quiet }: Run): string {
  const short = shortFrom(from)
  const failed = outcomes.filter(hasFailed)
  const leftOut = [...skipped, ...outcomes.flatMap(({ file, leftOut: why }) => (why ? [{ path: file, why }] : []))]
  const done = outcomes.filter(one => !hasFailed(one) && !one.leftOut)
  const failures = failed.map(({ file, problems }) => wrap(`FAILED ${short(file)}: ${problems.join('; ')}`))
  if (quiet) return failures.join('\n')
  const lines = done.flatMap(outcome => {
    const head = dryRun ? short(outcome.file) : `${short(outcome.file)} -> ${short(outcome.output!)}`
    const shown = dryRun || diff ? (outcome.matches ?? []).map(match => matchLine(match, diff)) : []
    return [
      wrap(`${head}: ${countsOf(outcome)}`),
      ...shown,
      ...(outcome.warnings ?? []).map(text => wrap(`  note: ${text}`)),
    ]
  })
  return [
    ...lines,
    ...leftOut.map(({ path, why }) => wrap(`Left out ${short(path)}: ${why}`)),
    ...failures,
    ...(missing.length > 0 ? [wrap(`Not looked for: ${missing.join(', ')}, and whatever no rule describes`)] : []),
    `${done.length} ${dryRun ? 'looked at' : 'anonymised'}, ${failed.length} failed, ${leftOut.length} left out`,
  ].join('\n')
}

/** One match as a row; its value is shown only where it is asked for. */
function matchLine(match: NonNullable<Outcome['matches']>[number], diff: boolean): string {
  const row = `  ${placeOf(match).padEnd(16)} ${match.label.padEnd(20)} ${match.score.toFixed(2)} ${match.reason.pattern ?? match.reason.by}`
  const one = (text: string) => text.replace(/\s+/g, ' ')
  return diff ? `${row}\n    - ${one(match.value)}\n    + ${one(match.replacement.text)}` : row.trimEnd()
}

/** The same for programs. Holds no values. */
export function jsonOf({ outcomes, skipped, missing, from, dryRun }: Run): string {
  const short = shortFrom(from)
  const files = outcomes.map(({ file, output, matches, ...told }) => ({
    file: short(file),
    ...(output && { output: short(output) }),
    ...told,
    ...(dryRun && {
      matches: matches?.map(({ value: _, replacement: __, rule: ___, ...match }) => match),
    }),
  }))
  const leftOut = skipped.map(({ path, why }) => ({ file: short(path), why }))
  return JSON.stringify({ files, leftOut, notLookedFor: missing }, null, 2)
}
