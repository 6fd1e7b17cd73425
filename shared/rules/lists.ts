import { checkPattern, faultOfEntry } from 'anonymisation-engine/rules'
import { type Entry, MAX_VALUES } from '../api/lists.ts'
import { ProblemError } from '../api/problems.ts'
import { isVisible } from '../http/authorise.ts'
import type { Caller } from '../http/caller.ts'
import { findRecord } from '../store/records.ts'
import { LIST, type ListRecord } from '../store/value-lists.ts'

/** Refuses lists that are not there, or another's (400 `list_not_found`), each with its place. */
export async function checkLists(
  named: readonly { listId: string; loc: readonly string[] }[],
  user: Caller,
): Promise<void> {
  const missing: string[][] = []
  for (const { listId, loc } of named) {
    const list = await findRecord<ListRecord>(LIST, listId)
    if (!list || !isVisible(user, 'lists', list.ownerId)) missing.push([...loc])
  }
  if (missing.length > 0) throw new ProblemError(missing.map(loc => ({ type: 'list_not_found' as const, loc })))
}

/** Names an entry of a list: it is another one where the same value is matched otherwise. */
export const entryKey = ({ match, value }: Pick<Entry, 'match' | 'value'>): string => `${match}\n${value}`

/** Values that are on a list and those that are put there now, which take the place of the same ones. */
export function merged(before: readonly Entry[], added: readonly Entry[]): Entry[] {
  const all = new Map(before.map(entry => [entryKey(entry), entry]))
  for (const entry of added) {
    all.delete(entryKey(entry))
    all.set(entryKey(entry), entry)
  }
  const entries = [...all.values()]
  for (const match of ['pattern', 'fuzzy'] as const) {
    if (entries.filter(entry => entry.match === match).length > MAX_VALUES[match])
      throw new ProblemError({
        type: 'list_full',
        msg: `A list holds at most ${MAX_VALUES[match]} values of match ${match}`,
      })
  }
  if (entries.length > MAX_VALUES.all)
    throw new ProblemError({ type: 'list_full', msg: `A list holds at most ${MAX_VALUES.all} values` })
  return entries
}

/** Refuses values that can't be looked for (422), each with its place; never shows one. */
export function checkEntries(entries: readonly Pick<Entry, 'value' | 'match'>[], at: (n: number) => string[]): void {
  const wrong = entries.flatMap(({ value, match }, n) => {
    const fault = match === 'pattern' ? faultOfPattern(value) : faultOfEntry({ value, match })
    return fault ? [{ type: 'entry_invalid' as const, msg: `The value ${fault}`, loc: at(n) }] : []
  })
  if (wrong.length > 0) throw new ProblemError(wrong.slice(0, 100))
}

function faultOfPattern(pattern: string): string | undefined {
  const verdict = checkPattern({ pattern })
  return verdict.ok ? undefined : `is no pattern that can be run (${verdict.problems[0]!.type})`
}
