import { useState } from 'preact/hooks'
import { t } from '../i18n/index.ts'
import { type Contract, contentOf, nameOf, type Operation, type Schema } from './document.ts'
import { exampleOf } from './example.ts'
import { bodyOf, isPublic, languages, samplesOf } from './samples.ts'
import { Fields, Prose } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'

/** One operation: what it takes and answers, how it is called, and a form that calls it. */
export function OperationView({ operation, schemas }: { operation: Operation; schemas: Contract['schemas'] }) {
  const words = t.value.reference
  const { method, path, summary, description, parameters, requestBody, responses } = operation
  const body = bodyOf(operation, schemas)
  const [sent, answered] = [contentOf(requestBody), contentOf(responses['200'])]
  const given = (place: string) => parameters.filter(parameter => parameter.in === place)
  return (
    <article>
      <h2>{summary}</h2>
      <p>
        <strong>{method}</strong> <code>/api{path}</code>
      </p>
      {isPublic(operation) ? <p class="muted">{words.needsNoToken}</p> : null}
      {description ? <Prose text={description} /> : null}
      {(['path', 'query', 'header'] as const).map(place =>
        given(place).length > 0 ? (
          <section key={place}>
            <h3>{words.places[place]}</h3>
            <Fields schema={asSchema(given(place))} />
          </section>
        ) : null,
      )}
      {sent ? (
        <section>
          <h3>
            {words.body} <small class="muted">{sent.type}</small>
          </h3>
          <Named schema={sent.schema} schemas={schemas} />
        </section>
      ) : null}
      <Samples samples={samplesOf(operation, body)} />
      <TryIt key={operation.operationId} operation={operation} body={body} />
      {answered ? <Answer type={answered.type} schema={answered.schema} schemas={schemas} /> : null}
      <Errors responses={responses} />
    </article>
  )
}

/** A schema, and where it has a name the fields behind that too, so that nobody has to go elsewhere to read them. */
function Named({ schema, schemas }: { schema: Schema; schemas: Contract['schemas'] }) {
  const ref = schema.$ref ?? schema.items?.$ref
  const named = ref === undefined ? undefined : schemas[nameOf(ref)]
  return (
    <>
      <Fields schema={schema} />
      {named?.description ? <Prose text={named.description} /> : null}
      {named ? <Fields schema={named} /> : null}
    </>
  )
}

const asSchema = (parameters: Operation['parameters']): Schema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
})

/** The same call in the languages that have a client. */
function Samples({ samples }: { samples: ReturnType<typeof samplesOf> }) {
  const [chosen, choose] = useState<keyof typeof languages>('curl')
  const shown = samples[chosen] === undefined ? 'curl' : chosen
  return (
    <section>
      <h3>{t.value.reference.samples}</h3>
      <p class="row">
        {(Object.keys(samples) as (keyof typeof languages)[]).map(language => (
          <button key={language} type="button" aria-pressed={language === shown} onClick={() => choose(language)}>
            {languages[language]}
          </button>
        ))}
      </p>
      <pre tabIndex={0}>{samples[shown]}</pre>
    </section>
  )
}

function Answer({ type, schema, schemas }: { type: string; schema: Schema; schemas: Contract['schemas'] }) {
  const words = t.value.reference
  return (
    <section>
      <h3>
        {words.answer} <small class="muted">{type}</small>
      </h3>
      <Named schema={schema} schemas={schemas} />
      {type === 'application/json' && Object.keys(schema).length > 0 ? (
        <details>
          <summary>{words.example}</summary>
          <pre tabIndex={0}>{JSON.stringify(exampleOf(schema, schemas, false), null, 2)}</pre>
        </details>
      ) : null}
    </section>
  )
}

const Errors = ({ responses }: Pick<Operation, 'responses'>) => (
  <details>
    <summary>{t.value.reference.others}</summary>
    <dl>
      {Object.entries(responses).map(([status, { description }]) =>
        status === '200' ? null : (
          <>
            <dt>{status}</dt>
            <dd>
              <Prose text={description} />
            </dd>
          </>
        ),
      )}
    </dl>
  </details>
)
