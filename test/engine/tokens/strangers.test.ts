import { describe, expect, test } from 'vitest'
import { scopes } from '../../../shared/engine/operators/scope.ts'
import { readToken, writeToken } from '../../../shared/engine/tokens/form.ts'
import { createSealer, type Sealer } from '../../../shared/engine/tokens/seal.ts'
import { exhaustive } from '../../runs.ts'
import { testKey } from './keys.ts'

describe('a token of somebody else', () => {
  // The long run tries more of them.
  const TRIES = exhaustive ? 20_000 : 4000
  const { open } = createSealer(testKey(), 'job')
  const bound = (at: number) => ['deployment', 'owner', 'place'].with(at, 'another')
  const strangers: [string, Sealer, string][] = [
    ['deployment', createSealer(testKey({ bound: bound(0) }), 'job'), 'PERSON'],
    ['owner', createSealer(testKey({ bound: bound(1) }), 'job'), 'PERSON'],
    ['job', createSealer(testKey({ bound: bound(2) }), 'job'), 'PERSON'],
    ['generation', createSealer(testKey({ secret: 4 }), 'job'), 'PERSON'],
    ['scope', createSealer(testKey(), 'project'), 'PERSON'],
  ]

  /** The token as if it were ours: with number and scope of our key. */
  const disguised = (token: string) => writeToken({ ...readToken(token)!, key: 7, scope: scopes.indexOf('job') })

  test.each(strangers)(`opens never, of another %s, in ${TRIES} tries`, { timeout: 60_000 }, (_, stranger, kind) => {
    let opened = 0
    for (let n = 0; n < TRIES; n++) if (open(disguised(stranger.seal(`Anna ${n}`, kind))) !== undefined) opened++
    expect(opened).toBe(0)
  })

  test('opens never as another kind of value', () => {
    const own = createSealer(testKey(), 'job')
    let opened = 0
    for (let n = 0; n < TRIES / 4; n++) if (open(own.seal(`Anna ${n}`, 'PERSON').replace('PERSON', 'CITY'))) opened++
    expect(opened).toBe(0)
  })
})
