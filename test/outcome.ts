import type { Reporter, TestModule } from 'vitest/node'

/** Characters of an error's message that are shown; what was compared may be a whole document. */
const SHOWN = 300

/** What went wrong outside of a test. Of a process that died, the cause alone tells how, and which file it ran. */
type Unhandled = { message: string; cause?: { message: string } }

/** Names at the very end what failed: whoever keeps no more than the last lines of a run still learns it. */
export class Outcome implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Unhandled[] = []): void {
    const lines: string[] = []
    for (const module of modules) {
      const file = module.relativeModuleId
      for (const { message } of module.errors()) lines.push(`failed: ${file}: ${short(message)}`)
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'failed') lines.push(`failed: ${file}: ${test.fullName}: ${short(errors[0]?.message ?? '')}`)
      }
    }
    for (const { message, cause } of unhandled)
      lines.push(`failed outside of a test: ${[message, cause?.message ?? []].flat().map(short).join(' ')}`)
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  }
}

const short = (message: string) => message.replaceAll(/\s+/g, ' ').slice(0, SHOWN)
