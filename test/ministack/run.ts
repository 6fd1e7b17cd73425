// Deploys the stack to MiniStack by the commands of docs/operating.md, word for word, runs the suites over HTTP against
// it, upgrades it and tears it down: npm run test:ministack. With a version, it deploys that one first and upgrades it before
// the suites run: npm run test:ministack -- HEAD~20

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installMiniStack, type MiniStack, startMiniStack } from '../emulators/ministack.ts'
import { differences } from './known-differences.ts'

const root = join(import.meta.dirname, '../..')
/** Minutes after which the run has failed, whatever it is at. */
const limit = 30

/** What an operator decides, so that the suites meet no limit that they are not about. */
const configuration = [
  'removalPolicy=destroy',
  'rateLimitPerUser=1000000',
  'rateLimitPerAddress=1000000',
  'egressAllow=127.0.0.0/8',
  'fanOutBytes=6291456',
  'chunkBytes=6291456',
]
const suites = ['test/api', 'test/e2e/chunks.test.ts', '--exclude', 'test/api/client-package.test.ts']

const folder = mkdtempSync(join(tmpdir(), 'ministack-'))
let emulator: MiniStack | undefined

async function finish(code: number): Promise<never> {
  await emulator?.stop()
  if (code !== 0 && emulator) console.error(readFileSync(emulator.log, 'utf8').split('\n').slice(-30).join('\n'))
  rmSync(folder, { recursive: true, force: true })
  await run('git', ['worktree', 'prune'], process.env)
  rmSync(join(root, 'administrator.json'), { force: true })
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => finish(1))
setTimeout(() => {
  console.error(`The run takes longer than ${limit} minutes`)
  finish(1)
}, limit * 60_000)

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
  await must(process.execPath, ['test/ministack/survives-upgrade.ts', 'read', kept], env)
}

type Test = { fullName: string; status: string }
type Suite = { testResults: { name: string; status: string; message: string; assertionResults: Test[] }[] }

/** What functions said of their failures, which hold no data of requests. */
const errors = `for group in $(aws logs describe-log-groups --query 'logGroups[].logGroupName' --output text); do
  aws logs filter-log-events --log-group-name "$group" --filter-pattern ERROR --query 'events[].message' --output text |
    tr '\\t' '\\n' | grep '"level":"ERROR"' | tail -5 | cut -c1-900 || true
done`

/** Compares what the suites say with the list of differences; true if nothing fails that isn't in it. */
function judge(report: string): boolean {
  const results = (JSON.parse(readFileSync(report, 'utf8')) as Suite).testResults
  const tests = results.flatMap(file => file.assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  const unexpected = failed.filter(({ fullName }) => !(fullName in differences))
  // A file that fails before its tests skips them all.
  const broken = results.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
  )
  const passed = tests.filter(({ status }) => status === 'passed')
  const count = (list: unknown[]) => `${list.length}`.padStart(4)
  console.log(
    `\n${count(passed)} passed, ${count(failed)} failed, ${tests.length - passed.length - failed.length} skipped`,
  )
  for (const { fullName } of failed) {
    console.log(`- ${fullName}: ${differences[fullName] ?? 'UNEXPECTED'}`)
  }
  for (const { name, message } of broken) console.log(`- ${name}: ${message}: UNEXPECTED`)
  for (const { fullName } of passed.filter(({ fullName }) => fullName in differences)) {
    console.log(`- ${fullName} passes now: take it off the list of differences`)
  }
  return unexpected.length + broken.length === 0 && passed.length > 0
}

async function deployAndTest(): Promise<boolean> {
  // TLS, because the policies of buckets and queues refuse whoever comes without, and the roles enforced.
  emulator = await startMiniStack(join(folder, 'emulator'), 'test', { USE_SSL: '1', AUTH: 'true' })
  const env: NodeJS.ProcessEnv = {
    ...emulator.environment,
    CONFIGURATION: configuration.map(value => `-c ${value}`).join(' '),
    // There is nobody to ask.
    CDK_REQUIRE_APPROVAL: 'never',
    CDK_FORCE: 'true',
    CDK_PROGRESS: 'events',
    CDK_NOTICES: 'false',
    CI: 'true',
  }
  const [version] = process.argv.slice(2)
  const first = version ? await checkOut(version) : root
  await follow('deploy', env, first)
  await must(process.execPath, ['test/ministack/grant-workarounds.ts'], env)
  await follow('administrator', env)
  const login = join(folder, 'administrator.json')
  copyFileSync(join(root, 'administrator.json'), login)
  const administrator = JSON.parse(readFileSync(login, 'utf8')) as Record<'email' | 'password' | 'errorMessage', string>
  if (administrator.errorMessage) throw new Error(`There is no administrator: ${administrator.errorMessage}`)
  const outputs = outputsOf(first)
  const password = randomBytes(15).toString('base64url')
  const [id] = new URL(outputs.BaseUrl!).hostname.split('.')
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
  await must(process.execPath, ['test/ministack/survives-upgrade.ts', 'write', kept], env)
  if (version) await upgrade(env, kept, outputs.BaseUrl)

  const report = join(folder, 'report.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${report}`]
  // One file after the other: MiniStack starts a process for each function that runs at the same moment.
  await run('vitest', ['run', ...suites, '--no-file-parallelism', ...reporters], env)
  const good = judge(report)
  if (!good) await run('bash', ['-c', errors], env)

  await upgrade({ ...env, CONFIGURATION: `${env.CONFIGURATION} -c retentionDays=14` }, kept, outputs.BaseUrl)
  await follow('destroy', env)
  const left = 'aws dynamodb list-tables --output text; aws lambda list-functions --output text'
  await must('bash', ['-c', `left=$(${left}); echo "$left"; [ -z "$left" ]`], env)
  return good
}

const missing = await installMiniStack()
if (missing) {
  console.log(`Skipped: the stack is not deployed to MiniStack, since ${missing}`)
  await finish(0)
}
try {
  const good = await deployAndTest()
  console.log(good ? '\nThe stack works on MiniStack' : '\nThe stack fails on MiniStack where it should not')
  await finish(good ? 0 : 1)
} catch (error) {
  console.error(error)
  await finish(1)
}
