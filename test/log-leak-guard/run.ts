import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { failedFiles } from '../outcome.ts'
import { readFolder } from './folder.ts'
import { findLeaks } from './scan.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    quietFolder: string
  }
}

/** Gives the run a folder for its logs; at its end, searches them for everything that must not be in any. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'quiet-'))
  project.provide('quietFolder', folder)
  return () => {
    try {
      report(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function report(folder: string): void {
  const { canaries, logs } = readFolder(folder)
  const leaks = logs.flatMap(({ name, text }) => findLeaks(text, canaries).map(({ line }) => `${name}: ${line}`))
  const lines = logs.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  if (leaks.length === 0) {
    if (lines > 0) console.log(`${lines} lines of ${logs.length} logs hold none of ${canaries.size} secrets and texts`)
    return
  }
  // No other run may make up for this one.
  rmSync(failedFiles, { force: true })
  throw new Error(`${leaks.length} lines of logs hold what they must not:\n${leaks.slice(0, 20).join('\n')}`)
}
