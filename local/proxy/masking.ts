import { createSecretKey, randomBytes } from 'node:crypto'
import { anonymiseTexts, EngineError, type Plan } from 'anonymisation-engine'
import type { LoadModel } from 'anonymisation-engine/models'
import { createPlaceholders, createRestorer, type Restorer } from 'anonymisation-engine/placeholders'
import { Refusal } from './refusal.ts'
import { type Json, type Rewrite, rewriteRequest } from './vocabulary.ts'

/** Time that the rules have for a request, milliseconds. */
const LIMIT_MS = 60_000

/** What all requests of a run share: the same value has the same placeholder in all of them. Nothing is written down. */
export type Masking = {
  /** The same request with placeholders, and how many values they stand for; refuses it where it can't be done. */
  mask(body: Json, signal: AbortSignal): Promise<{ body: Json; replaced: number }>
  /** Puts back what the placeholders given so far stand for. */
  restorer(): Restorer
}

/** Starts without placeholders, under a key that nobody has again. */
export function createMasking({ plan, models }: { plan: Plan; models: LoadModel }): Masking {
  const placeholders = createPlaceholders(createSecretKey(randomBytes(32)))
  let known = { size: 0, restorer: createRestorer([]) }
  const anonymise = async (texts: string[], signal: AbortSignal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
    const before = placeholders.entries()
    try {
      return await anonymiseTexts({
        ...{ texts, together: true, before, plan, models, signal: limit },
        replacer: placeholders.replacer,
      })
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) throw new Refusal(503, 'The rules took too long, so nothing was passed on')
      throw new Refusal(
        error instanceof EngineError ? 400 : 503,
        'The text could not be checked, so nothing was passed on',
      )
    }
  }
  return {
    async mask(body, signal) {
      const texts = textsOf(body)
      const made = await anonymise(texts, signal)
      const masked = new Map(texts.map((text, n) => [text, made[n]!.text]))
      const { body: result, kept } = rewriteRequest(body, text => masked.get(text)!)
      const matches = made.flatMap(one => one.matches)
      checkNames(
        kept,
        matches.map(({ value }) => value),
      )
      return { body: result, replaced: matches.length }
    },
    restorer() {
      const entries = placeholders.entries()
      if (entries.length !== known.size) known = { size: entries.length, restorer: createRestorer(entries) }
      return known.restorer
    },
  }
}

/** Every text of a request once. */
function textsOf(body: Json): string[] {
  const texts = new Set<string>()
  const collect: Rewrite = text => {
    texts.add(text)
    return text
  }
  rewriteRequest(body, collect)
  return [...texts]
}

/** Fewest characters of a value that are looked for in names of the protocol. */
const telling = 4

/** A value that was replaced must not go out as a name of the protocol, which stays as it is. */
function checkNames(kept: ReadonlySet<string>, values: readonly string[]) {
  const telltale = values.filter(({ length }) => length >= telling)
  if ([...kept].some(name => telltale.some(value => name.includes(value))))
    throw new Refusal(400, "A value that must be replaced is in a field that can't be changed")
}
