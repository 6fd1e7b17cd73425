import type { ComponentChildren } from 'preact'
import { t } from '../i18n/index.ts'
import { nameOf, type Schema } from './document.ts'

/** Text with `code` in backticks and blank lines between paragraphs. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((paragraph, n) => (
      <p key={n}>
        <Inline text={paragraph} />
      </p>
    ))}
  </>
)

export const Inline = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
)

const between = (parts: ComponentChildren[], word: string) =>
  parts.flatMap((part, n) => (n === 0 ? [part] : [` ${word} `, part]))

/** What a value may be, in one line. */
function Kind({ schema }: { schema: Schema }) {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return <a href={`#/reference/schema-${name}`}>{name}</a>
  }
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (values.length > 0)
    return (
      <>
        {between(
          values.map(value => <code key={String(value)}>{JSON.stringify(value)}</code>),
          '|',
        )}
      </>
    )
  const forms = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (forms)
    return (
      <>
        {between(
          forms.map((form, n) => <Kind key={n} schema={form} />),
          schema.allOf ? '&' : '|',
        )}
      </>
    )
  if (schema.type === 'array')
    return (
      <>
        {t.value.reference.listOf} <Kind schema={schema.items ?? {}} />
      </>
    )
  return <>{[schema.type ?? []].flat().join(' | ')}</>
}

function notesOn(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, default: fallback, format } = schema
  const words = t.value.reference
  return [
    ...(schema.description ? [schema.description] : []),
    ...(format && !schema.description ? [format] : []),
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? [`≥ ${minimum}`] : []),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [`≤ ${maximum}`] : []),
    ...(minLength === undefined ? [] : [words.least(minLength)]),
    ...(maxLength === undefined ? [] : [words.most(maxLength)]),
    ...(fallback === undefined ? [] : [`${words.fallback} \`${JSON.stringify(fallback)}\``]),
  ]
}

/** The fields of an object, each with its kind and what it means; anything else as one line. */
export function Fields({ schema }: { schema: Schema }) {
  const forms = schema.anyOf ?? schema.oneOf
  if (schema.$ref || !(schema.properties || forms))
    return (
      <p>
        <Kind schema={schema} />
      </p>
    )
  if (forms)
    return (
      <>
        {between(
          forms.map((form, n) => <Fields key={n} schema={form} />),
          t.value.reference.or,
        )}
      </>
    )
  const fields = Object.entries(schema.properties!)
  if (fields.length === 0) return <p class="muted">{t.value.reference.empty}</p>
  return (
    <ul class="fields">
      {fields.map(([name, field]) => (
        <li key={name}>
          <code>{name}</code> {schema.required?.includes(name) ? null : <small>{t.value.reference.optional}</small>}{' '}
          <span class="muted">
            <Kind schema={field} />
          </span>
          {notesOn(field).map(note => (
            <p key={note}>
              <Inline text={note} />
            </p>
          ))}
          {field.properties ? <Fields schema={field} /> : null}
          {field.items?.properties ? <Fields schema={field.items} /> : null}
        </li>
      ))}
    </ul>
  )
}
