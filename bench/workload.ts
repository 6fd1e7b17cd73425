import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const generator = join(import.meta.dirname, '../../shared/tools/gen.mjs')
const folder = join(tmpdir(), 'anonymisation-bench')

/** Ends the process, visibly, where the generator of workloads isn't there. */
export function requireGenerator() {
  if (existsSync(generator)) return
  console.log('skipped: the workload generator (../shared/tools/gen.mjs) is not here')
  process.exit(0)
}

/** The path of a generated workload; made at first use, always the same for the same arguments. */
export function workload(name: string, ...args: string[]): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  if (!existsSync(path)) execFileSync(process.execPath, [generator, ...args, '--out', path], { stdio: 'ignore' })
  return path
}

/** A file to write to. */
export const scratch = (name: string) => join(folder, name)

/** The twenty pattern rules of the workloads, by name. */
export function patterns(): Map<string, string> {
  const rules = JSON.parse(readFileSync(workload('rules20.json', 'rules'), 'utf8')) as {
    name: string
    config: { regexRuleConfig: { pattern: string } }
  }[]
  return new Map(rules.map(({ name, config }) => [name, config.regexRuleConfig.pattern]))
}

/** CPU milliseconds (user and system, all threads of this process) that some work took. */
export function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The middle one of some figures. */
export const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
