import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Outcome } from './pdf-readers-child.ts'

// What poppler and MuPDF still read in outputs: from each input the three most frequent words of either reader are
// replaced, and no output may show one of them to either. Arguments: folders of PDFs.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every so many-th file is taken. */
    every: { type: 'string', default: '1' },
    /** Seconds of processor time after which a file is given up. */
    seconds: { type: 'string', default: '60' },
  },
})

const pdfsIn = (folder: string): string[] => {
  if (existsSync(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.toLowerCase().endsWith('.pdf'))
      .sort()
      .map(name => join(folder, name))
  console.log(`skipped: ${folder} is not there`)
  return []
}

const files = positionals.flatMap(pdfsIn).filter((_, i) => i % Number(values.every) === 0)
const programme = fileURLToPath(new URL('pdf-readers-child.ts', import.meta.url))

/** Most memory that a process ever held, megabytes (2^20 bytes), and the processor time that it took, seconds. */
const usedBy = (pid: number | undefined): { peak: number; cpu: number } => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    return { peak, cpu: (Number(fields[11]) + Number(fields[12])) / 100 }
  } catch {
    return { peak: Number.NaN, cpu: Number.NaN }
  }
}

let child: ChildProcess | undefined

/** What becomes of a file, in a process that the next one takes over unless this one had to be ended. */
const check = (path: string): Promise<Outcome> =>
  new Promise(done => {
    child ??= fork(programme)
    const own = child
    const before = usedBy(own.pid)
    const end = (outcome: Outcome) => {
      clearInterval(timer)
      own.removeAllListeners()
      done(outcome)
    }
    const stop = (kind: string) => {
      child = undefined
      const { peak, cpu } = usedBy(own.pid)
      own.kill('SIGKILL')
      end({ kind, seconds: cpu - before.cpu, mebibytes: peak })
    }
    const timer = setInterval(() => {
      if (usedBy(own.pid).cpu - before.cpu > Number(values.seconds)) stop('took too long')
    }, 500)
    own.once('message', message => end(message as Outcome))
    own.once('exit', () => stop('crashed'))
    own.send(path)
  })

const totals = { files: 0, leaking: 0, touchedFiles: 0, touched: 0, pictures: 0, missing: 0, words: 0 }
const kinds = new Map<string, number>()
for (const path of files) {
  const outcome = await check(path)
  totals.files++
  kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1)
  const { leaks = [], touched = 0, pictures = [], missing = 0, words = 0 } = outcome
  if (leaks.length > 0) totals.leaking++
  if (touched > 0) totals.touchedFiles++
  totals.touched += touched
  totals.pictures += pictures.length
  totals.missing += missing
  totals.words += words
  console.log(JSON.stringify({ path, ...outcome }))
}
child?.kill()
console.log(`${JSON.stringify(totals)} ${JSON.stringify(Object.fromEntries(kinds))}`)
