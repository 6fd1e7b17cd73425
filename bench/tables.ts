// npm run bench:tables [-- ROWS]: tables of several formats through the whole of anonymise(), with verification, beside a
// plain program that reads, replaces and writes the same with well-known libraries and verifies nothing. Each measurement
// is a process of its own, whose code is loaded before; `ROWS` (1,000,000 unless given) is for all but CSV.
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

/** One measurement, in a process of its own, which has loaded its code for a small table of the same kind before. */
async function measure(side: string, kind: Kind, path: string, small: string): Promise<void> {
  await (side === 'ours' ? ours : theirs)(kind, small)
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
  const csv = (megabytes: number) => workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
  const makers = { xlsx: makeXlsx, ods: makeOds, parquet: makeParquet }
  const table = (kind: keyof typeof makers, rows: number) =>
    made(`rows${rows}.${kind}`, path => makers[kind](path, rows))
  const both = async (kind: keyof typeof makers) => [await table(kind, rows), await table(kind, 1000)] as const
  const files: [Kind, string, readonly [string, string]][] = [
    ['csv', '100 MB × 12 columns', [csv(100), csv(1)]],
    ['xlsx', `${rows} rows × 6 columns`, await both('xlsx')],
    ['ods', `${rows} rows × 6 columns`, await both('ods')],
    ['parquet', `${rows} rows × 8 columns`, await both('parquet')],
  ]
  for (const [kind, what, [path, small]] of files) {
    console.log(`${kind}: ${what}, ${(statSync(path).size / 1e6).toFixed(0)} MB, ${rules(kind).length} rules`)
    const cpu: number[] = []
    for (const side of ['ours', 'theirs']) {
      const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, side, kind, path, small], {
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

const [first, kind, path, small] = process.argv.slice(2)
if (kind !== undefined) await measure(first!, kind as Kind, path!, small!)
else await compare(Number(first ?? 1_000_000))
