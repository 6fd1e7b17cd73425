// Runs a command of the project on the project's own Node.js, after installing what a fresh clone lacks:
//   node local/setup.mjs [--omit=dev] COMMAND [ARG...]
// With `--omit=dev` what only tests and checks need is left out, unless it is there. Plain JavaScript without dependencies,
// because it runs before anything is installed and on an older Node.js.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasDev, install, installed } from './setup/install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const omitDev = process.argv[2] === '--omit=dev'
const [command, ...args] = process.argv.slice(omitDev ? 3 : 2)

if (!installed(root, omitDev)) {
  const status = await install(root, omitDev && !hasDev(root))
  if (status !== 0) process.exit(status)
}

/** Room of so many bytes goes back to the system as soon as it is free: glibc reads this when a process starts. */
const memory = { MALLOC_MMAP_THRESHOLD_: '2097152' }
const child = spawn(command, args, {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...memory, ...process.env, PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', error => {
  console.error(`${command}: ${error.message}`)
  process.exit(127)
})
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
