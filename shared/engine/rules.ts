/** What checks, tries and explains rules before they are used in a plan. */

export { checkPattern } from './detect/regex/check.ts'
export { isValidator, type ValidatorName, validators } from './detect/validators.ts'
export { type Explanation, explain, type RuleUnderTest } from './models/explain.ts'
export { isPlace, places } from './operators/placeholders.ts'
export { patternSource } from './recognisers/index.ts'
