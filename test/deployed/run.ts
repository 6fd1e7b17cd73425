import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { AwsEmulator } from '../emulators/aws.ts'
import { judge, printErrors } from './judge.ts'

/** What the stack is deployed to. */
export type Target = {
  name: string
  /** Gives the reason where it can't be had. */
  install(): Promise<string | undefined>
  /** Starts it, with a folder for what it keeps. */
  start(folder: string): Promise<AwsEmulator>
  /** Runs once the stack is there: a script of what this emulator needs besides. */
  prepare?: string
  /** What it does otherwise than AWS, by the full name of the test that shows it. */
  differences: Record<string, string>
  /** Minutes after which the run has failed, whatever it is at. */
  limit: number
  /** The suites that `--quick` runs, where all of them take too long for each change; nothing is torn down then. */
  quick?: string[]
}

const root = join(import.meta.dirname, '../..')

/** What an operator decides, so that the suites meet no limit that they are not about. */
const configuration = [
  'removalPolicy=destroy',
  'rateLimitPerUser=1000000',
  'rateLimitPerAddress=1000000',
  'egressAllow=127.0.0.0/8',
  'fanOutBytes=6291456',
  'chunkBytes=6291456',
]
/** What a former version may not know: it comes with the upgrade. */
const additions = ['eventBus=true', 'dropBuckets=drop-*']
const asContext = (values: string[]) => values.map(value => `-c ${value}`).join(' ')
/** Suites that no part of AWS has a share in: a client that is built, and bodies that a function refuses by itself. */
const apart = ['test/api/client-package.test.ts', 'test/api/validation.test.ts']
/** Suites that wait for a clock more than for anything else; they run beside the others. */
const waits = ['test/api/clock.test.ts']
/** With more files than this it is no chance that they failed. */
const MOST_AGAIN = 2
const everySuite = [...globSync('test/api/*.test.ts', { cwd: root }), 'test/e2e/chunks.test.ts'].filter(
  file => !apart.includes(file),
)
const { values: options, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true })

const folder = mkdtempSync(join(tmpdir(), 'deployed-'))
let emulator: AwsEmulator | undefined

async function finish(code: number): Promise<never> {
  await emulator?.stop()
  if (code !== 0 && emulator) console.error(readFileSync(emulator.log, 'utf8').split('\n').slice(-30).join('\n'))
  rmSync(folder, { recursive: true, force: true })
  await run('git', ['worktree', 'prune'], process.env)
  rmSync(join(root, 'administrator.json'), { force: true })
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => finish(1))

/** Runs a command, and gives its exit code. */
const run = (command: string, args: string[], env: NodeJS.ProcessEnv, cwd = root): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject).on('exit', code => resolve(code ?? 1))
  })

async function must(command: string, args: string[], env: NodeJS.ProcessEnv, cwd = root): Promise<void> {
  const code = await run(command, args, env, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** The block of docs/operating.md that has a name, as it stands there. */
function block(name: string): string {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const found = new RegExp(`<!-- operating: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(page)
  if (!found) throw new Error(`docs/operating.md has no block ${name}`)
  return found[1]!
}

async function follow(name: string, env: NodeJS.ProcessEnv, cwd = root): Promise<void> {
  console.log(`\n# docs/operating.md: ${name}\n${block(name)}`)
  await must('bash', ['-c', `set -euo pipefail\n${block(name)}`], env, cwd)
}

/** Checks a former version out beside this one; its first command installs the packages that it asks for. */
async function checkOut(version: string): Promise<string> {
  const directory = join(folder, 'former')
  await must('git', ['worktree', 'add', '--detach', directory, version], process.env)
  return directory
}

const outputsOf = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'cdk.out/outputs.json'), 'utf8')).Anonymisation as Record<string, string>

/** Upgrades to this version, and looks whether the address and what is stored are those of before. */
async function upgrade(env: NodeJS.ProcessEnv, kept: string, address: string | undefined): Promise<void> {
  await follow('upgrade', env)
  const { BaseUrl } = outputsOf(root)
  if (BaseUrl !== address) throw new Error(`The address ${address} became ${BaseUrl}`)
  await must(process.execPath, ['test/deployed/survives-upgrade.ts', 'read', kept], env)
}

