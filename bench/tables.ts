// npm run bench:tables: a CSV of 12 columns under 4 rules, the whole of anonymise() with verification, in one thread,
// beside a plain loop: read, split at commas outside of quotes, run V8's own expressions on every cell, join, write.
import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { anonymise } from '../shared/engine/anonymise.ts'
import { fileInput, fileOutput } from '../shared/engine/input.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

requireGenerator()
const megabytes = Number(process.argv[2] ?? 100)
const path = workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
const all = patterns()
const chosen = ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO'].map(name => ({ name, pattern: all.get(name)! }))

type Figures = { cpuMs: number; wallMs: number; peakBytes: number }

/** Runs some work and measures it; memory is looked at every 20 ms. */
async function measured(work: () => Promise<unknown>): Promise<Figures> {
  let peakBytes = 0
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }, 20)
  const before = process.cpuUsage()
  const begun = performance.now()
  await work()
  const wallMs = performance.now() - begun
  const { user, system } = process.cpuUsage(before)
  clearInterval(timer)
  return { cpuMs: (user + system) / 1000, wallMs, peakBytes }
}

const key = createSecretKey(Buffer.alloc(32, 1))
const rules = chosen.map(({ name, pattern }) => ({
  ruleId: name,
  name,
  detection: { type: 'REGEX' as const, pattern },
  replacement: { text: `[${name}]` },
}))
let found = 0
const ours = await measured(async () => {
  const result = await anonymise({
    input: await fileInput(path),
    plan: { rules, assetType: 'TABLE' },
    secrets: { hash: key, pseudonym: key },
    numbering: { number: async keys => keys.map((_, index) => index + 1) },
    signal: new AbortController().signal,
    workspace: {
      async create(name) {
        const output = fileOutput(scratch(`${name}.csv`))
        return { output, input: () => output.close().then(() => fileInput(scratch(`${name}.csv`))) }
      },
    },
  })
  found = result.findings.reduce((sum, { count }) => sum + count, 0)
})

let replaced = 0
const plain = await measured(async () => {
  const regexps = chosen.map(({ name, pattern }) => ({ regexp: new RegExp(pattern, 'gu'), text: `[${name}]` }))
  const output = createWriteStream(scratch('plain.csv'))
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const cells = line.match(/(?:"(?:[^"]|"")*"?|[^,])*(?:,|$)/g) ?? []
    const edited = cells.map(cell =>
      regexps.reduce(
        (text, { regexp, text: by }) =>
          text.replace(regexp, () => {
            replaced++
            return by
          }),
        cell,
      ),
    )
    if (!output.write(`${edited.join('')}\n`)) await once(output, 'drain')
  }
  await new Promise<void>(resolve => output.end(() => resolve()))
})

const { size } = await fileInput(path)
const show = (name: string, { cpuMs, wallMs, peakBytes }: Figures) => {
  const rate = (ms: number) => `${(size / 1000 / ms).toFixed(1)} MB/s`
  console.log(`${name} ${rate(cpuMs)} of CPU time, ${rate(wallMs)} wall, peak ${(peakBytes / 1e6).toFixed(0)} MB`)
}
console.log(
  `${(size / 1e6).toFixed(0)} MB of CSV, 12 columns, 4 rules; replaced ${found}, by the plain loop ${replaced}`,
)
show('anonymise(), verified:', ours)
show('plain loop, unverified:', plain)
console.log(`anonymise / plain, CPU: ${(plain.cpuMs / ours.cpuMs).toFixed(2)}`)
