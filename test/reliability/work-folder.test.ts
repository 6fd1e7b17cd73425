import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeWorkFolder } from '../../shared/jobs/worker/work-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'work-folder-'))
  return () => rmSync(parent, { recursive: true, force: true })
})

/** A folder as a worker leaves it that is killed. */
function left(name: string): string {
  const path = join(parent, name)
  mkdirSync(path)
  writeFileSync(join(path, 'input'), 'Ada Lovelace')
  return path
}

/** The number of a process that has ended. */
async function ended(): Promise<number> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return child.pid!
}

test('a worker removes what a killed one left of its asset', async () => {
  const killed = left(`asset-${await ended()}-aaaaaa`)
  const made = await makeWorkFolder(parent)
  expect(existsSync(killed)).toBe(false)
  expect(statSync(made).isDirectory()).toBe(true)
})

test('a worker leaves the folder of another that runs, but not for longer than an attempt may take', async () => {
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  onTestFinished(() => void other.kill())
  const [running, ownThread] = [left(`asset-${other.pid}-aaaaaa`), left(`asset-${process.pid}-aaaaaa`)]
  await makeWorkFolder(parent)
  expect([running, ownThread].map(path => existsSync(path))).toEqual([true, true])
  const hour = Date.now() / 1000 - 3600
  for (const path of [running, ownThread]) utimesSync(path, hour, hour)
  await makeWorkFolder(parent)
  expect([running, ownThread].map(path => existsSync(path))).toEqual([false, false])
})

test('a worker touches nothing else', async () => {
  const others = [left('asset-'), left('assets-1-a'), left('asset-abc-1'), left('models')]
  await makeWorkFolder(parent)
  expect(others.map(path => existsSync(path))).toEqual([true, true, true, true])
})
