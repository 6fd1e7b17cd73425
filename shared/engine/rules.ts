/** What checks, tries and explains rules before they are used in a plan. */

export { faultOfEntry, type ListEntry } from './detect/dictionary/entry.ts'
export { checkPattern } from './detect/regex/check.ts'
export { isValidator, type ValidatorName } from './detect/validator-names.ts'
export { validators } from './detect/validators.ts'
export { type Explanation, explain, type RuleUnderTest } from './models/explain.ts'
export { checkLabels, checkReplacement } from './operators/index.ts'
export type { Target } from './operators/operator.ts'
export { createReplacer } from './operators/replacer.ts'
export { patternSource } from './recognisers/index.ts'
