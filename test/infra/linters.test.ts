import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exhaustive } from '../runs.ts'
import { withoutCopies } from './alike.ts'
import { ofCfnLint, ofCheckov } from './known-findings.ts'
import { everyAddition, synthesise } from './synth.ts'

const bin = dirname(process.env.PYTHON ?? '')
const present = ['cfn-lint', 'checkov'].every(name => existsSync(join(bin, name)))
if (!present) console.log('Skipped: what cfn-lint and checkov say of the template; they are not installed')

type Found = { id: string; at: string }
type OfCfnLint = { Rule: { Id: string }; Location: { Path: (string | number)[] } }[]
type OfCheckov = { results: { passed_checks: unknown[]; failed_checks: { check_id: string; resource: string }[] } }

const folder = mkdtempSync(join(tmpdir(), 'linted-'))
const template = join(folder, 'template.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a linter prints on its standard output, whatever it thinks of the template. */
const lint = (name: string, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 28, cwd: folder, timeout: 240_000 }
    execFile(join(bin, name), args, options, (error: ExecFileException | null, stdout, stderr) => {
      if (stdout === '' || error?.killed) reject(new Error(`${name} gives no report: ${stderr}`))
      else resolve(stdout)
    })
  })

/** Holds what is found against what is known: each finding has its reason, and each reason its finding. */
function judge(found: Found[], known: typeof ofCheckov): void {
  const explained = ({ id, at }: Found) => known.some(one => one.id === id && (one.at?.test(at) ?? true))
  expect(found.filter(one => !explained(one))).toEqual([])
  expect([...new Set(found.map(({ id }) => id))].sort()).toEqual(known.map(({ id }) => id).sort())
}

describe.skipIf(!present)('the template, judged by others', { timeout: 300_000 }, () => {
  beforeAll(() => {
    // The plan that an operator configures nothing of holds fewer resources, and none besides.
    const { apiGatewayLogRole: _, ...additions } = everyAddition
    const synthesised = synthesise(additions).toJSON() as { Resources: Record<string, object> }
    // What linters say of one resource they say of all that are alike; the long run hands them all.
    writeFileSync(template, JSON.stringify(exhaustive ? synthesised : withoutCopies(synthesised)))
  })

  test.concurrent('cfn-lint finds nothing but what is known', async () => {
    const report = JSON.parse(await lint('cfn-lint', '--template', template, '--format', 'json')) as OfCfnLint
    judge(
      report.map(({ Rule, Location }) => ({ id: Rule.Id, at: `${Location.Path[1]}` })),
      ofCfnLint,
    )
  })

  test.concurrent('checkov finds nothing but what is known', async () => {
    const options = ['--framework', 'cloudformation', '--output', 'json', '--compact']
    const { results } = JSON.parse(await lint('checkov', '--file', template, ...options)) as OfCheckov
    expect(results.passed_checks.length).toBeGreaterThan(500)
    judge(
      results.failed_checks.map(({ check_id, resource }) => ({ id: check_id, at: resource })),
      ofCheckov,
    )
  })
})
