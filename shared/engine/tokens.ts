/** What makes and opens reversible replacements one by one, without any file. */

export { type FpeOptions, openFpe } from './operators/fpe.ts'
export { isReversible, type Replacement, restoring, scopeOf } from './operators/index.ts'
export { type Scope, scopes } from './operators/scope.ts'
export { kindOf, tokenPattern } from './tokens/form.ts'
export { dataKey, type TokenKey, type TokenKeys } from './tokens/key.ts'
export { createOpener, keyAskedFor } from './tokens/seal.ts'
