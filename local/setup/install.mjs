import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from './progress.mjs'
import { prune } from './prune.mjs'

/** How long the registry may take for its first answer. */
const REGISTRY_MS = 20_000

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/** Whether node_modules holds what package-lock.json asks for (npm touches its own marker file after each install). */
export function installed(root, omitDev) {
  const marker = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(marker)) return false
  if (statSync(marker).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs - 1000) return false
  const { dependencies = {}, devDependencies = {}, workspaces = [] } = read(root, 'package.json')
  const own = workspaces.map(folder => read(root, join(folder, 'package.json')).dependencies)
  const names = Object.keys(Object.assign({}, dependencies, ...own, omitDev ? {} : devDependencies))
  return names.every(name => existsSync(join(root, 'node_modules', name, 'package.json'))) && !lacksNode(root)
}

/** Whether packages are there that only tests and checks need: whoever has them keeps them. */
export function hasDev(root) {
  const marker = join('node_modules', '.package-lock.json')
  return existsSync(join(root, marker)) && Object.values(read(root, marker).packages).some(({ dev }) => dev)
}

/** Installs the packages, showing how far it is, and gives the exit status: 0 when everything is there. */
export async function install(root, omitDev) {
  const { packages } = read(root, 'package-lock.json')
  const wanted = Object.keys(packages).filter(
    path => path && !packages[path].optional && !(omitDev && packages[path].dev),
  )
  const reachable = await registryAnswers(root)
  if (!reachable) console.error("The package registry doesn't answer, so packages are taken from npm's cache.")

  const done = showProgress('Installing packages', wanted.length, () => count(root, wanted))
  // Not `npm ci`: it refuses a lock file that lacks packages of platforms which some registry mirrors don't carry.
  const args = [
    'install',
    '--no-save',
    ...quiet,
    ...(omitDev ? ['--omit=dev'] : []),
    ...(reachable ? [] : ['--offline']),
  ]
  let { status, output } = await npm(root, args)
  // The only install script that is run. .npmrc turns all others off.
  if (status === 0 && lacksNode(root)) {
    const own = await npm(root, [
      'rebuild',
      'node',
      '--ignore-scripts=false',
      ...quiet,
      ...(reachable ? [] : ['--offline']),
    ])
    status = own.status || Number(lacksNode(root))
    output += own.output
  }
  done()
  if (output.trim()) console.error(output.trim())
  if (status === 0) prune(root)
  else if (!reachable) {
    console.error(
      "Not everything is in npm's cache. Check the network, or name a registry: npm config set registry URL",
    )
  }
  return status
}

const read = (root, name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

const count = (root, paths) => paths.filter(path => existsSync(join(root, path, 'package.json'))).length

/** Whether the package that brings Node.js 24 has not fetched it yet. */
function lacksNode(root) {
  const folder = join(root, 'node_modules', 'node')
  return existsSync(folder) && !existsSync(join(folder, 'bin', 'node'))
}

/** Asks the registry for one package, with an empty cache, because npm gives an old answer where it gets no new one. */
async function registryAnswers(root) {
  const cache = mkdtempSync(join(tmpdir(), 'npm-'))
  const { dependencies } = read(root, 'package.json')
  const args = [
    'view',
    Object.keys(dependencies)[0],
    'version',
    '--fetch-retries=0',
    `--fetch-timeout=${REGISTRY_MS}`,
    `--cache=${cache}`,
    ...quiet,
  ]
  const { status } = await npm(root, args, REGISTRY_MS)
  rmSync(cache, { recursive: true, force: true })
  return status === 0
}

/** Runs npm, and gives its exit status and what it printed. */
function npm(root, args, timeout) {
  return new Promise(resolve => {
    const child = spawn('npm', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      timeout,
    })
    let output = ''
    child.stdout.resume()
    child.stderr.on('data', data => {
      output += data
    })
    child.on('error', error => resolve({ status: 127, output: `npm: ${error.message}` }))
    child.on('close', code => resolve({ status: code ?? 1, output }))
  })
}
