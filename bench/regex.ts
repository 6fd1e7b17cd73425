// npm run bench:regex: 100 MB of text, 20 rules, one thread. The engine's search with its watchdog beside a plain loop of
// V8's own expressions over the same pieces of text, rule by rule, and `rg` where it is installed, in turns. CPU time, median of 3 and 5.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { compileRule } from '../shared/engine/detect/regex/rule.ts'
import { createRegexSearch, defaultBudgets } from '../shared/engine/detect/regex/search.ts'
import { cpu, median, patterns, requireGenerator, workload } from './workload.ts'

requireGenerator()
const megabytes = Number(process.argv[2] ?? 100)
const path = workload(`text${megabytes}.txt`, 'text', '--mb', String(megabytes))
/** Texts are searched in pieces of about so many characters (formats/plain/pieces.ts). */
const pieceBytes = 256 * 1024
const bytes = readFileSync(path)
const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
  bytes.toString('utf8', index * pieceBytes, (index + 1) * pieceBytes),
)
const rules = [...patterns()]

function engine(): number[] {
  const compiled = rules.map(([name, pattern], index) => compileRule({ type: 'REGEX', pattern }, index, name, name))
  const search = createRegexSearch(compiled, defaultBudgets, () => [])
  const counts = rules.map(() => 0)
  for (const piece of pieces) for (const { rule, at } of search.find(piece, 0, false)) counts[rule]! += at.length / 2
  return counts
}

function plainLoop(): number[] {
  return rules.map(([, pattern]) => {
    const regexp = new RegExp(pattern, 'gu')
    let count = 0
    for (const piece of pieces) {
      regexp.lastIndex = 0
      while (regexp.exec(piece)) count++
    }
    return count
  })
}

let ours: number[] = []
let plain: number[] = []
const times = { ours: [] as number[], plain: [] as number[] }
for (let round = 0; round < 3; round++) {
  times.ours.push(cpu(() => (ours = engine())))
  times.plain.push(cpu(() => (plain = plainLoop())))
}
const size = bytes.length / 1e6
const rate = (ms: number) => `${((size / ms) * 1000).toFixed(1)} MB/s`
console.log(`${size.toFixed(0)} MB of text, ${rules.length} rules, ${ours.reduce((a, b) => a + b)} matches`)
console.log(`same matches by rule: ${ours.every((count, index) => count === plain[index])}`)
console.log(`engine, watchdog on:  ${rate(median(times.ours))} of CPU time`)
console.log(`plain V8 loop:        ${rate(median(times.plain))} of CPU time`)
console.log(`engine / plain:       ${(median(times.plain) / median(times.ours)).toFixed(2)}`)

/** CPU milliseconds of `rg` on the file: the shell tells those of what it ran. */
function rg(): number {
  const args = ['rg', '-j1', '-c', '--no-unicode', '-o', ...rules.flatMap(([, pattern]) => ['-e', pattern]), path]
  const told = execFileSync('bash', ['-c', 'TIMEFORMAT="%U %S"; { time "$@" > /dev/null; } 2>&1', 'bash', ...args])
  const [user, system] = told.toString().trim().split(' ').map(Number)
  return (user! + system!) * 1000
}

if (spawnSync('rg', ['--version']).error) console.log('rg is not installed: left out')
else {
  const figures = Array.from({ length: 5 }, () => [rg(), cpu(engine)] as const)
  const ratios = figures.map(([theirs, ours]) => theirs / ours)
  console.log(`rg -j1 --no-unicode:  ${rate(median(figures.map(([theirs]) => theirs)))} of CPU time, all rules at once`)
  console.log(
    `engine / rg, in turns: ${ratios.map(ratio => ratio.toFixed(2)).join(' ')}, median ${median(ratios).toFixed(2)}`,
  )
}
