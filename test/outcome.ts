import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Characters of an error's message that are shown; what was compared may be a whole document. */
const SHOWN = 300

const root = join(import.meta.dirname, '..')

/** Where the paths of the files stand that failed in the last run, as a JSON list; nothing is there if none did, or more than files. */
export const failedFiles = join(root, 'node_modules/.cache/failed-tests.json')

/** What went wrong outside of a test. Of a process that died, the cause alone tells how, and which file it ran. */
type Unhandled = { message: string; cause?: { message: string } }

/** Names at the very end what failed: whoever keeps no more than the last lines of a run still learns it. */
export class Outcome implements Reporter {
  private readonly list: string

  constructor(list = failedFiles) {
    this.list = list
  }

  onTestRunStart(): void {
    rmSync(this.list, { force: true })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Unhandled[] = []): void {
    const lines: string[] = []
    const files = new Set<string | undefined>()
    for (const module of modules) {
      const file = module.relativeModuleId
      if (module.state() === 'failed') files.add(file)
      for (const { message } of module.errors()) lines.push(`failed: ${file}: ${short(message)}`)
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'failed') lines.push(`failed: ${file}: ${test.fullName}: ${short(errors[0]?.message ?? '')}`)
      }
    }
    for (const { message, cause } of unhandled) {
      lines.push(`failed outside of a test: ${[message, cause?.message ?? []].flat().map(short).join(' ')}`)
      const [, file] = / running test file (.+?\.test\.ts)/.exec(cause?.message ?? '') ?? []
      files.add(file && relative(root, file))
    }
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
    if (files.size > 0 && !files.has(undefined)) this.keep([...files] as string[])
  }

  private keep(files: string[]): void {
    mkdirSync(dirname(this.list), { recursive: true })
    writeFileSync(this.list, JSON.stringify(files))
  }
}

const short = (message: string) => message.replaceAll(/\s+/g, ' ').slice(0, SHOWN)
