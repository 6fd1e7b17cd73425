import { type Operator, problem, type Target } from './operator.ts'

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

const keeps = 'The text of a replacement holds a value that it replaces, which so stays in the output'

/** Whether a text is a value, or has it in it; less than three characters are there by chance. */
const holds = (text: string, value: string): boolean =>
  text === value || (value.length >= 3 && value.length < text.length && text.includes(value))

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
    const own = template.replace(inBraces, '')
    const numbered = isNumbered(template)
    let isKept = false
    const render = (target: Target) => {
      isKept ||= holds(own, target.value)
      return fill(template, { label: target.label, rule, ...(numbered && { n: numberOf(target) }) })
    }
    return Object.assign(render, { warning: () => (isKept ? keeps : undefined) })
  },
}
