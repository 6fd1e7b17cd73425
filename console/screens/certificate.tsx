import { useState } from 'preact/hooks'
import { reportOf } from '../../verifier/report.ts'
import type { Verdict } from '../../verifier/verify.ts'
import { t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Pending } from '../ui/pending.tsx'
import { save } from '../ui/save.ts'
import { type Certified, check, type Held, holds, load } from './certificate-check.ts'

const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The certificate of a job: checked here, in the browser, and saved for those who check it elsewhere. */
export function Certificate({ id }: { id: string }) {
  const loaded = useLoad(async () => {
    const certified = await load(id)
    return { certified, verdict: await check(certified) }
  }, [id])
  const { data } = loaded
  if (!data) return <Pending of={loaded} what={t.value.certificate.show} />
  const { certified, verdict } = data
  return (
    <div class="report">
      <Outcome verdict={verdict} certified={certified} />
      <Files certified={certified} verdict={verdict} />
      {verdict.problems.length === 0 ? <Outputs certified={certified} /> : null}
    </div>
  )
}

function Outcome({ verdict, certified }: { verdict: Verdict; certified: Certified }) {
  const words = t.value.certificate
  const { problems, keyid, logged } = verdict
  if (problems.length > 0)
    return (
      <div class="failure" role="alert">
        <strong>{words.refused}</strong>
        {problems.map(({ code, reason }) => (
          <p key={code + reason}>{words.problems[code] ?? reason}</p>
        ))}
      </div>
    )
  return (
    <div role="status">
      <p class="status succeeded">{words.accepted}</p>
      <p>
        {words.signedBy} <code>{keyid}</code>
      </p>
      <p>{logged ? words.logged(logged.index + 1, logged.size) : words.notLogged}</p>
      {certified.shown.list && certified.leaves === undefined ? <p>{words.noList}</p> : null}
    </div>
  )
}

/** What is saved to check the certificate elsewhere, and the report for people. */
function Files({ certified: { shown, keys, leaves, logKey }, verdict }: { certified: Certified; verdict: Verdict }) {
  const words = t.value.certificate
  const { statement, keyid } = verdict
  const accepted = verdict.problems.length === 0
  const files: [title: string, name: string, content: string | undefined, type?: string][] = [
    [words.save, 'certificate.json', written(shown.certificate)],
    [words.keys, 'jwks.json', written(keys)],
    [words.list, 'assets.ndjson', leaves, 'application/x-ndjson'],
    [words.receipt, 'receipt', shown.receipt ?? undefined, 'text/plain'],
    [words.logKey, 'log-key.json', logKey && written(logKey)],
    [words.opening, 'opening.json', shown.opening ? written(shown.opening) : undefined],
  ]
  const report = () =>
    save('report.html', reportOf({ statement: statement!, leaves: verdict.leaves!, keyid: keyid! }), 'text/html')
  return (
    <div class="row">
      {accepted ? (
        <button type="button" class="primary" onClick={report}>
          {words.report}
        </button>
      ) : null}
      {files.map(([title, name, content, type]) =>
        content === undefined ? null : (
          <button key={name} type="button" onClick={() => save(name, content, type)}>
            {title}
          </button>
        ),
      )}
    </div>
  )
}

/** Tells of files on this computer whether they are outputs of the job. Nothing of them is sent. */
function Outputs({ certified }: { certified: Certified }) {
  const words = t.value.certificate
  const [held, setHeld] = useState<Held[]>([])
  const take = async ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const found: Held[] = []
    for (const file of currentTarget.files ?? []) {
      found.push(await holds(certified, file))
      setHeld([...found])
    }
  }
  return (
    <>
      <label class="field">
        <span>{words.check}</span>
        <input type="file" multiple onChange={take} />
        <small class="muted">{words.checkHint}</small>
      </label>
      <ul class="files" aria-live="polite">
        {held.map(({ name, is }, index) => (
          <li key={`${name}${index}`}>
            <span class="name">{name}</span>
            <span class={`status ${is === 'output' ? 'succeeded' : 'failed'}`}>{words.held[is]}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
