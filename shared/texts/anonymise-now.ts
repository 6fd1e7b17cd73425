import { type AnonymisedText, anonymiseTexts, EngineError, memoryNumbering } from 'anonymisation-engine'
import { modelLoader } from 'anonymisation-engine/models'
import { patternSource } from 'anonymisation-engine/rules'
import { isReversible } from 'anonymisation-engine/tokens'
import { ProblemError } from '../api/problems.ts'
import { MAX_CHARACTERS, type TextFinding, type TextsReply, type TextsRequest } from '../api/texts.ts'
import type { Caller } from '../http/caller.ts'
import { comprehendSource } from '../models/comprehend.ts'
import { fetchModels, modelCache } from '../models/fetch.ts'
import { classifierSources, THREADS_OF_REQUESTS } from '../models/shipped.ts'
import { planFor, type TextsPlan } from './plan.ts'
import { secretsFor } from './secrets.ts'
import { openSession, type Session } from './session.ts'

/** Time that the rules have, milliseconds: less than the gateway waits for an answer. */
const LIMIT_MS = 24_000

const models = modelLoader([patternSource, ...classifierSources(modelCache, THREADS_OF_REQUESTS), comprehendSource()])

/** Anonymises the texts or messages of a request, all of them or none. Keeps nothing. */
export async function anonymiseNow(request: TextsRequest, user: Caller): Promise<TextsReply> {
  const { messages } = request
  const texts = textsOf(request)
  const plan = await planFor(request, user)
  const session = request.session && (await openSession(request.session.sealed, user))
  const made = await run(texts, plan, { together: messages !== undefined || session !== undefined, session })
  const findings = made.map(({ matches }) => matches.map(match => findingOf(match, plan)))
  const more = session && { session: session.seal() }
  if (!messages) return { texts: made.map(({ text }, n) => ({ text, findings: findings[n]! })), ...more }
  return {
    messages: messages.map(({ role }, n) => ({ role, content: made[n]!.text, findings: findings[n]! })),
    ...more,
  }
}

function textsOf({ texts, messages }: TextsRequest): string[] {
  const loc = ['body', messages ? 'messages' : 'texts']
  if (texts && messages)
    throw new ProblemError({ type: 'conflicting_values', msg: 'Give only one of texts and messages', loc })
  const given = texts ?? messages?.map(({ content }) => content)
  if (!given) throw new ProblemError({ type: 'missing', msg: 'Give texts or messages', loc })
  const length = given.reduce((sum, text) => sum + text.length, 0)
  if (length > MAX_CHARACTERS)
    throw new ProblemError({ type: 'too_big', msg: `Must be at most ${MAX_CHARACTERS} characters in all`, loc })
  return given
}

function findingOf(
  { start, end, label, rule, score, reason, replacement }: AnonymisedText['matches'][number],
  plan: TextsPlan,
): TextFinding {
  const { ruleId, name } = plan.rules[rule]!
  const place = { start: replacement.start, end: replacement.end }
  return {
    start,
    end,
    label,
    rule,
    ...(plan.stored.has(ruleId) && { ruleId }),
    name,
    score,
    reason,
    replacement: place,
  }
}

type How = { together: boolean; session?: Session }

async function run(texts: string[], plan: TextsPlan, { together, session }: How): Promise<AnonymisedText[]> {
  // What unwraps keys answers no requests but approved ones. A session has placeholders instead.
  if (!session && plan.rules.some(({ replacement }) => isReversible(replacement)))
    throw new ProblemError({ type: 'text_refused', msg: 'Tokens are made in jobs only', loc: ['body'] })
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    await fetchModels(plan)
    const rendering = session
      ? { replacer: session.placeholders.replacer, before: session.placeholders.entries() }
      : { secrets: await secretsFor(plan), numbering: memoryNumbering() }
    return await anonymiseTexts({ texts, together, plan, models, signal, ...rendering })
  } catch (error) {
    if (signal.aborted) throw new ProblemError({ type: 'regex_budget', msg: 'The rules took too long' })
    if (!(error instanceof EngineError)) throw error
    const { type, message: msg } = error
    const known = type === 'model_load_failed' || type === 'regex_budget'
    throw new ProblemError({ type: known ? type : 'text_refused', msg, loc: ['body'] })
  }
}
