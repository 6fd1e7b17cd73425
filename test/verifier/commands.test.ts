import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { pathOf } from '../../shared/jobs/certificate/tree.ts'
import { certified, fileOf, jwks } from './made.ts'

const python = process.env.PYTHON ?? 'python3'
const commands: [name: string, program: string, script: string][] = [
  ['npm run verify', process.execPath, 'verifier/main.ts'],
  ...(spawnSync(python, ['--version']).status === 0
    ? [['verify.py', python, 'verifier/verify.py'] as [string, string, string]]
    : []),
]

const folder = mkdtempSync(join(tmpdir(), 'verifier-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = Array.from({ length: 64 }, (_, n) => fileOf(n))
const { certificate, list, lines } = certified(files)
const at = (...names: string[]) => join(folder, ...names)
mkdirSync(at('outputs', 'deep'), { recursive: true })
for (const [n, { content }] of files.entries()) writeFileSync(at('outputs', n % 2 ? 'deep' : '', `${n}.txt`), content)
writeFileSync(at('certificate.json'), certificate)
writeFileSync(at('assets.ndjson'), list)
writeFileSync(at('jwks.json'), jwks)
writeFileSync(at('proof.json'), JSON.stringify({ leaf: lines[7], index: 7, path: pathOf(lines, 7) }))
writeFileSync(at('alone.certificate.json'), certificate)
writeFileSync(at('strange.txt'), 'strange')

describe.each(commands)('%s', (_, program, script) => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, [script, ...args], { encoding: 'utf8' })
    return [status, `${stdout}${stderr}`]
  }

  test('accepts a folder of outputs, one of them, and one by its proof', () => {
    const accepted = [0, expect.stringMatching(/^ACCEPTED/)]
    expect(run(at('certificate.json'), at('outputs'))).toEqual(accepted)
    expect(run(at('certificate.json'), at('outputs', '4.txt'))).toEqual(accepted)
    expect(run(at('alone.certificate.json'), at('outputs', 'deep', '7.txt'), '--proof', at('proof.json'))).toEqual(
      accepted,
    )
  })

  test('refuses what is strange, missing or without its list, and says why', () => {
    const refused = (why: string) => [1, expect.stringMatching(new RegExp(`^REFUSED\\s+${why}: `))]
    expect(run(at('certificate.json'), at('strange.txt'))).toEqual(refused('unknown'))
    expect(run(at('certificate.json'), at('outputs', 'deep'))).toEqual(refused('missing'))
    expect(run(at('alone.certificate.json'), at('outputs', '4.txt'))).toEqual(refused('list'))
    expect(run(at('proof.json'), at('outputs'), '--keys', at('jwks.json'))).toEqual(refused('malformed'))
  })
})

test('npm run verify says where keys are to be had', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['verifier/main.ts', at('certificate.json'), '--keys', at('none.json')],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/none\.json: save .* GET \/\.well-known\/jwks\.json .*--keys/),
  ])
})

test('npm run verify tells programs, and what is wrong with a call', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['verifier/main.ts', ...args], { encoding: 'utf8' })
  const { stdout } = run(at('certificate.json'), at('outputs'), '--json')
  const entry = expect.stringMatching(/^certificate:[0-9a-f]{64}:[0-9a-f]{64}$/)
  expect(JSON.parse(stdout)).toMatchObject({
    accepted: true,
    problems: [],
    statement: { predicate: { job: {} } },
    entry,
  })
  expect(run(at('certificate.json'), at('outputs')).stdout).toContain(`log holds ${JSON.parse(stdout).entry}\n`)
  expect(run(at('certificate.json'), at('outputs'), '--report', at('report.html')).status).toBe(0)
  expect(readFileSync(at('report.html'), 'utf8')).toContain('file 63.txt')
  expect(run(at('certificate.json'), at('strange.txt'), '--report', at('none.html')).status).toBe(1)
  expect(existsSync(at('none.html'))).toBe(false)
  expect([run().status, run('--help').status, run(at('nothing.json')).status]).toEqual([2, 0, 2])
})
