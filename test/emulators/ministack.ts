import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AwsEmulator, clientsOf, withoutAccount } from './aws.ts'
import { freePort, serve } from './process.ts'
import { installPackages } from './python-packages.ts'

const run = promisify(execFile)
const requirements = join(import.meta.dirname, 'requirements.txt')
const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
const python = join(import.meta.dirname, '../../node_modules/.cache', `ministack-${version}`)

/**
 * Makes a Python environment of its own for MiniStack and the AWS CLI, which goes with node_modules. Gives the reason
 * where that can't be: no Python, or nowhere to get packages from.
 */
export async function installMiniStack(): Promise<string | undefined> {
  const marker = join(python, 'installed')
  if (existsSync(marker)) return undefined
  try {
    const { stdout } = await run('python3', ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))'])
    if (!stdout.includes('True')) return 'Python is older than 3.10'
  } catch {
    return 'there is no Python with venv'
  }
  rmSync(python, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', '--without-pip', python])
  try {
    await installPackages(python, requirements)
  } catch (error) {
    return `pip can't install it: ${String((error as { stderr?: string }).stderr)
      .trim()
      .split('\n')
      .at(-1)}`
  }
  writeFileSync(marker, '')
  return undefined
}

/** Starts MiniStack on 127.0.0.1, with a folder for what it keeps. `key` is the access key that may do everything. */
export async function startMiniStack(
  folder: string,
  key = 'test',
  options: NodeJS.ProcessEnv = {},
): Promise<AwsEmulator> {
  const port = await freePort()
  const bin = join(python, 'bin')
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'ministack.log')
  const certificate = join(folder, 'ministack-tls/server.crt')
  const base = {
    ...withoutAccount(bin, key),
    // It makes the certificate when it starts; its functions inherit the trust in it.
    NODE_EXTRA_CA_CERTS: certificate,
  }
  const stop = await serve(join(bin, 'python'), [join(import.meta.dirname, 'serve_ministack.py')], port, log, {
    ...base,
    TMPDIR: folder,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: `${port}`,
    IOT_MTLS_ENABLED: '0',
    LOG_LEVEL: 'WARNING',
    ...options,
  })
  const endpoint = `${options.USE_SSL ? 'https' : 'http'}://127.0.0.1:${port}`
  const environment = {
    ...base,
    ...clientsOf(endpoint),
    AWS_CA_BUNDLE: certificate,
    CURL_CA_BUNDLE: certificate,
  }
  return { endpoint, environment, log, stop }
}
