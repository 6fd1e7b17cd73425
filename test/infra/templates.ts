import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    templatesFolder: string
  }
}

/** Gives the run a folder for the templates that were synthesised in it, which files of tests share. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'))
  project.provide('templatesFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
