import { useState } from 'preact/hooks'
import type { RuleFinding } from '../../shared/api/rules.ts'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { Field, Form } from '../ui/parts.tsx'

const sample = `Dear Ms Okonkwo-Brandt,

your appointment with Dr Yusuf Karahan is on 14 March 2026 at 10:15. If you can't come, call
+44 20 7946 0018 or write to reception@brookside-surgery.example.

Patient: Adaeze Okonkwo-Brandt, born 3 May 1984, NHS number 943 476 5919
Address: 17 Larkspur Close, Ely CB7 4QX`

/** Looks for identifiers in a text that is stored nowhere, and says why each was found, or nearly. */
export function TryText() {
  const words = t.value.text
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ text: string; findings: RuleFinding[] }>()
  const submit = async () => {
    const models = await call('models', 'list')
    const rules = models
      .filter(({ source, usable }) => source === 'shipped' && usable)
      .map(({ modelId, modelVersion }) => ({
        name: modelId,
        type: 'AIMODEL' as const,
        config: { aiModelRuleConfig: { modelId, modelVersion } },
      }))
    const { findings } = await call('rules', 'test', { body: { text, rules } })
    setFound({ text, findings })
  }
  return (
    <section>
      <h1>{words.title}</h1>
      <Form
        submit={submit}
        label={words.run}
        extra={
          <button type="button" class="plain" onClick={() => setText(sample)}>
            {words.sample}
          </button>
        }
      >
        <Field label={words.label} hint={words.hint}>
          <textarea
            required
            rows={10}
            maxLength={20_000}
            value={text}
            onInput={event => setText(event.currentTarget.value)}
          />
        </Field>
      </Form>
      {found ? <Found {...found} /> : null}
    </section>
  )
}

/** A text with its findings marked, and a table of why. */
export function Found({ text, findings }: { text: string; findings: RuleFinding[] }) {
  const words = t.value.text
  const counting = findings.filter(({ counts }) => counts)
  const near = findings.filter(({ counts }) => !counts)
  return (
    <>
      <div role="status">
        <h2>{words.found(counting.length)}</h2>
      </div>
      <pre class="marked" tabIndex={0}>
        {marked(text, counting)}
      </pre>
      <Reasons text={text} findings={counting} />
      {near.length > 0 ? (
        <details>
          <summary>{words.near(near.length)}</summary>
          <p class="muted">{words.nearHint}</p>
          <Reasons text={text} findings={near} />
        </details>
      ) : null}
    </>
  )
}

/** The text in pieces, the longest of findings that overlap marked. */
function marked(text: string, findings: RuleFinding[]) {
  const pieces = []
  let at = 0
  for (const { start, end, label } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue
    pieces.push(
      text.slice(at, start),
      <mark key={start}>
        {text.slice(start, end)}
        <small>{label}</small>
      </mark>,
    )
    at = end
  }
  return [...pieces, text.slice(at)]
}

function Reasons({ text, findings }: { text: string; findings: RuleFinding[] }) {
  const words = t.value.text
  return (
    <section class="scroll" tabIndex={0} aria-label={words.result}>
      <table>
        <tbody>
          {findings.map(({ start, end, label, score, name, reason }) => (
            <tr key={`${start}-${end}-${label}-${name}`}>
              <td>
                <code>{label}</code>
              </td>
              <td>{text.slice(start, end)}</td>
              <td class="number">{score.toFixed(2)}</td>
              <td class="muted">
                {words.by[reason.by]} {reason.pattern ? <code>{reason.pattern}</code> : null}{' '}
                {reason.context ? words.context(reason.context) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
