import { notFound, ProblemError } from '../../shared/api/problems.ts'
import { transparency } from '../../shared/api/transparency.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'
import { consistencyOf } from '../../shared/transparency/proofs.ts'

export const handler = handle(transparency.consistency)(async ({ query }) => {
  const newest = await newestCheckpoint(await currentLog())
  if (!newest) throw notFound('checkpoint')
  const { size } = newest.checkpoint
  const { first, second = size } = query
  const tooBig = (name: string, most: number) =>
    new ProblemError({ type: 'too_big', msg: `Must be at most ${most}`, loc: ['query', name] })
  if (second > size) throw tooBig('second', size)
  if (first > second) throw tooBig('first', second)
  return { first, second, path: await consistencyOf(first, second) }
})
