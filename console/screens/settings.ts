import type { SourceField, SourceForm } from '../../shared/api/source-forms.ts'
import { linesOf } from '../ui/lines.ts'

/** What a form has in its fields, by the name of the setting; consents are `true` or ''. */
export type Settings = Record<string, string>

/** The config that the fields of a form make; what is empty is left out, so that stored secrets stay. */
export function configOf({ fixed, fields }: SourceForm, settings: Settings): Record<string, unknown> {
  const config: Record<string, unknown> = { ...fixed }
  for (const field of fields) {
    const text = (settings[field.name] ?? field.options[0] ?? '').trim()
    if (text === '') continue
    const [name, inner] = field.name.split('.') as [string, string | undefined]
    if (inner) config[name] = { ...(config[name] as object), [inner]: typed(field, text) }
    else config[name] = typed(field, text)
  }
  return config
}

function typed({ type }: SourceField, text: string): unknown {
  if (type === 'number') return Number(text)
  if (type === 'consent') return true
  return type === 'list' ? linesOf(text) : text
}

/** What stands in the fields for a stored config, which has no secrets. */
export const settingsOf = (config: object): Settings =>
  Object.fromEntries(
    Object.entries(config).flatMap(([name, value]): [string, string][] =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(settingsOf(value)).map(([inner, text]) => [`${name}.${inner}`, text])
        : [[name, Array.isArray(value) ? value.join('\n') : String(value)]],
    ),
  )

/** Which of the forms of its kind a config belongs to. */
export const formOf = (forms: readonly SourceForm[], settings: Settings): number =>
  Math.max(
    0,
    forms.findIndex(({ fixed }) => Object.entries(fixed).every(([name, value]) => settings[name] === value)),
  )
