import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    runFolder: string
  }
}

/** Gives the run a folder for what one file of tests makes and others use too: templates, changed copies of the engine. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'run-'))
  project.provide('runFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
