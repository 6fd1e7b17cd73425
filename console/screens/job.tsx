import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Asset } from '../../shared/api/assets.ts'
import type { Job as JobRecord } from '../../shared/api/job.ts'
import type { AssetResult } from '../../shared/api/results.ts'
import { type CallError, call, may } from '../api.ts'
import { dateOf, numberOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { Later } from '../ui/later.tsx'
import { asCallError, useEvery, useLoad } from '../ui/load.ts'
import { Bars, Failure, sure } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { Note, Problem } from '../ui/told.tsx'
import { DownloadAll } from './download-all.tsx'
import { Findings } from './findings.tsx'
import { Status } from './jobs.tsx'
import { countUnread } from './notifications.tsx'
import { StartJob } from './start-job.tsx'

/** One job: how far it is, and once it has ended what came of each file. */
export function Job({ id }: { id: string }) {
  const words = t.value.job
  const loaded = useLoad(() => call('jobs', 'get', { job_id: id }), [id])
  const { data: job, reload } = loaded
  const [failure, setFailure] = useState<CallError>()
  const isRunning = job?.status === 'IN_PROGRESS'
  const waits = isRunning && job.review?.state === 'waiting'
  const isLoading = job?.Assets.some(({ status }) => status === 'LOADING')
  useEvery(isRunning || isLoading ? (waits ? 5000 : 1000) : undefined, reload)
  // The end of a job is a notification.
  useEffect(() => void (job && !isRunning && countUnread()), [job?.status])
  if (!job) return <Pending of={loaded} what={t.value.menu.jobs} isScreen />
  const act = (operation: () => Promise<unknown>) => {
    setFailure(undefined)
    return operation().then(reload, reason => setFailure(asCallError(reason)))
  }
  const erase = () => sure(words.eraseSure) && act(() => call('jobs', 'delete', { job_id: id }).then(() => go('jobs')))
  return (
    <section>
      <h1>{job.name}</h1>
      <p class="row">
        <Status status={job.status} review={job.review} />
        <span class="muted">{dateOf(job.createdAt)}</span>
      </p>
      {isRunning ? waits ? <WaitsFor job={job} /> : <Progress job={job} /> : null}
      <Failure error={failure} />
      <Pending of={loaded} what={words.progress} />
      <Errors job={job} />
      {job.status === 'PENDING' && may('jobs:execute') ? <StartJob job={job} reload={reload} /> : null}
      {job.result ? <Result job={job} result={job.result} /> : <Inputs assets={job.Assets} />}
      <p class="row">
        {isRunning ? (
          <button type="button" onClick={() => act(() => call('jobs', 'cancel', { job_id: id }))}>
            {words.cancel}
          </button>
        ) : (
          <button type="button" onClick={erase}>
            {words.erase}
          </button>
        )}
      </p>
    </section>
  )
}

/** Why a job failed; what is wrong with a file is said beside it. */
function Errors({ job: { errors, result } }: { job: JobRecord }) {
  if (errors.length === 0) return null
  const failed = result?.counts.failed ?? 0
  const whole = errors.filter(({ assetId }) => assetId === undefined)
  return (
    <div class="failure">
      {failed > 0 ? <p>{t.value.job.someFailed(failed, failed + result!.counts.succeeded)}</p> : null}
      {whole.map(error => (
        <p key={error.loc.join('.') + error.msg}>
          <Problem of={error} />
        </p>
      ))}
    </div>
  )
}

/** What a job waits for, and the way there for those who may review. */
function WaitsFor({ job: { id, review } }: { job: JobRecord }) {
  const words = t.value.review
  const { approvals, approvers, deadline } = review!
  return (
    <div class="note">
      <p>{words.held}</p>
      <p class="row">
        <span>{words.released(approvals.length, approvers)}</span>
        <span class="muted">{words.until(dateOf(deadline!))}</span>
        {may('jobs:review') ? (
          <a class="button primary" href={`#/reviews/${id}`}>
            {words.open}
          </a>
        ) : null}
      </p>
    </div>
  )
}

function Progress({ job: { progress } }: { job: JobRecord }) {
  const words = t.value.job
  const { bytes, bytesDone, secondsLeft, done, assets } = progress
  return (
    <label class="field">
      <span>
        {words.progress}: {done} / {assets} {secondsLeft ? `· ${words.left(secondsLeft)}` : ''}
      </span>
      <progress value={bytes ? bytesDone : done} max={bytes || assets} />
    </label>
  )
}

const Inputs = ({ assets }: { assets: Asset[] }) => (
  <ul class="files">
    {assets.map(({ id, name, type, status }) => (
      <li key={id}>
        <span class="name">{name}</span>
        {type === 'TABLE' && status === 'READY' ? <Columns id={id} /> : null}
      </li>
    ))}
  </ul>
)

/** A look at what the columns of a table hold, when it is asked for. */
function Columns({ id }: { id: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {t.value.discovery.title}
      </button>
      {isShown ? <Later show={({ Discovery }) => <Discovery id={id} />} /> : null}
    </>
  )
}

function Result({ job, result }: { job: JobRecord; result: NonNullable<JobRecord['result']> }) {
  const words = t.value.job
  const { counts, assets, warnings } = result
  const input = new Map(job.Assets.map(asset => [asset.id, asset]))
  const isLook = job.mode === 'INSPECT'
  const hasSeveral = counts.succeeded > 1 && !isLook && may('assets:read')
  return (
    <>
      {hasSeveral ? <DownloadAll job={job} /> : null}
      {counts.labels.length > 0 ? (
        <>
          <h2>{isLook ? t.value.found.byLabel : words.found}</h2>
          <Bars counts={counts.labels} />
        </>
      ) : null}
      <p class="muted">{noteOn(job, result)}</p>
      {warnings.length > 0 ? <p class="note">{words.firstOnly(numberOf(assets.length))}</p> : null}
      {counts.findings > 0 && isLook ? <Findings job={job} /> : null}
      <More job={job} />
      <h2>{words.files}</h2>
      <ul class="cards">
        {assets.toSorted(failedFirst).map(asset => (
          <li key={asset.assetId}>
            <Outcome result={asset} input={input.get(asset.assetId)} isLook={isLook} isOnly={!hasSeveral} />
          </li>
        ))}
      </ul>
    </>
  )
}

const failedFirst = (a: AssetResult, b: AssetResult) => Number(b.status === 'FAILED') - Number(a.status === 'FAILED')

/** What a person should know before they use the result. */
function noteOn({ mode }: JobRecord, { counts }: NonNullable<JobRecord['result']>): string {
  const { job, found } = t.value
  if (mode === 'INSPECT') return found.inspected
  return counts.findings === 0 && counts.succeeded > 0 ? job.none : job.check
}

type Extra = 'findings' | 'certificate' | 'shadow'

/** What was found, the certificate, which is checked in this browser, and what another workflow would find; shown when asked for. */
function More({ job }: { job: JobRecord }) {
  const { found, certificate, shadow } = t.value
  const [shown, setShown] = useState<Extra>()
  const hasEnded = job.status === 'SUCCEEDED' || job.status === 'FAILED'
  const mayCopy = job.status === 'SUCCEEDED' && may('jobs:write') && may('jobs:execute')
  const offered: [what: Extra, title: string, isOffered: boolean][] = [
    ['findings', found.show, job.mode !== 'INSPECT' && job.result!.counts.findings > 0],
    ['certificate', certificate.show, hasEnded],
    ['shadow', shadow.show, mayCopy],
  ]
  return (
    <>
      <p class="row">
        {offered.map(([what, title, isOffered]) =>
          isOffered ? (
            <button
              key={what}
              type="button"
              aria-expanded={shown === what}
              onClick={() => setShown(shown === what ? undefined : what)}
            >
              {title}
            </button>
          ) : null,
        )}
      </p>
      {shown === 'findings' ? <Findings job={job} /> : null}
      {shown === 'certificate' ? <Later show={({ Certificate }) => <Certificate id={job.id} />} /> : null}
      {shown === 'shadow' ? <Later show={({ ShadowRun }) => <ShadowRun job={job} />} /> : null}
    </>
  )
}

const Notes = ({ title, notes }: { title: string; notes: ComponentChildren[] }) => (
  <>
    <h3>{title}</h3>
    <ul>
      {notes.map((note, index) => (
        <li key={index}>{note}</li>
      ))}
    </ul>
  </>
)

type OutcomeProps = { result: AssetResult; input: Asset | undefined; isLook: boolean; isOnly: boolean }

/** What came of one file: its download, a comparison, and the report. */
function Outcome({ result, input, isLook, isOnly }: OutcomeProps) {
  const words = t.value.job
  const [shown, setShown] = useState<'compare' | 'report'>()
  const [failure, setFailure] = useState<CallError>()
  const toggle = (what: 'compare' | 'report') => setShown(shown === what ? undefined : what)
  const count = result.findings.reduce((sum, finding) => sum + finding.count, 0)
  const download = () => {
    setFailure(undefined)
    return call('assets', 'url', { asset_id: result.outputAssetId! }).then(
      ({ url }) => location.assign(url),
      reason => setFailure(asCallError(reason)),
    )
  }
  return (
    <>
      <div class="row">
        <strong class="name">{result.name}</strong>
        {result.status === 'SUCCEEDED' ? (
          <span class="muted">{isLook ? t.value.text.found(count) : words.findings(count)}</span>
        ) : (
          <Status status="FAILED" />
        )}
      </div>
      {result.errors.map(error => (
        <p key={error.loc.join('.') + error.msg} class="failure">
          <Problem of={error} />
        </p>
      ))}
      <Failure error={failure} />
      {result.outputAssetId ? (
        <div class="row">
          <button
            type="button"
            class={isOnly ? 'primary' : undefined}
            onClick={download}
            aria-label={`${words.download}: ${result.name}`}
          >
            {words.download}
          </button>
          <button type="button" aria-expanded={shown === 'compare'} onClick={() => toggle('compare')}>
            {words.compare}
          </button>
          <button type="button" aria-expanded={shown === 'report'} onClick={() => toggle('report')}>
            {words.report}
          </button>
        </div>
      ) : null}
      {shown === 'compare' ? (
        <Later
          show={({ Compare }) => <Compare before={result.assetId} input={input} after={result.outputAssetId!} />}
        />
      ) : null}
      {shown === 'report' ? <Report id={result.assetId} /> : null}
    </>
  )
}

/** Whether a text was in an encoding from before Unicode, which may be told wrongly. */
const isOlder = (encoding: unknown): encoding is string => typeof encoding === 'string' && !encoding.startsWith('utf')

/** Counts of each label, whichever rules found it, the largest first. */
function byLabel(counts: { label: string; count: number }[]): { label: string; count: number }[] {
  const sums = new Map<string, number>()
  for (const { label, count } of counts) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums].map(([label, count]) => ({ label, count })).toSorted((a, b) => b.count - a.count)
}

