// npm run bench:command [-- MEGABYTES [SMALL]]: the command over a folder of 200 mixed files, from its start to the first output
// and to the last; over a CSV file of so many megabytes (50) by patterns; and over one of SMALL (2) by what knows forms, and by
// models. Each run is a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDocx } from '../test/engine/formats/package.ts'
import type { Figures } from './command-child.ts'
import { columns, makeXlsx, rowOf } from './table-makers.ts'
import { patterns, requireGenerator, scratch, workload } from './workload.ts'

const program = join(import.meta.dirname, 'command-child.ts')

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`

/** Runs the command in a process of its own and tells what it took; `first` is the output that comes first. */
async function measure(name: string, args: string[], first?: string): Promise<void> {
  const begun = performance.now()
  const child = spawn(process.execPath, [program, ...args, '--quiet', '--overwrite'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const told = text(child.stdout)
  const ended = once(child, 'exit')
  let seen = ''
  while (first && child.exitCode === null && seen === '') {
    if (existsSync(first)) seen = `first output after ${seconds(begun)}, `
    await sleep(20)
  }
  const [status] = await ended
  const { cpu, megabytes } = JSON.parse((await told).trim().split('\n').at(-1)!) as Figures
  if (status !== 0) throw new Error(`${name}: ended with status ${status}`)
  console.log(
    `${name}: ${seen}all after ${seconds(begun)}, ${cpu.toFixed(1)} s of CPU time, peak ${megabytes.toFixed(0)} MB`,
  )
}

const letter = (n: number) =>
  rowsOf(n, 20)
    .map(([, name, mail, phone, day]) => `Dear ${name},\nsince ${day} you can be reached at ${mail} or ${phone}.\n`)
    .join('\n')
const rowsOf = (n: number, count: number) => Array.from({ length: count }, (_, row) => rowOf(n * 1000 + row))

/** Ways to make a file, and how many of two hundred are made by each. */
const makers: [count: number, name: string, make: (n: number, path: string) => unknown][] = [
  [60, 'txt', (n, path) => writeFileSync(path, letter(n))],
  [40, 'csv', (n, path) => writeFileSync(path, [columns, ...rowsOf(n, 100)].map(row => `${row.join()}\n`).join(''))],
  [30, 'json', (n, path) => writeFileSync(path, JSON.stringify({ letters: rowsOf(n, 30) }))],
  [30, 'html', (n, path) => writeFileSync(path, `<!doctype html><title>Letter</title><pre>${letter(n)}</pre>`)],
  [20, 'eml', (n, path) => writeFileSync(path, `From: a@example.org\nSubject: Letter ${n}\n\n${letter(n)}`)],
  [10, 'docx', (n, path) => writeFileSync(path, makeDocx(`<w:p><w:r><w:t>${letter(n)}</w:t></w:r></w:p>`))],
  [10, 'xlsx', (_, path) => makeXlsx(path, 100)],
]

/** Makes two hundred files of many formats, letters first. */
async function makeFolder(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  let n = 0
  for (const [count, extension, make] of makers)
    for (let made = 0; made < count; made++) await make(n, join(folder, `${String(n++).padStart(3, '0')}.${extension}`))
  return folder
}

const tableOf = (megabytes: number) => workload(`table${megabytes}.csv`, 'csv', '--mb', String(megabytes))
const sizeOf = (table: string) => `CSV of ${(statSync(table).size / 1e6).toFixed(0)} MB`

requireGenerator()
const [megabytes = 50, small = 2] = process.argv.slice(2).map(Number)
const out = scratch('command-outputs')
rmSync(out, { recursive: true, force: true })
const folder = await makeFolder(scratch('command-folder'))
await measure('200 files, preset default', [folder, '-o', out], join(out, 'command-folder', '000.txt'))
const rules = ['EMAIL', 'PHONE_US', 'CREDIT_CARD', 'DATE_ISO'].flatMap(name => [
  '--rule',
  `${name}=${patterns().get(name)}=[${name}]`,
])
const large = tableOf(megabytes)
await measure(`${sizeOf(large)}, four patterns`, [large, '-o', out, '--only-rules', ...rules])
const table = tableOf(small)
await measure(`${sizeOf(table)}, --model pii-patterns`, [table, '-o', out, '--model', 'pii-patterns'])
await measure(`${sizeOf(table)}, preset default`, [table, '-o', out])
