import { isDeepStrictEqual } from 'node:util'
import type { PlannedRule } from 'anonymisation-engine'
import { dataKey, type FpeOptions, openFpe } from 'anonymisation-engine/tokens'
import { ProblemError } from '../api/problems.ts'
import type { NewReidentification } from '../api/reidentifications.ts'
import type { JobRecord } from '../store/job-record.ts'
import { plansOf } from '../store/jobs.ts'
import { openTokenKey } from '../store/token-keys.ts'
import { bindingOf, type Place, refIn } from './job-keys.ts'

/** Values of one rule that keep their form, as they stand in outputs. */
type Encrypted = NonNullable<NewReidentification['encrypted']>

/**
 * The rule of a job that keeps the form of values, with its options; 400 where the job has none of this id, or several that
 * encrypt in different ways, of which nobody can tell which one made a value.
 */
export async function ruleThatEncrypts(
  job: JobRecord | undefined,
  { ruleId }: Encrypted,
): Promise<{ rule: PlannedRule; options: FpeOptions }> {
  const rules = job?.tokenKeys ? (await plansOf(job)).flatMap(({ plan }) => plan.rules) : []
  const ways = rules.flatMap(rule =>
    rule.ruleId === ruleId && 'fpe' in rule.replacement ? [{ rule, options: rule.replacement.fpe }] : [],
  )
  const [first, ...others] = ways
  if (first && others.every(({ options }) => isDeepStrictEqual(options, first.options))) return first
  throw new ProblemError({ type: 'nothing_reversible', loc: ['body', 'encrypted', 'ruleId'] })
}

/**
 * What values were before a rule of the job encrypted them, in their order; null for those that are not of its form or not
 * of these kinds, and for all whose key was destroyed. What it never made has an answer as well, which nobody can tell.
 */
export async function openEncrypted(
  job: JobRecord,
  encrypted: Encrypted,
  place: Place,
  kinds: readonly string[] | null,
): Promise<(string | null)[]> {
  const { rule, options } = await ruleThatEncrypts(job, encrypted)
  const scope = options.scope ?? 'job'
  const ref = refIn(job.tokenKeys!, scope)
  const key = ref && (await openTokenKey(place.ownerId, ref))
  if (!key) return encrypted.values.map(() => null)
  const bound = await bindingOf(scope, place, key.project)
  const label = rule.detection.type === 'AIMODEL' ? encrypted.label : undefined
  const { kind, decrypt } = await openFpe(options, { number: ref.number, secret: dataKey(key.bytes), bound }, label)
  if (kinds && !kinds.includes(kind)) return encrypted.values.map(() => null)
  return encrypted.values.map(value => {
    const opened = decrypt(value)
    return typeof opened === 'string' ? opened : null
  })
}