/** What was done to a file beyond its replacements. */
function Report({ id }: { id: string }) {
  const words = t.value.job
  const loaded = useLoad(() => call('assets', 'report', { asset_id: id }), [id])
  const { data } = loaded
  if (!data) return <Pending of={loaded} what={words.report} />
  const { findings, report, risk } = data
  const counts = byLabel(findings.flatMap(({ name, count, labels }) => labels ?? [{ label: name, count }]))
  return (
    <div class="report">
      <Bars counts={counts} />
      {risk ? <Later show={({ Risk }) => <Risk risk={risk} />} /> : null}
      {report ? (
        <>
          <p>{words.examined(numberOf(report.examined))}</p>
          {isOlder(report.choices.encoding) ? <p>{words.readAs(report.choices.encoding)}</p> : null}
          {report.ocr ? <p>{words.ocr(report.ocr.pages, Math.round(100 * report.ocr.confidence))}</p> : null}
          {report.dropped.length > 0 ? (
            <Notes
              title={words.dropped}
              notes={report.dropped.map(({ what, count }) => (
                <>
                  <Note of={what} />: {numberOf(count)}
                </>
              ))}
            />
          ) : null}
          {report.rasterised.length > 0 ? <Notes title={words.pixels} notes={[report.rasterised.join(', ')]} /> : null}
          {report.warnings.length > 0 ? (
            <Notes title={words.warnings} notes={report.warnings.map(warning => <Note of={warning} />)} />
          ) : null}
        </>
      ) : null}
    </div>
  )
}
