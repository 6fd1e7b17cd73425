import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const bin = dirname(process.env.PYTHON ?? '')
const [actionlint, shellcheck] = [join(bin, 'actionlint'), join(bin, 'shellcheck')]
const present = existsSync(actionlint) && existsSync(shellcheck)
if (!present)
  console.log('Skipped: what actionlint and shellcheck say of workflows and scripts; they are not installed')

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

/** What a linter says, on whatever stream; nothing where all is well. */
function lint(command: string, args: string[], { cwd = root, input = '' } = {}): string {
  const { stdout, stderr, error } = spawnSync(command, args, { cwd, input, encoding: 'utf8' })
  if (error) throw error
  return stdout + stderr
}
const actionlintIn = (cwd: string, file: string) => lint(actionlint, ['-shellcheck', shellcheck, file], { cwd })

describe.skipIf(!present)('workflows and scripts', { timeout: 120_000 }, () => {
  const project = mkdtempSync(join(tmpdir(), 'workflows-'))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  beforeAll(() => {
    execFileSync('git', ['init', '--quiet', project])
    mkdirSync(join(project, '.github/workflows'), { recursive: true })
    cpSync(join(root, 'local/action'), join(project, 'local/action'), { recursive: true })
  })

  test.each(readdirSync(join(root, '.github/workflows')))('%s has no fault', name => {
    expect(actionlintIn(root, join('.github/workflows', name))).toBe('')
  })

  test.each(['.ci/run', 'test/emulators/localstack/python.sh'])('the script %s has no fault', script => {
    expect(lint(shellcheck, [script])).toBe('')
  })

  test('the script of the action has no fault', () => {
    const { steps } = parse(read('local/action/action.yml')).runs
    expect(steps.length).toBeGreaterThan(0)
    for (const { shell, run } of steps) expect(lint(shellcheck, ['--shell', shell, '-'], { input: run })).toBe('')
  })

  /** The workflow in the documentation, with the action beside it. */
  const documented = (change: (workflow: string) => string = workflow => workflow) => {
    const [, workflow = ''] = /```yaml\n(on: pull_request\n[\s\S]*?)```/.exec(read('docs/command-line.md')) ?? []
    const own = workflow.replace(/OWNER\/REPOSITORY\/(local\/action)@REF.*/, './$1')
    expect(own).toContain('uses: ./local/action\n')
    writeFileSync(join(project, '.github/workflows/documented.yml'), change(own))
    return actionlintIn(project, '.github/workflows/documented.yml')
  }

  test('the documented workflow uses the action as it is', () => {
    expect(documented()).toBe('')
  })

  test('inputs and outputs that the action lacks are told', () => {
    expect(documented(workflow => workflow.replace('preset:', 'presets:'))).toContain('input "presets" is not defined')
    expect(documented(workflow => workflow.replaceAll('outputs.sarif', 'outputs.report'))).toContain('"report"')
  })
})
