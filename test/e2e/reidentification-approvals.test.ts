import { expect, test } from 'vitest'
import { problemsOf } from '../api/http.ts'
import { useOwnService } from '../api/setup.ts'

const service = await useOwnService({ environment: { REIDENTIFICATION_APPROVALS: '2' } })
const owner = await service.person()
const [first, second] = [await service.person('admin'), await service.person('admin')]
const body = { purpose: 'research' as const, reason: 'A study goes on', tokens: ['PERSON~0'] }

test('two of several approve where the operator says so', async () => {
  expect((await service.send('GET', '/')).body).toMatchObject({ reidentificationApprovals: 2 })
  const { id: reidentification_id } = await owner.client.reidentifications.create({ body })
  const approve = (person: typeof owner) => person.client.reidentifications.approve({ reidentification_id, body: {} })
  expect(await approve(first!)).toMatchObject({ status: 'PENDING', approvalsNeeded: 2 })
  const path = `/reidentifications/${reidentification_id}`
  const again = await service.send('POST', `${path}/approve`, { token: first!.token, body: {} })
  expect([again.status, problemsOf(again)[0]!.type]).toEqual([400, 'already_decided'])
  expect((await service.send('POST', `${path}/open`, { token: owner.token })).status).toBe(400)
  expect(await approve(second!)).toMatchObject({ status: 'APPROVED' })
})

test('of many openings at once, one gives something out', async () => {
  const { id: reidentification_id } = await owner.client.reidentifications.create({ body })
  for (const { client } of [first!, second!]) await client.reidentifications.approve({ reidentification_id, body: {} })
  const path = `/reidentifications/${reidentification_id}/open`
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => service.send('POST', path, { token: owner.token, body: {} })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
})
