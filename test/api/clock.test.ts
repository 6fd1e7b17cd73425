import { expect, test } from 'vitest'
import { putFile } from './deployed.ts'
import { makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'

const service = await useService()
const { user, client } = await service.person()

test('EventBridge Scheduler calls what begins the runs of schedules', { timeout: 200_000 }, async () => {
  await putFile(user.id, service.files, 'inbox/a.txt', 'Call 112 now')
  const { id: sourceId } = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })
  const workflowId = await makeWorkflow(client)
  const body = { name: 'Inbox', rate: '1 minute', sourceId, folder: 'inbox', settleSeconds: 0, workflowId }
  const { id: schedule_id } = await client.schedules.create({ body })
  for (;;) {
    const run = (await client.schedules.runs({ schedule_id })).find(({ counts }) => counts.taken > 0)
    if (run) {
      await client.schedules.delete({ schedule_id })
      return expect(run).toMatchObject({ trigger: 'schedule', counts: { taken: 1 } })
    }
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
})
