import { ServiceException } from '@smithy/core/client'
import { expect, test } from 'vitest'
import { describeFailure } from '../../shared/failure.ts'

const thrown = (act: () => unknown): Error => {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown')
}
const framesOf = (error: unknown) => describeFailure(error).frames as string[]
const here = /^at (.+ \()?(file:\/\/)?\/.*failure\.test\.ts:\d+:\d+\)?$/

test.each(['x\n at Jane Doe', 'x\n    at Jane Doe (file:///home/jane/doe.txt:1:2)', 'x\n    at /home/jane:1:2\n'])(
  'of the message %j nothing is kept, but where it was thrown',
  message => {
    const errors = [thrown(() => JSON.parse(message)), new Error(message), new Error('', { cause: new Error(message) })]
    for (const error of errors) {
      expect(JSON.stringify(describeFailure(error))).not.toMatch(/jane/i)
      expect(framesOf(error).some(line => here.test(line))).toBe(true)
    }
  },
)

test('of a message that has changed since no line passes for a place that is none', () => {
  const error = new Error('x\n at Jane Doe\n    at Jane Doe (file:///a:1:2)\n    at node (Jane:1:2)')
  expect(error.stack).toContain('Jane')
  error.message += '\n  A hint'
  expect(JSON.stringify(describeFailure(error))).not.toContain('Jane')
  expect(framesOf(error)[0]).toMatch(here)
})

test('calls of all kinds are places', () => {
  class Thrower {
    static get thrown() {
      return new Thrower().error
    }
    error: Error
    constructor() {
      this.error = [1].map(() => new Error('x'))[0]!
    }
  }
  const [first, ...others] = framesOf(Thrower.thrown)
  expect(first).toMatch(here)
  expect(others[0]).toMatch(/^at new Thrower \(/)
  expect(others[1]).toMatch(/^at (\w+\.)?get thrown( \[as thrown\])? \(/)
})

test('messages of services are kept, and none of what the SDK fails on itself', () => {
  const $metadata = { httpStatusCode: 200 }
  const refused = new ServiceException({ name: 'AccessDenied', message: 'No GetObject', $fault: 'client', $metadata })
  expect(describeFailure(refused)).toMatchObject({ error: 'AccessDenied', message: 'No GetObject' })
  // As the SDK hands on an answer that it can't read.
  const unreadable = Object.assign(
    thrown(() => JSON.parse('Jane Doe')),
    { $metadata },
  )
  expect(unreadable.message).toContain('Jane')
  for (const error of [unreadable, Object.assign(unreadable, { $fault: 'server' })])
    expect(JSON.stringify(describeFailure(error))).not.toContain('Jane')
})
