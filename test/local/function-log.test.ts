import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openJournal } from '../../local/function-log.ts'
import { temporaryDirectory } from './emulated.ts'

test.skipIf(process.platform !== 'linux')('a full disk loses lines of the log, says so once, and ends nothing', () => {
  vi.stubEnv('LOCAL_LOG_DIR', '')
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const directory = temporaryDirectory()
    const path = join(directory, 'functions.log')
    symlinkSync('/dev/full', path)
    const journal = openJournal(directory)
    journal.write('a', 'lost')
    journal.write('a', 'lost as well')
    rmSync(path)
    journal.write('a', 'kept')
    expect(readFileSync(path, 'utf8')).toMatch(/^\S+ a kept\n$/)
    expect(printed.mock.calls).toEqual([['Lines of the log are lost: ENOSPC\n']])
  } finally {
    printed.mockRestore()
    vi.unstubAllEnvs()
  }
})
