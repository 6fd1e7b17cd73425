/** What checks, tries and explains rules before they are used in a plan. */

export { checkPattern } from './detect/regex/check.ts'
export { isValidator, type ValidatorName, validators } from './detect/validators.ts'
export { type Explanation, explain, type RuleUnderTest } from './models/explain.ts'
export { checkReplacement } from './operators/index.ts'
export { patternSource } from './recognisers/index.ts'
