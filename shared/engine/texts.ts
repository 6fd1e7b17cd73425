import { collectValues, type IsSought } from './detect/collect-values.ts'
import { createDetector } from './detect/detector.ts'
import { cachedDetector } from './detect/detector-cache.ts'
import type { LoadModel } from './detect/entity-model.ts'
import { isJoinable } from './detect/joined-names.ts'
import { type KnownValue, knownValues } from './detect/known-values.ts'
import type { LoadList } from './detect/list-rules.ts'
import type { RegexBudgets } from './detect/regex/search.ts'
import type { Detector } from './detect/span.ts'
import { EngineError } from './errors.ts'
import { pieces } from './formats/plain/pieces.ts'
import { applyEdits } from './formats/plain/write.ts'
import { smallText } from './limits.ts'
import type { Replaced } from './match.ts'
import { createReplacer, type Numbering, type Replacer } from './operators/replacer.ts'
import type { Secrets } from './operators/scope.ts'
import type { Plan } from './plan.ts'
import { createMatches } from './redact/matches.ts'
import { createEditing } from './redact/segments.ts'
import { findSubjects, type Subjects } from './redact/subjects.ts'
import { byteScan } from './verify/byte-scan.ts'

/** What renders the replacements: the operators of the rules, or placeholders that can be restored. */
type Rendering = { secrets: Secrets; numbering: Numbering } | { replacer: Replacer }

/** All that the anonymisation of texts needs. */
export type TextsCall = Rendering & {
  texts: readonly string[]
  /**
   * Whether the texts belong together, as the messages of a conversation do: what a model finds in one is then replaced
   * in all of them. Otherwise each is treated as a file of its own.
   */
  together?: boolean
  /** Values that were replaced before in texts that these belong to, each with its label. */
  before?: readonly { label: string; value: string }[]
  plan: Plan
  models?: LoadModel
  lists?: LoadList
  budgets?: Partial<RegexBudgets>
  signal: AbortSignal
}

/** What a text became, and all that was replaced in it, in order. */
export type AnonymisedText = { text: string; matches: Replaced[] }

async function* inOnePart(text: string) {
  yield text
}

async function* segmentsOf(texts: readonly string[]) {
  for (const text of texts) for await (const segment of pieces(inOnePart(text))) yield [segment]
}

/** Where one text starts in the joined text that is searched for all of them. */
type Pass = {
  plan: Plan
  detector: Detector
  replacer: Replacer
  extra?: ReturnType<typeof knownValues>
  subjects?: Subjects
}

async function anonymiseText(text: string, { extra, ...pass }: Pass): Promise<AnonymisedText> {
  const matches = createMatches(pass.plan, Number.POSITIVE_INFINITY)
  const editing = createEditing({ ...pass, format: { keepsText: false }, matches }, extra)
  let output = ''
  for await (const batch of segmentsOf([text])) {
    const [edits] = await editing.edit(batch)
    output += applyEdits(batch[0]!.text, edits!)
  }
  const scan = byteScan(editing.expected().gone)
  scan.push(Buffer.from(output))
  const { plain: left, hidden } = scan.found()
  // What stands in it as it is was left there by decision.
  if ([...hidden].some(value => !left.has(value)))
    throw new EngineError('leak_detected', 'A replaced value remains in an encoded form')
  return { text: output, matches: matches.list() }
}

/** Values of texts of before, as if a model had found them: whichever rule finds what the label says. */
const fromBefore = ({ plan, before = [] }: TextsCall): KnownValue[] => {
  const model = plan.rules.findIndex(({ detection }) => detection.type === 'AIMODEL')
  return before.map(one => ({ ...one, rule: Math.max(0, model), score: 1, times: 1, fromModel: true }))
}

/**
 * Anonymises texts: finds in each what {@link anonymise} would find in a file of plain text that holds it, and replaces it
 * likewise. Throws an {@link EngineError} for all of them where one can't be done.
 */
export async function anonymiseTexts(call: TextsCall): Promise<AnonymisedText[]> {
  const { texts, plan, signal, models, lists, budgets } = call
  if (!texts.every(text => text.isWellFormed())) throw new EngineError('corrupt_file', 'A text holds half a character')
  const detector = await createDetector(plan, { signal, load: models, lists, budgets })
  const fromModel = plan.rules.some(({ detection }) => detection.type === 'AIMODEL')
  const earlier = fromBefore(call)
  const anonymised: AnonymisedText[] = []
  for (const group of call.together ? [texts] : texts.map(text => [text])) {
    const { first, again } = cachedDetector(detector)
    const file = { segments: () => segmentsOf(group) }
    const joins = group.reduce((length, text) => length + text.length, 0) <= smallText
    const isSought: IsSought = (value, found) => found || (joins && isJoinable(value))
    const found = fromModel || joins ? await collectValues(file, first, plan, { isSought }) : []
    const known = [...found, ...earlier]
    const values = known.map(({ value }) => value)
    const replacer =
      'replacer' in call ? call.replacer : createReplacer(plan.rules, call.secrets, call.numbering, { found: values })
    const pass = {
      plan,
      replacer,
      subjects: await findSubjects(plan, file, again),
      detector: again(),
      extra: known.length > 0 ? knownValues(known, detector.spare) : undefined,
    }
    for (const text of group) anonymised.push(await anonymiseText(text, pass))
  }
  return anonymised
}
