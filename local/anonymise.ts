import { existsSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import type { Client } from '../shared/api/client.ts'
import type { Rule } from '../shared/api/rules.ts'
import { anonymiseFile, type Outcome } from './anonymise/file.ts'
import { defaultRules, parseRule, ruleBody, type TextRule } from './anonymise/rules.ts'
import { openService } from './anonymise/service.ts'

const USAGE = `npm run anonymise -- FILE... [--rule NAME=PATTERN=TEXT]... [--url http://127.0.0.1:3000]

Anonymises files through the service, on one that answers at the URL or on one started for this run, and writes
NAME.anonymised.EXT beside each. Without --rule a default set of rules is used. A service in the cloud asks for
ANONYMISE_EMAIL and ANONYMISE_PASSWORD in the environment.`

/** Files that are under way at the same time. */
const AT_ONCE = 4

/** Creates the rules and a workflow per type of asset; `remove` takes all of it away again. */
async function prepare(client: Client, texts: TextRule[]) {
  const rules: Rule[] = []
  for (const rule of texts) rules.push(await client.rules.create({ body: ruleBody(rule) }))
  const entries = rules.map(({ id }, n) => ({ ruleId: id, replacement: { text: texts[n]!.text } }))
  const create = (supportedAssetType: 'TABLE' | 'DOCUMENT') =>
    client.workflows.create({ body: { name: 'npm run anonymise', supportedAssetType, config: { rules: entries } } })
  const workflows = { TABLE: await create('TABLE'), DOCUMENT: await create('DOCUMENT') }
  const remove = async () => {
    for (const { id } of Object.values(workflows)) await client.workflows.delete({ workflow_id: id })
    for (const { id } of rules) await client.rules.delete({ rule_id: id })
  }
  return { workflowFor: (type: 'TABLE' | 'DOCUMENT') => workflows[type].id, remove }
}

/** One line per file and rule that found something, and one per failure. */
function report(outcomes: Outcome[]): void {
  const rows = outcomes.flatMap(({ file, output, findings, problems }) => [
    ...findings.filter(({ count }) => count > 0).map(({ name, count }) => ({ file, found: name, count, output })),
    ...(output && findings.every(({ count }) => count === 0) ? [{ file, found: 'nothing', count: 0, output }] : []),
    ...problems.map(problem => ({ file, found: `FAILED ${problem}`, count: undefined, output: undefined })),
  ])
  console.table(rows)
}

async function run(files: string[], texts: TextRule[], url: string): Promise<Outcome[]> {
  const { ANONYMISE_EMAIL: email, ANONYMISE_PASSWORD: password } = process.env
  const service = await openService(url, email && password ? { email, password } : undefined)
  const bar = new SingleBar({ format: '{bar} {value}/{total} files  {file}', hideCursor: true })
  try {
    const { workflowFor, remove } = await prepare(service.client, texts)
    const outcomes: Outcome[] = []
    const left = files.entries()
    bar.start(files.length, 0, { file: '' })
    const worker = async () => {
      for (const [n, file] of left) {
        const failed = (error: Error): Outcome => ({ file, findings: [], problems: [error.message] })
        outcomes[n] = await anonymiseFile(service.client, workflowFor, file).catch(failed)
        bar.increment({ file })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    bar.stop()
    await remove()
    return outcomes
  } finally {
    bar.stop()
    await service.close()
  }
}

try {
  const { positionals: files, values } = parseArgs({
    allowPositionals: true,
    options: { rule: { type: 'string', multiple: true }, url: { type: 'string' }, help: { type: 'boolean' } },
  })
  const missing = files.filter(file => !existsSync(file) || !statSync(file).isFile())
  if (missing.length > 0) throw new Error(`No such file: ${missing.join(', ')}`)
  if (values.help || files.length === 0) {
    console.log(USAGE)
    process.exit(values.help ? 0 : 1)
  }
  const outcomes = await run(files, values.rule?.map(parseRule) ?? defaultRules, values.url ?? 'http://127.0.0.1:3000')
  report(outcomes)
  process.exitCode = outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
