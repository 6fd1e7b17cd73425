import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Prints the list of the packages that ship (SBOM, CycloneDX). `npm sbom --omit dev` would leave out what ships and is
// needed by a package of the tests as well, such as zod. So npm is given a lock file without the packages of the tests.
const root = join(import.meta.dirname, '..')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const manifest = { ...read('package.json'), devDependencies: undefined }
const lock = read('package-lock.json')
const packages = Object.entries<{ dev?: boolean }>(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)

const directory = mkdtempSync(join(tmpdir(), 'sbom-'))
try {
  const write = (name: string, content: unknown) => writeFileSync(join(directory, name), JSON.stringify(content))
  write('package.json', manifest)
  write('package-lock.json', {
    ...lock,
    packages: { '': { ...lock.packages[''], devDependencies: undefined }, ...Object.fromEntries(packages) },
  })
  const { status } = spawnSync(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    { cwd: directory, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  process.exitCode = status ?? 1
} finally {
  rmSync(directory, { recursive: true })
}
