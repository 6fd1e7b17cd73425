import type { Reporter, TestModule } from 'vitest/node'

/** Characters of an error's message that are shown; what was compared may be a whole document. */
const SHOWN = 300

/** Names at the very end what failed: whoever keeps no more than the last lines of a run still learns it. */
export class Outcome implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[] = []): void {
    const lines: string[] = []
    for (const module of modules) {
      const file = module.relativeModuleId
      for (const { message } of module.errors()) lines.push(`failed: ${file}: ${short(message)}`)
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'failed') lines.push(`failed: ${file}: ${test.fullName}: ${short(errors[0]?.message ?? '')}`)
      }
    }
    for (const { message } of unhandled) lines.push(`failed outside of a test: ${short(message)}`)
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  }
}

const short = (message: string) => message.replaceAll(/\s+/g, ' ').slice(0, SHOWN)
