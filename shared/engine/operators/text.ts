import { type Operator, problem } from './operator.ts'

/** Placeholders in double braces that are filled in. */
const placeholders = ['label', 'rule', 'n'] as const
const known = placeholders.map(name => `{{${name}}}`)

/** Two braces on each side: a placeholder, known or not. */
const inBraces = /\{\{[^{}]*\}\}/g

const isNumbered = (template: string) => template.includes('{{n}}')

/** The template with its placeholders filled in. */
function fill(template: string, values: { label: string; rule: string; n?: number }): string {
  if (!template.includes('{{')) return template
  return template.replace(/\{\{(label|rule|n)\}\}/g, (_, name: (typeof placeholders)[number]) => String(values[name]))
}

/** A text, with label, rule and number of the distinct value where it asks for them. */
export const text: Operator<string> = {
  validate: template => (typeof template === 'string' ? [] : problem('Must be a text')),
  mistakes(template) {
    const isKnown = (template.match(inBraces) ?? []).every(name => known.includes(name))
    return isKnown ? [] : problem(`Only ${known.join(', ')} can stand in double braces`)
  },
  isNumbered,
  constant: (template, match) => (isNumbered(template) ? undefined : fill(template, match)),
  apply(template, { rule, numberOf }) {
    if (!isNumbered(template)) return ({ label }) => fill(template, { label, rule })
    return target => fill(template, { label: target.label, rule, n: numberOf(target) })
  },
}
