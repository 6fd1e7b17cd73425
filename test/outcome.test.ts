import { expect, onTestFinished, test, vi } from 'vitest'
import { Outcome } from './outcome.ts'

test('the end of a run names the file whose process died, and how', () => {
  const shown = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => shown.mockRestore())
  const cause = { message: 'Worker exited unexpectedly with signal SIGSEGV while running test file a.test.ts' }
  new Outcome().onTestRunEnd([], [{ message: '[vitest-pool]: Worker forks emitted error.', cause }])
  expect(shown.mock.lastCall![0]).toContain(cause.message)
})