/** Runs suites one file after the other, for emulators start a process for each function that runs at the same moment. Gives the report. */
async function runSuites(suites: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const report = join(folder, `report-${randomUUID()}.json`)
  // Functions start cold, which takes its time on a busy machine.
  const patience = '--test-timeout=240000'
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${report}`]
  await run('vitest', ['run', ...suites, '--no-file-parallelism', patience, ...reporters], env)
  return report
}

/** Runs the suites against what is deployed, and says whether nothing fails but what the target does otherwise. */
async function testAll(target: Target, env: NodeJS.ProcessEnv): Promise<boolean> {
  const suites = (options.quick && target.quick) || everySuite
  const [waiting, others] = [
    suites.filter(suite => waits.includes(suite)),
    suites.filter(suite => !waits.includes(suite)),
  ]
  // The walks over all endpoints are complete where no emulator stands between.
  const share = { ...env, ...(options.quick && { SHARE_OF_RUNS: '0.34' }) }
  const side = waiting.length > 0 ? [runSuites(waiting, share)] : []
  const wrong = judge(await Promise.all([runSuites(others, share), ...side]), target.differences)
  if (wrong.length === 0) return true
  await run('bash', ['-c', printErrors], env)
  if (wrong.length > MOST_AGAIN) return false
  console.log(`\nOnce more, by themselves: ${wrong.map(file => relative(root, file)).join(', ')}`)
  return judge([await runSuites(wrong, share)], target.differences).length === 0
}

async function deployAndTest(target: Target): Promise<boolean> {
  emulator = await target.start(join(folder, 'emulator'))
  const env: NodeJS.ProcessEnv = {
    ...emulator.environment,
    CONFIGURATION: asContext(positionals.length > 0 ? configuration : [...configuration, ...additions]),
    // There is nobody to ask.
    CDK_REQUIRE_APPROVAL: 'never',
    CDK_FORCE: 'true',
    CDK_PROGRESS: 'events',
    CDK_NOTICES: 'false',
    // `npm run synth` has the same template validated.
    CDK_VALIDATION: 'false',
    CI: 'true',
  }
  const [version] = positionals
  const first = version ? await checkOut(version) : root
  await follow('deploy', env, first)
  if (target.prepare) await must(process.execPath, [target.prepare], env)
  await follow('administrator', env)
  const login = join(folder, 'administrator.json')
  copyFileSync(join(root, 'administrator.json'), login)
  const administrator = JSON.parse(readFileSync(login, 'utf8')) as Record<'email' | 'password' | 'errorMessage', string>
  if (administrator.errorMessage) throw new Error(`There is no administrator: ${administrator.errorMessage}`)
  const outputs = outputsOf(first)
  const password = randomBytes(15).toString('base64url')
  // Some put an address with a port below the id, which is no valid URL.
  const [, id] = /^https:\/\/(\w+)\./.exec(outputs.BaseUrl!)!
  Object.assign(env, {
    BASE_URL: `${emulator.endpoint}/_aws/execute-api/${id}`,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: password,
    NEW_PASSWORD: password,
    FILES_BUCKET: outputs.FilesBucket,
    FUZZ_RUNS: '2',
  })
  await follow('check', env)
  const kept = join(folder, 'kept.json')
  await must(process.execPath, ['test/deployed/survives-upgrade.ts', 'write', kept], env)
  env.CONFIGURATION = asContext([...configuration, ...additions])
  if (version) await upgrade(env, kept, outputs.BaseUrl)
  env.EVENT_BUS = outputsOf(root).EventBus

  const good = await testAll(target, env)
  await upgrade({ ...env, CONFIGURATION: `${env.CONFIGURATION} -c retentionDays=14` }, kept, outputs.BaseUrl)
  // What an emulator takes minutes to remove goes with it.
  if (options.quick && target.quick) return good
  await follow('destroy', env)
  const left = 'aws dynamodb list-tables --output text; aws lambda list-functions --output text'
  await must('bash', ['-c', `left=$(${left}); echo "$left"; [ -z "$left" ]`], env)
  return good
}

/**
 * Deploys the stack by the commands of docs/operating.md, word for word, runs the suites over HTTP against it, upgrades it
 * and tears it down; ends the process. With a version as an argument, it deploys that one first and upgrades it before the
 * suites run; with `--quick` it calls every endpoint in one way and a third of them in each other, and runs some of the suites where the
 * target has it so. Up to two files in which something fails are run once more.
 */
export async function testDeployed(target: Target): Promise<never> {
  setTimeout(() => {
    console.error(`The run takes longer than ${target.limit} minutes`)
    finish(1)
  }, target.limit * 60_000)
  const missing = await target.install()
  if (missing) {
    console.log(`Skipped: the stack is not deployed to ${target.name}, since ${missing}`)
    return finish(0)
  }
  try {
    const good = await deployAndTest(target)
    console.log(
      good ? `\nThe stack works on ${target.name}` : `\nThe stack fails on ${target.name} where it should not`,
    )
    return finish(good ? 0 : 1)
  } catch (error) {
    console.error(error)
    return finish(1)
  }
}
