import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Job } from './damaged-files-child.ts'
import { type Ended, guarded } from './guarded.ts'

// What becomes of files with faults: some bytes of each are cut, repeated, overwritten or replaced by marks and numbers, in
// archives within a part. Whatever comes, each must come out or be refused by name, in bounded time and memory. What did not is
// told with its seed. Arguments: folders; figures come for each ending of a name.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Endings of the files that are taken; all by default. */
    endings: { type: 'string', default: '' },
    /** Most bytes of a file that is taken. */
    largest: { type: 'string', default: '200000' },
    /** Files of each ending, spread over all. */
    files: { type: 'string', default: '50' },
    /** Times that each is damaged. */
    times: { type: 'string', default: '4' },
    /** The first seed. */
    seed: { type: 'string', default: '1' },
    /** Seconds of processor time beyond which a file is told of, and after twice which it is given up. */
    seconds: { type: 'string', default: '10' },
    /** Memory of a process beyond which a file is told of, megabytes (2^20 bytes). */
    memory: { type: 'string', default: '1024' },
  },
})

const [largest, most, times, seed, seconds, memory] = (
  ['largest', 'files', 'times', 'seed', 'seconds', 'memory'] as const
).map(name => Number(values[name])) as [number, number, number, number, number, number]
const endings = values.endings.split(',').filter(ending => ending !== '')

const endingOf = (path: string): string => extname(path).slice(1).toLowerCase()

const filesIn = (folder: string): string[] => {
  if (existsSync(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map(name => join(folder, name))
      .filter(path => statSync(path).isFile() && statSync(path).size <= largest)
  console.log(`skipped: ${folder} is not there`)
  return []
}

const spread = (paths: string[]): string[] => {
  const step = Math.max(1, paths.length / most)
  return Array.from({ length: Math.min(most, paths.length) }, (_, index) => paths[Math.floor(index * step)]!)
}

const programme = fileURLToPath(new URL('./damaged-files-child.ts', import.meta.url))
const child = guarded<Job, Ended>(programme, 2 * seconds)

/** Whether a file came out or was refused by name. */
const isNamed = (kind: string): boolean => /^[a-z_]+$/.test(kind) && kind !== 'internal' && kind !== 'crashed'

type Row = Record<'runs' | 'clean' | 'refused' | 'faults' | 'slow' | 'large', number>

const row = async (paths: string[]): Promise<Row> => {
  const counts: Row = { runs: 0, clean: 0, refused: 0, faults: 0, slow: 0, large: 0 }
  for (const [index, path] of paths.entries()) {
    const whole = await child.check({ path, seed: 0 })
    for (let time = 0; time < times; time++) {
      const job = { path, seed: seed + index * times + time }
      const ended = await child.check(job)
      const faults = {
        faults: !isNamed(ended.kind) && ended.kind !== 'took too long',
        slow: ended.seconds > Math.max(seconds, 2 * whole.seconds),
        large: ended.mebibytes > Math.max(memory, 1.5 * whole.mebibytes),
      }
      counts.runs++
      if (ended.kind === 'clean') counts.clean++
      else if (isNamed(ended.kind)) counts.refused++
      for (const [name, holds] of Object.entries(faults)) if (holds) counts[name as keyof Row]++
      if (Object.values(faults).some(Boolean)) console.log(JSON.stringify({ ...job, ...ended, whole }))
    }
  }
  return counts
}

const all = Object.groupBy(positionals.flatMap(filesIn), endingOf)
const rows: string[] = []
for (const [ending, paths] of Object.entries(all).sort()) {
  if (endings.length > 0 && !endings.includes(ending)) continue
  const { runs, clean, refused, faults, slow, large } = await row(spread(paths!))
  rows.push(`| ${[ending, runs, clean, refused, faults, slow, large].join(' | ')} |`)
  console.error(rows.at(-1))
}
child.close()
console.log('| | damaged | came out | refused by name | other errors | slow | much memory |')
console.log(`|---|---|---|---|---|---|---|\n${rows.join('\n')}`)
