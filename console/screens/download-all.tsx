import { useState } from 'preact/hooks'
import type { Job } from '../../shared/api/job.ts'
import type { CallError } from '../api.ts'
import type { Downloaded } from '../download-all.ts'
import { t } from '../i18n/index.ts'
import { keepOpen } from '../idle.ts'
import { asCallError } from '../ui/load.ts'
import { Failure } from '../ui/parts.tsx'

/** Saves all outputs of a job with one click, and says what is missing of them. */
export function DownloadAll({ job }: { job: Job }) {
  const words = t.value.job
  const count = job.result!.counts.succeeded
  const [done, setDone] = useState<number>()
  const [downloaded, setDownloaded] = useState<Downloaded>()
  const [failure, setFailure] = useState<CallError>()
  const run = async () => {
    setFailure(undefined)
    setDownloaded(undefined)
    setDone(0)
    try {
      const { downloadAll } = await import('../later.ts')
      setDownloaded(await keepOpen(() => downloadAll(job, setDone)))
    } catch (reason) {
      setFailure(asCallError(reason))
    }
    setDone(undefined)
  }
  return (
    <>
      <p class="row">
        <button type="button" class="primary" disabled={done !== undefined} onClick={run}>
          {words.downloadAll(count)}
        </button>
      </p>
      {done === undefined ? null : (
        <label class="field">
          <span>{words.collecting(done, count)}</span>
          <progress value={done} max={count} />
        </label>
      )}
      {downloaded ? <Told downloaded={downloaded} /> : null}
      <Failure error={failure} />
    </>
  )
}

function Told({ downloaded: { saved, missing, isSeparate } }: { downloaded: Downloaded }) {
  const words = t.value.job
  return (
    <>
      <p role="status">{isSeparate ? words.separately : words.collected(saved)}</p>
      {missing.length > 0 ? (
        <div class="failure" role="alert">
          <p>{words.missing}</p>
          <ul>
            {missing.map((name, index) => (
              <li key={index}>{name}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
