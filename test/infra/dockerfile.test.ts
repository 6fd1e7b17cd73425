import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const linter = join(dirname(process.env.PYTHON ?? ''), 'hadolint')
const lines = (name: string) => readFileSync(join(root, name), 'utf8').trim().split('\n')

describe('the image', () => {
  test.skipIf(!existsSync(linter))('has a Dockerfile without faults', () => {
    expect(execFileSync(linter, ['--failure-threshold', 'info', join(root, 'Dockerfile')], { encoding: 'utf8' })).toBe(
      '',
    )
  })

  test('is given every folder of the program, and nothing else', () => {
    const [all, ...rules] = lines('.dockerignore')
    expect(all).toBe('*')
    const given = rules.filter(rule => rule.startsWith('!')).map(rule => rule.slice(1))
    expect(readdirSync(root)).toEqual(expect.arrayContaining(given))
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const folder of workspaces) expect(given).toContain(folder.split('/')[0])
    for (const folder of ['functions', 'infra', 'shared', 'local', 'console', 'models', 'verifier'])
      expect(given).toContain(folder)
    expect(given).not.toContain('test')
  })

  test('runs the service and the command by files that exist', () => {
    const paths = lines('Dockerfile').flatMap(line => line.match(/(?<![\w/])(?:\/app\/)?local\/[\w./-]+/g) ?? [])
    expect(paths.length).toBeGreaterThanOrEqual(3)
    for (const path of paths) expect(existsSync(join(root, path.replace('/app/', '')))).toBe(true)
  })
})
