import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggedAt, logKey } from './logged.ts'
import { certified, fileOf, jwks } from './made.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'verifier-package-'))
const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })

const files = [fileOf(0), fileOf(1)]
const { certificate } = certified(files)

beforeAll(() => {
  const packed = npm('pack', join(root, 'verifier'), '--pack-destination', '.', '--ignore-scripts=false').trim()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'auditor', private: true }))
  npm('install', '--offline', `./${packed.split('\n').at(-1)}`)
  mkdirSync(join(folder, 'outputs'))
  for (const { name, content } of files) writeFileSync(join(folder, 'outputs', name), content)
  writeFileSync(join(folder, 'certificate.json'), certificate)
  writeFileSync(join(folder, 'jwks.json'), jwks)
  writeFileSync(join(folder, 'log-key.json'), logKey)
  writeFileSync(join(folder, 'receipt'), loggedAt(3, 9, certificate).receipt())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function verifier(...args: string[]) {
  const { status, stdout } = spawnSync('npx', ['--no-install', 'anonymisation-verifier', ...args], {
    ...{ cwd: folder, encoding: 'utf8' },
  })
  return [status, stdout]
}

test('the packed verifier checks certificates, receipts and files in a folder that has nothing else', () => {
  const asked = ['certificate.json', 'outputs', '--receipt', 'receipt', '--report', 'report.html']
  expect(verifier(...asked)).toEqual([0, expect.stringMatching(/^ACCEPTED[\s\S]*Entry 3 of the log/)])
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Report of a job')
  writeFileSync(join(folder, 'outputs', files[0]!.name), 'another')
  expect(verifier(...asked)).toEqual([1, expect.stringMatching(/^REFUSED\n {2}changed/)])
})

test('the package brings no other one along, and has the version of the service', () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packed = JSON.parse(readFileSync(join(folder, 'node_modules/anonymisation-verifier/package.json'), 'utf8'))
  expect([packed.version, packed.dependencies]).toEqual([own.version, undefined])
  const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
  expect(installed).toEqual(['anonymisation-verifier'])
  const within = readdirSync(join(folder, 'node_modules/anonymisation-verifier'), { recursive: true })
  expect(within.toSorted()).toEqual(['README.md', 'dist', 'dist/main.js', 'package.json', 'verify.py', 'verify_log.py'])
})
