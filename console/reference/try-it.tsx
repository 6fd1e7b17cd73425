import { useState } from 'preact/hooks'
import { type CallError, sendAny, user } from '../api.ts'
import { t } from '../i18n/index.ts'
import { asCallError } from '../ui/load.ts'
import { Failure, Field, sure } from '../ui/parts.tsx'
import type { Operation } from './document.ts'
import { isForm, isPublic } from './samples.ts'

/** What came back, as it is shown. */
type Answer = { status: number; headers: [name: string, value: string][]; text: string }

/** Headers that tell more than the body. */
const told = ['x-total-count', 'link', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
/** Longest body that is shown, characters. */
const LONGEST = 100_000

const written = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const headers = told.flatMap((name): [string, string][] => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: response.status, headers, text: written(await response.text()).slice(0, LONGEST) }
}

/** Calls an operation with the token of the session. What is written and answered stays in memory. */
export function TryIt({ operation, body }: { operation: Operation; body: object | undefined }) {
  const words = t.value.reference
  const { method, path, parameters } = operation
  const [given, setGiven] = useState<Record<string, string>>({})
  const [text, setText] = useState(body ? JSON.stringify(body, null, 2) : '')
  const [files, setFiles] = useState<File[]>([])
  const [answer, setAnswer] = useState<Answer>()
  const [failure, setFailure] = useState<CallError | 'json'>()
  if (!user.value && !isPublic(operation)) return <p class="note">{words.logInFirst}</p>
  const send = async (event: Event) => {
    event.preventDefault()
    if (method === 'DELETE' && !sure(words.deleteSure)) return
    setFailure(undefined)
    setAnswer(undefined)
    let sent: object | undefined
    try {
      sent = text.trim() ? JSON.parse(text) : undefined
    } catch {
      return setFailure('json')
    }
    const query = parameters.flatMap(({ name, in: place }) =>
      place === 'query' && given[name] ? [[name, given[name]]] : [],
    )
    const input = { ...given, query: Object.fromEntries(query), body: sent, ...(isForm(operation) && { files }) }
    await sendAny(`${method} ${path}`, input)
      .then(answerOf)
      .then(setAnswer, reason => setFailure(asCallError(reason)))
  }
  return (
    <details>
      <summary>{words.tryIt}</summary>
      <form onSubmit={send}>
        {parameters.map(({ name, in: place, required }) =>
          place === 'header' ? null : (
            <Field key={name} label={required ? name : t.value.source.optional(name)}>
              <input
                required={required}
                spellcheck={false}
                autocomplete="off"
                value={given[name] ?? ''}
                onInput={event => setGiven({ ...given, [name]: event.currentTarget.value })}
              />
            </Field>
          ),
        )}
        {isForm(operation) ? (
          <Field label={t.value.job.files}>
            <input type="file" multiple required onChange={event => setFiles([...(event.currentTarget.files ?? [])])} />
          </Field>
        ) : null}
        {body ? (
          <Field label={words.body}>
            <textarea
              class="code"
              rows={Math.min(16, text.split('\n').length + 1)}
              spellcheck={false}
              value={text}
              onInput={event => setText(event.currentTarget.value)}
            />
          </Field>
        ) : null}
        {failure === 'json' ? <p class="failure">{words.notJson}</p> : <Failure error={failure} />}
        <button type="submit" class="primary">
          {words.send}
        </button>
      </form>
      {answer ? <Shown answer={answer} /> : null}
    </details>
  )
}

const Shown = ({ answer: { status, headers, text } }: { answer: Answer }) => (
  <div role="status">
    <p class={`status ${status < 400 ? 'succeeded' : 'failed'}`}>{status}</p>
    <dl>
      {headers.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
    <pre tabIndex={0}>{text}</pre>
  </div>
)
