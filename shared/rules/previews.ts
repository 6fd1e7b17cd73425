import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { EngineError, memoryNumbering, type Secrets } from 'anonymisation-engine'
import { createReplacer, type RuleUnderTest, type Target } from 'anonymisation-engine/rules'
import { scopes } from 'anonymisation-engine/tokens'
import { ProblemError } from '../api/problems.ts'
import type { RuleTest } from '../api/rules.ts'
import { isComplete, labelsOf, mistakesOf } from './resolve.ts'

/** What a rule under test may say of what stands in place of its findings. */
type Given = RuleTest['rules'][number]['replacement']

/** What a finding becomes; null where its replacement can't be made. */
export type Preview = (target: Pick<Target, 'label' | 'value'>) => Promise<string | null>

const passing = (bytes = 32) => createSecretKey(randomBytes(bytes))

/** Keys of every kind and scope that nobody ever has again. */
function passingSecrets(): Secrets {
  const key = () => ({ number: 0, secret: passing(64), bound: [] })
  const tokens = Object.fromEntries(scopes.map(scope => [scope, key()]))
  return {
    hash: passing(),
    pseudonym: passing(),
    document: passing(),
    project: passing(),
    deployment: passing(),
    tokens,
  }
}

/** Makes what shows the replacements of rules. Refuses those that could not be saved (422), and what an asset holds. */
export function createPreviews(rules: readonly RuleUnderTest[], given: readonly Given[]): (Preview | undefined)[] {
  const wrong: ProblemError['detail'] = []
  const secrets = passingSecrets()
  const subject = randomUUID()
  const previews = rules.map((rule, n): Preview | undefined => {
    const replacement = given[n]
    if (!replacement) return undefined
    const loc = ['body', 'rules', String(n), 'replacement']
    if (!isComplete(replacement)) {
      wrong.push({ type: 'config_mismatch', msg: 'A hierarchy that is an asset is read by jobs only', loc })
      return undefined
    }
    const mistakes = mistakesOf(replacement, labelsOf(rule.detection))
    wrong.push(...mistakes.map(({ msg, loc: at }) => ({ type: 'config_mismatch' as const, msg, loc: [...loc, ...at] })))
    if (mistakes.length > 0) return undefined
    const replace = createReplacer([{ ruleId: String(n), ...rule, replacement }], secrets, memoryNumbering())
    return async ({ label, value }) => {
      try {
        const [text] = await replace([{ rule: 0, label, value, text: value, subject }])
        return text!
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        return null
      }
    }
  })
  if (wrong.length > 0) throw new ProblemError(wrong)
  return previews
}
