import type { KeyObject } from 'node:crypto'
import { decider, EngineError, type ProposedText, type ProposedValue, type Verdict } from 'anonymisation-engine'
import {
  findProposals,
  type Kept,
  loadDecisions,
  loadKept,
  loadProposals,
  type Reviewed,
  roundOf,
} from '../../store/reviews.ts'
import { decisionsOn, placedAt, roundsOf, takenOn } from './decisions-on.ts'
import { createPlaceDigests, placeKey } from './place-digests.ts'

/** Findings of an asset that are held to be compared; with more of them it is not proposed anew. */
const MAX_HELD = 200_000
/** Of what is gone so many are told, with so many characters in all: they are shown together with a part of the proposals. */
const MAX_TOLD = 1000
const MAX_TOLD_CHARACTERS = 256 * 1024

type Line = ProposedText | ProposedValue

/** A finding of the round before, and what has come of it in the new one. */
type Before = {
  value: string
  label: string
  column?: string
  /** Where it starts in its text, of a document. */
  start: number
  verdict?: Verdict
  /** What has its id now. */
  now?: { value: string; label: string }
  /** Characters of it that are still proposed, under whatever id. */
  covered: number
}

type Carried = {
  /** Is told of everything that is proposed, in order. */
  see(line: Line): void
  /** Which decisions hold, and how much is gone, of which not all is told. */
  end(pages: number): { kept: Kept; gone: number }
}

/**
 * Starts to compare what is proposed for an asset with the round before: decisions hold where the same value is proposed at
 * the same place. Undefined in the first round.
 */
export async function startCarrying(job: Reviewed, assetId: string, key: KeyObject): Promise<Carried | undefined> {
  if (roundOf(job) === 0) return undefined
  const before: Reviewed = { id: job.id, review: { ...job.review!, round: roundOf(job) - 1 } }
  const [row, taken, kept] = await Promise.all([
    findProposals(before, assetId),
    loadDecisions(job, key),
    loadKept(before, assetId, key),
  ])
  const of = { assetId, job: before, kept }
  const decide = decider(decisionsOn(of, taken), roundsOf(before, kept))
  const added = takenOn(of, taken).flatMap(({ n, decision }) => {
    const at = placedAt(decision)
    return at ? { n, at } : []
  })
  const places = added.flatMap(({ at }) => ('textId' in at ? at : []))
  const old = createPlaceDigests(places)
  const held = new Map<string, Before>()
  for (let part = 0; part < (row?.parts ?? 0); part++)
    for (const line of await loadProposals(before, assetId, part, key)) {
      const proposed = JSON.parse(line) as Line
      if ('findings' in proposed) old.see(proposed)
      for (const { id, ...one } of findingsIn(proposed)) {
        const known = held.get(id)
        // What goes on in the next piece of a text is one finding.
        if (known) known.value += one.value
        else held.set(id, { ...one, verdict: decide({ id, ...one }), covered: 0 })
      }
      if (held.size > MAX_HELD) throw new EngineError('review_outdated')
    }
  const compared = compare(held)
  const now = createPlaceDigests(places)
  const digests = old.end()
  return {
    see(line) {
      compared.see(line)
      if ('findings' in line) now.see(line)
    },
    end(pages) {
      const same = now.end()
      const isThere = ({ at }: (typeof added)[number]) => {
        if ('box' in at) return at.page <= pages
        const digest = digests.get(placeKey(at))
        return digest !== undefined && digest === same.get(placeKey(at))
      }
      const additions = added.filter(isThere).map(({ n }) => n)
      const { held, gone } = compared.end()
      return { kept: { held, additions, gone: told(gone) }, gone: gone.length + added.length - additions.length }
    },
  }
}

/** Of what is gone, the first that an answer has room for. */
export function told(gone: readonly Kept['gone'][number][]): Kept['gone'] {
  let left = MAX_TOLD_CHARACTERS
  const fitting = gone.filter(({ value, label, column = '' }) => {
    const characters = value.length + label.length + column.length
    if (characters > left) return false
    left -= characters
    return true
  })
  return fitting
    .slice(0, MAX_TOLD)
    .map(({ value, label, column }) => ({ value, label, ...(column !== undefined && { column }) }))
}

function findingsIn(line: Line) {
  if (!('findings' in line)) {
    const { id, value, label, score, column } = line
    return [{ id, value, label, score, start: 0, ...(column !== undefined && { column }) }]
  }
  const { text, place, findings } = line
  return findings.map(({ id, label, score, start, end }) => {
    return { id, value: text.slice(start, end), label, score, start: start + (place.offset ?? 0) }
  })
}

/** Compares findings of before, by their ids, with what is proposed now. */
function compare(held: ReadonlyMap<string, Before>) {
  const inTexts = new Map<string, ReturnType<typeof createCover>>()
  for (const [textId, some] of Map.groupBy(held, ([id]) => id.slice(0, id.lastIndexOf('.'))))
    inTexts.set(textId, createCover(some.map(([, one]) => one)))
  const inColumns = Map.groupBy(held.values(), columnKey)
  const isSame = ({ value, label, now }: Before) => now?.value === value && now.label === label
  return {
    see(line: Line): void {
      for (const { id, value, label } of findingsIn(line)) {
        const before = held.get(id)
        if (before) before.now = { value: (before.now?.value ?? '') + value, label }
      }
      if ('findings' in line) inTexts.get(line.id)?.(findingsIn(line))
      else for (const before of inColumns.get(columnKey(line)) ?? []) before.covered = before.value.length
    },
    end: () => ({
      held: [...held].flatMap(([id, one]) =>
        one.verdict?.n !== undefined && isSame(one) ? [[id, one.verdict.n] satisfies [string, number]] : [],
      ),
      gone: [...held.values()].filter(
        one => one.verdict?.action !== 'reject' && !isSame(one) && one.covered < one.value.length,
      ),
    }),
  }
}

const columnKey = ({ column, value }: Pick<Before, 'column' | 'value'>) => JSON.stringify([column, value])

/** Starts to count how much of the findings of a text is proposed; both come in the order of their places. */
function createCover(before: readonly Before[]) {
  const end = ({ start, value }: { start: number; value: string }) => start + value.length
  let at = 0
  return (findings: readonly { start: number; value: string }[]): void => {
    for (const now of findings) {
      while (at < before.length && end(before[at]!) <= now.start) at++
      for (let n = at; n < before.length && before[n]!.start < end(now); n++)
        before[n]!.covered += Math.max(0, Math.min(end(before[n]!), end(now)) - Math.max(before[n]!.start, now.start))
    }
  }
}
