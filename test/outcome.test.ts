import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Outcome } from './outcome.ts'

let list: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'outcome-'))
  list = join(folder, 'failed.json')
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** What the end of a run with these errors outside of tests says, and which files it keeps. */
function endedWith(...unhandled: { message: string; cause?: { message: string } }[]) {
  const shown = vi.spyOn(console, 'log').mockReturnValue()
  new Outcome(list).onTestRunEnd([], unhandled)
  const said = shown.mock.lastCall?.[0]
  shown.mockRestore()
  return { said, files: existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : undefined }
}

const died = {
  message: '[vitest-pool]: Worker forks emitted error.',
  cause: {
    message: `Worker exited unexpectedly with signal SIGSEGV while running test file ${join(import.meta.dirname, 'a.test.ts')}`,
  },
}

test('the end of a run names the file whose process died, and how', () => {
  expect(endedWith(died)).toEqual({ said: expect.stringContaining(died.cause.message), files: ['test/a.test.ts'] })
})

test('what failed in no file of tests cannot be run again', () => {
  expect(endedWith(died, { message: 'Port is taken' })).toMatchObject({ files: undefined })
  expect(endedWith()).toEqual({})
})

test('files that failed before are forgotten when a run begins', () => {
  writeFileSync(list, '["test/a.test.ts"]')
  new Outcome(list).onTestRunStart()
  expect(existsSync(list)).toBe(false)
})
