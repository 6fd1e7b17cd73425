import { useState } from 'preact/hooks'
import type { Model } from '../../shared/api/models.ts'
import type { RuleFinding } from '../../shared/api/rules.ts'
import { call } from '../api.ts'
import { scoreOf, t } from '../i18n/index.ts'
import { Field, Form } from '../ui/parts.tsx'

/** Looks for identifiers in a text that is stored nowhere, and says why each was found, or nearly. */
export function TryText() {
  const words = t.value.text
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ text: string; findings: RuleFinding[] }>()
  const submit = async () => {
    const models = (await call('models', 'list')).filter(({ source, usable }) => source === 'shipped' && usable)
    const rules = models
      .filter(model => !models.some(other => isNewer(other, model)))
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
          <button type="button" class="plain" onClick={() => setText(words.sampleText)}>
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

/** Whether one is a later version of the other. */
const isNewer = (one: Model, other: Model): boolean =>
  one.modelId === other.modelId && one.modelVersion.localeCompare(other.modelVersion, 'en', { numeric: true }) > 0

/** A text with its findings marked, and a table of why. */
export function Found({ text, findings }: { text: string; findings: RuleFinding[] }) {
  const words = t.value.text
  const counting = oncePerPlace(findings.filter(({ counts }) => counts))
  const near = oncePerPlace(findings.filter(({ counts }) => !counts))
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

/** Of findings at the same place under the same label, the one with the best score; by their places. */
function oncePerPlace(findings: RuleFinding[]): RuleFinding[] {
  const best = new Map<string, RuleFinding>()
  for (const finding of findings.toSorted((a, b) => b.score - a.score)) {
    const key = `${finding.start}-${finding.end}-${finding.label}`
    if (!best.has(key)) best.set(key, finding)
  }
  return [...best.values()].toSorted((a, b) => a.start - b.start || b.end - a.end)
}

/** The text in pieces, the longest of findings that overlap marked. */
function marked(text: string, findings: RuleFinding[]) {
  const pieces = []
  let at = 0
  for (const { start, end, label } of findings) {
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
  const { found } = t.value
  return (
    <section class="scroll" tabIndex={0} aria-label={words.result}>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{found.label}</th>
            <th scope="col">{words.label}</th>
            <th scope="col" class="number">
              {words.score}
            </th>
            <th scope="col">{found.why}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ start, end, label, score, name, reason }) => (
            <tr key={`${start}-${end}-${label}-${name}`}>
              <td data-title={found.label}>
                <code>{label}</code>
              </td>
              <td class="head">{text.slice(start, end)}</td>
              <td data-title={words.score} class="number">
                {scoreOf(score)}
              </td>
              <td data-title={found.why} class="muted">
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
