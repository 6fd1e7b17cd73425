import type { NewRule } from '../../shared/api/rules.ts'

/** A rule and the text that stands in place of what it finds. */
export type TextRule = { name: string; pattern: string; flags?: string; validator?: string; text: string }

/** Letters, digits and marks of any script: what a match may not touch on either side. */
const NOT_AFTER = '(?<![\\p{L}\\p{N}])'
const NOT_BEFORE = '(?![\\p{L}\\p{N}])'
const alone = (pattern: string): string => `${NOT_AFTER}(?:${pattern})${NOT_BEFORE}`

/** What is looked for when no rule is given: identifiers that can be told by their form or their checksum. */
export const defaultRules: TextRule[] = [
  {
    name: 'E-mail address',
    pattern: alone('[\\p{L}\\p{N}._%+\\-]{1,64}@(?:[\\p{L}\\p{N}\\-]{1,63}\\.){1,8}\\p{L}{2,24}'),
    text: '[EMAIL]',
  },
  {
    name: 'IBAN',
    pattern: alone('[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?'),
    validator: 'iban',
    text: '[IBAN]',
  },
  {
    name: 'Payment card',
    pattern: alone('[2-6][0-9]{3}(?:[ \\-]?[0-9]{4}){2}[ \\-]?[0-9]{1,7}'),
    validator: 'luhn',
    text: '[CARD]',
  },
  {
    name: 'Telephone, international',
    pattern: alone('\\+[1-9][0-9]{0,2}(?:[ .\\-/]?\\(?[0-9]{1,5}\\)?){2,6}'),
    text: '[PHONE]',
  },
  {
    name: 'Telephone, North America',
    pattern: alone('\\(?[2-9][0-9]{2}\\)?[ .\\-][2-9][0-9]{2}[ .\\-][0-9]{4}'),
    text: '[PHONE]',
  },
  {
    name: 'IP address',
    pattern: alone('(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'),
    text: '[IP]',
  },
  {
    name: 'Social security number (US)',
    pattern: alone('(?!000|666|9[0-9]{2})[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}'),
    text: '[SSN]',
  },
]

/** A rule as given on the command line, `NAME=PATTERN=TEXT`; the name ends at the first `=`, the text begins at the last. */
export function parseRule(argument: string): TextRule {
  const [first, last] = [argument.indexOf('='), argument.lastIndexOf('=')]
  if (first < 1 || last <= first + 1) throw new Error(`--rule must be NAME=PATTERN=TEXT, not ${argument}`)
  return { name: argument.slice(0, first), pattern: argument.slice(first + 1, last), text: argument.slice(last + 1) }
}

/** The request that creates a rule. */
export const ruleBody = ({ name, pattern, flags, validator }: TextRule): NewRule => ({
  name,
  description: '',
  type: 'REGEX',
  config: { regexRuleConfig: { pattern, flags, validator } },
})
