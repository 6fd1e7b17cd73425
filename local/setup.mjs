// Runs a command of the project on the project's own Node.js, after installing what a fresh clone lacks:
//   node local/setup.mjs COMMAND [ARG...]
// Plain JavaScript without dependencies, because it runs before anything is installed and on an older Node.js.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => join(root, ...parts)

/** Whether node_modules is what package-lock.json asks for (npm touches its own marker file after each install). */
function installed() {
  const marker = at('node_modules', '.package-lock.json')
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(at('package-lock.json')).mtimeMs - 1000
}

if (!installed()) {
  console.error('Installing packages ...')
  // Not `npm ci`: it refuses a lock file that lacks packages of platforms which some registry mirrors don't carry.
  const npm = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) process.exit(npm.status ?? 1)
}

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, PATH: at('node_modules', '.bin') + delimiter + process.env.PATH },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', error => {
  console.error(`${command}: ${error.message}`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
