import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = join(import.meta.dirname, '../../local/action')
const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'))
const made = mkdtempSync(join(tmpdir(), 'action-'))
afterAll(() => rmSync(made, { recursive: true, force: true }))

/** A repository whose first commit holds these files, and a second one these others. */
function repository(before: Record<string, string>, after: Record<string, string>) {
  const root = mkdtempSync(join(made, 'repository-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: root, encoding: 'utf8' })
  const commit = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'a')
    return git('rev-parse', 'HEAD').trim()
  }
  git('init', '--quiet')
  return { root, base: commit(before), head: commit(after) }
}

/** Runs the action's only step as a runner does: the inputs' defaults put in, files for outputs and the summary. */
function runAction(root: string, given: Record<string, string>, base = '') {
  const [step] = action.runs.steps
  const value = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, name) => given[name] ?? action.inputs[name].default)
  const env = Object.fromEntries(Object.entries<string>(step.env).map(([name, text]) => [name, value(text)]))
  if ((given['changed-only'] ?? action.inputs['changed-only'].default) !== 'true') base = ''
  const told = { GITHUB_OUTPUT: join(made, 'output'), GITHUB_STEP_SUMMARY: join(made, 'summary') }
  for (const file of Object.values(told)) writeFileSync(file, '')
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', step.run], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env, ...told, BASE: base, GITHUB_ACTION_PATH: folder },
  })
  const read = (file: string) => readFileSync(file, 'utf8')
  return { status, text: stdout + stderr, output: read(told.GITHUB_OUTPUT), summary: read(told.GITHUB_STEP_SUMMARY) }
}

const letter = 'Dear Grace Miller, write to ada@example.org.\n'

describe('the action for pull requests', { timeout: 120_000 }, () => {
  test('fails where a change brings personal data, and shows places without values', () => {
    const { root, base } = repository({ 'old.txt': letter, 'a.txt': 'x' }, { 'docs/new file.txt': `\n${letter}` })
    const { status, output, summary, text } = runAction(root, {}, base)
    expect(status).toBe(1)
    expect(output).toBe('found=2\nsarif=personal-data.sarif\n')
    expect(summary).toContain('| docs/new file.txt:2 | PERSON |')
    expect(summary).not.toContain('old.txt')
    expect(summary + text).not.toMatch(/Grace|ada@/)
    const { runs } = JSON.parse(readFileSync(join(root, 'personal-data.sarif'), 'utf8'))
    expect(runs[0].results).toHaveLength(2)
  })

  test('passes where nothing is found, also in what cannot be read, which it names', () => {
    const { root, base } = repository({ 'a.txt': letter }, { 'b.txt': 'The weather is fine.\n', 'c.bin': '\0\x01\x02' })
    const { status, output, summary } = runAction(root, {}, base)
    expect([status, output]).toEqual([0, 'found=0\nsarif=personal-data.sarif\n'])
    expect(summary).toContain('- c.bin: unsupported_format')
  })

  test('passes where a change only removes', () => {
    const { root, base } = repository({ 'a.txt': letter, 'b.txt': 'x' }, {})
    execFileSync('git', ['rm', '--quiet', 'a.txt'], { cwd: root })
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '--quiet', '-m', 'b'], {
      cwd: root,
    })
    expect(runAction(root, {}, base)).toMatchObject({ status: 0, output: 'found=0\nsarif=\n' })
  })

  test('looks at everything where told to, or where there is no pull request, and only reports if asked', () => {
    const { root, base } = repository({ 'a.txt': letter }, { 'b.txt': 'x' })
    expect(runAction(root, { 'changed-only': 'false', sarif: '../all.json' }, base)).toMatchObject({ status: 1 })
    expect(runAction(root, { fail: 'false', sarif: '../all.json' })).toMatchObject({
      status: 0,
      output: 'found=2\nsarif=../all.json\n',
    })
  })

  test('finds secrets in files whose names begin with a dot', () => {
    const { root, base } = repository({ 'a.txt': 'x' }, { '.env': 'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\n' })
    expect(runAction(root, { preset: 'secrets' }, base)).toMatchObject({ status: 1 })
  })

  test('ends with 2 where it could look at nothing', () => {
    const { root, base } = repository({ 'a.txt': 'x' }, { 'b.txt': 'y' })
    expect(runAction(root, { preset: 'unheard-of' }, base)).toMatchObject({ status: 2 })
    expect(runAction(root, {}, '--upload-pack=x')).toMatchObject({ status: 2 })
    expect(runAction(root, { paths: 'nowhere', 'changed-only': 'false' })).toMatchObject({ status: 2 })
  })
})
