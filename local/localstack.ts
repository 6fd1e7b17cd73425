// Deploys the stack to LocalStack, which it starts, or to whatever speaks for AWS at AWS_ENDPOINT_URL:
//   npm run deploy:localstack -- [-c name=value ...]
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const configuration = process.argv.slice(2)
// An address, not a name: the names that buckets would get below `localhost` are not known everywhere.
const endpoint = process.env.AWS_ENDPOINT_URL ?? 'http://127.0.0.1:4566'
const env: NodeJS.ProcessEnv = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'eu-central-1',
  ...process.env,
  AWS_ENDPOINT_URL: endpoint,
}
// A profile would lead to a real account.
delete env.AWS_PROFILE

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  if (error) throw new Error(`${command} can't be run: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

if (!process.env.AWS_ENDPOINT_URL) run('docker', 'compose', 'up', '--detach', '--wait')
run('cdk', 'bootstrap', ...configuration)
run('cdk', 'deploy', '--require-approval', 'never', '--outputs-file', 'cdk.out/outputs.json', ...configuration)

const outputs = JSON.parse(readFileSync(join(root, 'cdk.out/outputs.json'), 'utf8')).Anonymisation
const [id] = new URL(outputs.BaseUrl).hostname.split('.')
console.log(`
The first administrator:
  export AWS_ENDPOINT_URL=${endpoint} AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=${env.AWS_REGION}
  ${outputs.FirstAdministrator}
The suites, with the address and password that are then in administrator.json:
  BASE_URL=${endpoint}/_aws/execute-api/${id} FILES_BUCKET=${outputs.FilesBucket} ADMIN_EMAIL=... ADMIN_PASSWORD=... npm run test:all -- test/api test/e2e/chunks.test.ts --no-file-parallelism
`)
