import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loggedAt, logKey, witness } from './logged.ts'
import { certified, fileOf, jwks } from './made.ts'

const python = process.env.PYTHON ?? 'python3'
const hasPython = spawnSync(python, ['--version']).status === 0
if (!hasPython) console.log('skipped: Python, which runs the second verifier of the log, is not here')

const folder = mkdtempSync(join(tmpdir(), 'verifier-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const { certificate } = certified([fileOf(0)])
const log = loggedAt(5, 11, certificate)
const rewritten = loggedAt(4, 11, certificate)
const seen = witness('witness.example')
const path = file('certificate.json', certificate)
file('jwks.json', jwks)
file('log-key.json', logKey)
const receipt = file('receipt', log.receipt())
const cosigned = file('cosigned', log.receipt(seen.cosigned(log.checkpoint(11))))
const moved = file('moved', log.receipt().toString().replace('index 5', 'index 6'))
const grown = file('grown', log.receipt().toString().replace('\n11\n', '\n12\n'))
const empty = file('empty', '')
const other = file('other', rewritten.receipt())
const older = (size: number) => ['--checkpoint', file(`checkpoint-${size}`, log.checkpoint(size))]
const consistency = (size: number, of = log) => ['--consistency', file(`${of === log}-${size}`, of.consistency(size))]

const commands: [name: string, run: (receipt: string, ...more: string[]) => string[]][] = [
  ['npm run verify', (shown, ...more) => [process.execPath, 'verifier/main.ts', path, '--receipt', shown, ...more]],
  ...(hasPython
    ? ([['verify_log.py', (shown, ...more) => [python, 'verifier/verify_log.py', path, shown, ...more]]] as [
        string,
        (receipt: string, ...more: string[]) => string[],
      ][])
    : []),
]

describe.each(commands)('%s', (_, command) => {
  const run = (shown: string, ...more: string[]) => {
    const [program, ...args] = command(shown, ...more)
    const { status, stdout, stderr } = spawnSync(program!, args, { encoding: 'utf8' })
    return [status, `${stdout}${stderr}`]
  }
  const refused = (code: string) => [1, expect.stringMatching(new RegExp(`^REFUSED\\s+${code}`))]

  test('finds a certificate in the log, and the log in one that has grown', () => {
    const accepted = [0, expect.stringMatching(/^ACCEPTED[\s\S]*Entry 5 of the log, which had 11 of them/)]
    expect(run(receipt)).toEqual(accepted)
    for (const size of [1, 4, 6, 8]) expect(run(receipt, ...older(size), ...consistency(size))).toEqual(accepted)
    expect(run(receipt, ...older(11))).toEqual(accepted)
    expect(run(cosigned, '--witness', seen.key)).toEqual(accepted)
  })

  test('refuses what does not fit', () => {
    expect(run(moved)).toEqual(refused('receipt'))
    expect(run(grown)).toEqual(refused('log'))
    expect(run(empty)).toEqual([1, expect.stringMatching(/^REFUSED/)])
    expect(run(receipt, ...older(8))).toEqual(refused('log'))
    expect(run(other, ...older(8), ...consistency(8, rewritten))).toEqual(refused('log'))
    expect(run(receipt, '--witness', seen.key)).toEqual(refused('witness'))
  })
})

test('a checkpoint or a witness without a receipt is no check', () => {
  for (const more of [older(8), ['--witness', seen.key]]) {
    const { status, stderr } = spawnSync(process.execPath, ['verifier/main.ts', path, ...more], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('--receipt')])
  }
})
