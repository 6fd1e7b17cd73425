import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { hashOf, root } from '../infra/source-hash.ts'
import { waitForFolder } from './lock.ts'
import type { Template } from './template.ts'

/** The stack as synthesised for this machine: its template, and where the code of each function lies. */
export type Assembly = {
  template: Template
  /** Directory of a function's code by the key that its code has in the template. */
  code: ReadonlyMap<string, string>
  /** Where Node.js keeps what it has compiled of that code, for every cloud that runs it. */
  compiled: string
}

/** Assemblies of former states of the sources that are kept, so that going back and forth costs nothing. */
const kept = 6

const dist = join(root, 'dist')

/** What the local cloud decides where an operator would. */
const context = {
  local: true,
  // Any page may ask; the gateway lets those of this machine through only.
  corsOrigins: '*',
  // Emulated, so that what a deployment may have is tried here.
  eventBus: true,
  dropBuckets: '*',
  // The code stays where it was bundled.
  'aws:cdk:disable-asset-staging': true,
}

/** Synthesises the stack, unless that was done before for the same sources. */
export async function assemble(report: (message: string) => void = () => {}): Promise<Assembly> {
  const directory = join(
    dist,
    `local-${hashOf(['{console,functions,infra,shared,verifier}/**/*.{ts,tsx,css}', 'cdk.json', 'package-lock.json', 'local/synth.ts'])}`,
  )
  if (!existsSync(directory)) {
    report('Bundling the functions and synthesising the stack ...')
    const unlock = await waitForFolder(dist)
    try {
      // Another process may have done it meanwhile.
      if (!existsSync(directory)) await synthesise(directory)
    } finally {
      unlock()
    }
  }
  const assembly = await readAssembly(directory)
  const now = new Date()
  for (const used of new Set([directory, ...[...assembly.code.values()].map(dirname)])) await utimes(used, now, now)
  return assembly
}

async function synthesise(directory: string) {
  const { context: configured } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8'))
  const unfinished = join(dist, `unfinished-${randomUUID()}`)
  await promisify(execFile)(process.execPath, ['infra/app.ts'], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: unfinished,
      CDK_CONTEXT_JSON: JSON.stringify({ ...configured, ...context }),
      // What is deployed is validated, by `npm run synth`: it takes most of the time.
      CDK_VALIDATION: 'false',
    },
  })
  await rename(unfinished, directory)
  await forgetOld()
}

async function readAssembly(directory: string): Promise<Assembly> {
  const read = async (name: string) => JSON.parse(await readFile(join(directory, name), 'utf8'))
  const [template, assets] = await Promise.all([
    read('Anonymisation.template.json'),
    read('Anonymisation.assets.json') as Promise<{ files: Record<string, Asset> }>,
  ])
  const code = Object.values(assets.files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }) => [objectKey, resolve(directory, source.path)] as const),
  )
  return { template, code: new Map(code), compiled: join(directory, 'compiled') }
}

type Asset = { source: { path: string }; destinations: Record<string, { objectKey: string }> }

/** Removes what was made from former states of the sources, the oldest first. */
async function forgetOld() {
  for (const prefix of ['local-', 'functions-']) {
    const names = (await readdir(dist)).filter(name => name.startsWith(prefix))
    const dated = await Promise.all(names.map(async name => ({ name, at: (await stat(join(dist, name))).mtimeMs })))
    const old = dated.toSorted((a, b) => b.at - a.at).slice(kept)
    await Promise.all(old.map(({ name }) => rm(join(dist, name), { recursive: true, force: true })))
  }
}
