import { expect, test } from 'vitest'
import { samples } from '../../bench/estimate-samples.ts'
import { anonymise } from '../../shared/api/flow.ts'
import { deployed } from '../api/deployed.ts'
import { useOwnService } from '../api/setup.ts'

/** How far outside of its range the work on a job may be: the machine may be quicker or busier than any that was measured. */
const FACTOR = 2

const service = await useOwnService()
const { client } = await service.person()

test.skipIf(deployed)(
  'what jobs of each kind of file take is in the range that was estimated',
  async () => {
    const told: Record<string, { from: number; to: number; taken: number }> = {}
    for (const { name, content } of await samples(6_000)) {
      if (name === 'scan.pdf') continue
      const estimate = await client.jobs.estimate({
        body: { files: [{ filename: name, size: content.length }], presetId: 'default' },
      })
      const before = process.cpuUsage()
      const files = [{ name, content: content as Uint8Array<ArrayBuffer> }]
      const { status } = await anonymise(client, { name: 'Estimated', presetId: 'default' }, files)
      const { user, system } = process.cpuUsage(before)
      expect(status).toBe('SUCCEEDED')
      told[name] = { ...estimate.workerSeconds, taken: (user + system) / 1e6 }
    }
    const isOutside = ({ from, to, taken }: (typeof told)[string]) => taken < from / FACTOR || taken > to * FACTOR
    expect(Object.entries(told).filter(([, one]) => isOutside(one))).toEqual([])
  },
  600_000,
)
