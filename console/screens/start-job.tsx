import { useState } from 'preact/hooks'
import type { Job } from '../../shared/api/job.ts'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { Choice, chosenBy } from '../ui/choice.tsx'
import { Estimate } from '../ui/estimate.tsx'
import { Form } from '../ui/parts.tsx'

/** Starts a job whose files are there, or says that they are being loaded. */
export function StartJob({ job: { id, Assets, presetId, workflowId }, reload }: { job: Job; reload(): void }) {
  const words = t.value
  const [chosen, choose] = useState(workflowId ? `workflow:${workflowId}` : `preset:${presetId ?? 'default'}`)
  const isLoading = Assets.some(({ status }) => status === 'LOADING')
  if (Assets.some(({ status }) => status === 'UPLOADING')) return <p class="note">{words.job.notUploaded}</p>
  const start = async () => {
    await call('jobs', 'update', { job_id: id, body: chosenBy(chosen) })
    await call('jobs', 'execute', { job_id: id })
    reload()
  }
  return (
    <Form submit={start} label={words.new.start(Assets.length)} isReady={!isLoading}>
      <Choice chosen={chosen} choose={choose} />
      {isLoading ? <p role="status">{words.job.loading}</p> : <Estimate of={{ jobId: id, ...chosenBy(chosen) }} />}
    </Form>
  )
}
