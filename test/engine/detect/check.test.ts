import { describe, expect, test } from 'vitest'
import { defaultRules } from '../../../local/anonymise/rules.ts'
import { checkPattern } from '../../../shared/engine/detect/regex/check.ts'

describe('patterns without a linear form', () => {
  test.each([
    ['escapes that only classes know', '(?<!\\d)[\\w.%+\\-]{1,9}@x(?!\\d)', true],
    ['a lookahead over a bounded run', '\\b\\d{3}(?=-\\d{4})', true],
    ['a back reference', '(\\w)\\1{2}', true],
    ['an exponential one', '(?=((a+)+$))a', false],
  ])('%s: %s', (_, pattern, ok) => {
    expect(checkPattern({ pattern }).ok).toBe(ok)
  })
})

test.each(defaultRules)('the default rule $name is accepted', ({ pattern, flags, validator }) => {
  expect(checkPattern({ pattern, flags, validator })).toMatchObject({ ok: true })
})
