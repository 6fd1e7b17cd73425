// npm run bench:tables [-- ROWS]: tables of several formats through the whole of anonymise(), with verification, beside a
// plain program that reads, replaces and writes the same with well-known libraries and verifies nothing. Each measurement
// is a process of its own; `ROWS` (1,000,000 unless given) is for all but CSV.
import { spawnSync } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { anonymise } from '../shared/engine/anonymise.ts'
import { fileInput, fileOutput } from '../shared/engine/input.ts'
import { peakMegabytes } from './peak.ts'
import { makeOds, makeParquet, makeXlsx } from './table-makers.ts'
import { csvLoop, packageCopy, parquetCopy } from './table-peers.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

requireGenerator()

const peers = { csv: csvLoop, xlsx: packageCopy, ods: packageCopy, parquet: parquetCopy }
type Kind = keyof typeof peers

const rules = (kind: Kind) => {
  const all = patterns()
  const names = kind === 'csv' ? ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO'] : ['EMAIL', 'PHONE_US']
  return names.map(name => ({ name, pattern: all.get(name)! }))
}

async function ours(kind: Kind, path: string): Promise<number> {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const planned = rules(kind).map(({ name, pattern }) => ({
    ruleId: name,
    name,
    detection: { type: 'REGEX' as const, pattern },
    replacement: { text: `[${name}]` },
  }))
  const { findings } = await anonymise({
    input: await fileInput(path),
    plan: { rules: planned, assetType: 'TABLE' },
    secrets: { hash: key, pseudonym: key },
    numbering: { number: async keys => keys.map((_, index) => index + 1) },
    signal: new AbortController().signal,
    workspace: {
      async create(name) {
        const target = scratch(`${name}.${kind}`)
        const output = fileOutput(target)
        return { output, input: () => output.close().then(() => fileInput(target)) }
      },
    },
  })
  return findings.reduce((sum, { count }) => sum + count, 0)
}

async function theirs(kind: Kind, path: string): Promise<number> {
  let replaced = 0
  const regexps = rules(kind).map(({ name, pattern }) => ({ regexp: new RegExp(pattern, 'gu'), by: `[${name}]` }))
  const replace = (cell: string) =>
    regexps.reduce(
      (text, { regexp, by }) =>
        text.replace(regexp, () => {
          replaced++
          return by
        }),
      cell,
    )
  await peers[kind](path, scratch(`plain.${kind}`), replace)
  return replaced
}

/** One measurement, in a process of its own. */
async function measure(side: string, kind: Kind, path: string): Promise<void> {
  const begun = performance.now()
  const before = process.cpuUsage()
  const replaced = await (side === 'ours' ? ours : theirs)(kind, path)
  const { user, system } = process.cpuUsage(before)
  const figures = { replaced, cpu: (user + system) / 1e6, wall: (performance.now() - begun) / 1000 }
  console.log(JSON.stringify({ ...figures, megabytes: peakMegabytes() }))
}

async function compare(rows: number): Promise<void> {
  const made = async (name: string, make: (path: string) => void | Promise<void>) => {
    const path = scratch(name)
    if (!existsSync(path)) await make(path)
    return path
  }
  const files: [Kind, string, string][] = [
    ['csv', '100 MB × 12 columns', workload('table100.csv', 'csv', '--mb', '100')],
    ['xlsx', `${rows} rows × 6 columns`, await made(`rows${rows}.xlsx`, path => makeXlsx(path, rows))],
    ['ods', `${rows} rows × 6 columns`, await made(`rows${rows}.ods`, path => makeOds(path, rows))],
    ['parquet', `${rows} rows × 8 columns`, await made(`rows${rows}.parquet`, path => makeParquet(path, rows))],
  ]
  for (const [kind, what, path] of files) {
    console.log(`${kind}: ${what}, ${(statSync(path).size / 1e6).toFixed(0)} MB, ${rules(kind).length} rules`)
    const cpu: number[] = []
    for (const side of ['ours', 'theirs']) {
      const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, side, kind, path], {
        encoding: 'utf8',
      })
      if (!stdout.startsWith('{')) {
        console.log(`  ${side}: failed: ${stderr.split('\n').find(line => line.includes('Error')) ?? 'no answer'}`)
        continue
      }
      const figures = JSON.parse(stdout) as Record<'replaced' | 'cpu' | 'wall' | 'megabytes', number>
      cpu.push(figures.cpu)
      const name = side === 'ours' ? 'anonymise(), verified' : 'plain, unverified'
      const times = `${figures.cpu.toFixed(1)} s of CPU time, ${figures.wall.toFixed(1)} s wall`
      console.log(`  ${name}: ${times}, peak ${figures.megabytes.toFixed(0)} MB, ${figures.replaced} replaced`)
    }
    if (cpu.length === 2) console.log(`  anonymise / plain, speed by CPU: ${(cpu[1]! / cpu[0]!).toFixed(2)}`)
  }
}

const [first, kind, path] = process.argv.slice(2)
if (kind !== undefined) await measure(first!, kind as Kind, path!)
else await compare(Number(first ?? 1_000_000))
