import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AwsEmulator, clientsOf, withoutAccount } from './aws.ts'
import { hasDynamoDBLocal, servers } from './java.ts'
import { freePort, serve } from './process.ts'
import { installPackages } from './python-packages.ts'

const run = promisify(execFile)
const scripts = join(import.meta.dirname, 'localstack')
const requirements = join(scripts, 'requirements.txt')
const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
// Outside the repository: half a gigabyte that all working trees share.
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'anonymisation')
const python = join(cache, `localstack-${version}`)

/** Whether a command is a Python of the syntax that LocalStack is written in. */
async function isRecent(command: string): Promise<boolean> {
  const check = 'import sys, venv; print(sys.version_info >= (3, 12))'
  const { stdout } = await run(command, ['-c', check]).catch(() => ({ stdout: '' }))
  return stdout.includes('True')
}

/** A Python of 3.12 or later: one of the path, or that of Debian 13, unpacked in the user's cache. */
async function findPython(): Promise<string> {
  for (const command of ['python3.13', 'python3.12', 'python3']) if (await isRecent(command)) return command
  const folder = join(cache, 'python-3.13')
  const unpacked = join(folder, 'usr/bin/python3.13')
  if (await isRecent(unpacked)) return unpacked
  rmSync(folder, { recursive: true, force: true })
  await run(join(scripts, 'python.sh'), [folder], { timeout: 300_000 })
  return unpacked
}

/**
 * Makes a Python environment of its own for LocalStack and the AWS CLI, in the user's cache. Gives the reason where that
 * can't be.
 */
export async function installLocalStack(): Promise<string | undefined> {
  if (!hasDynamoDBLocal) return 'DynamoDB Local is not in AWS_SERVERS'
  const marker = join(python, 'installed')
  if (existsSync(marker)) return undefined
  try {
    const command = await findPython()
    rmSync(python, { recursive: true, force: true })
    await run(command, ['-m', 'venv', '--without-pip', python])
  } catch (error) {
    return `there is no Python 3.12 or later: ${lastLine(error)}`
  }
  try {
    // Debian's newer Python has no pip of its own.
    await installPackages(python, requirements)
  } catch (error) {
    return `pip can't install it: ${lastLine(error)}`
  }
  writeFileSync(marker, '')
  return undefined
}

const lastLine = (error: unknown): string =>
  String((error as { stderr?: string }).stderr || error)
    .trim()
    .split('\n')
    .at(-1)!

/** Starts LocalStack on 127.0.0.1, on the host, with a folder for what it keeps. */
export async function startLocalStack(folder: string): Promise<AwsEmulator> {
  const port = await freePort()
  const bin = join(python, 'bin')
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'localstack.log')
  const base = withoutAccount(bin, 'test')
  const endpoint = `http://127.0.0.1:${port}`
  const stop = await serve(join(bin, 'python'), [join(scripts, 'serve.py')], port, log, {
    ...base,
    NODE: process.execPath,
    DYNAMODB_LOCAL: join(servers, 'dynamodb-local'),
    TMPDIR: folder,
    FILESYSTEM_ROOT: join(folder, 'files'),
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    // Addresses that it gives out, such as those of queues.
    LOCALSTACK_HOST: `127.0.0.1:${port}`,
    DNS_ADDRESS: '0',
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    S3_SKIP_SIGNATURE_VALIDATION: '0',
    // Environments that are not called end, for there are more than a hundred functions.
    LAMBDA_KEEPALIVE_MS: '60000',
    LAMBDA_LIMITS_CREATE_FUNCTION_REQUEST_SIZE: '300000000',
  })
  return { endpoint, environment: { ...base, ...clientsOf(endpoint) }, log, stop }
}
