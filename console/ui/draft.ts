import { useState } from 'preact/hooks'

/** A value in words that are the same for the same value: in whichever order its keys and its sets of words are. */
const told = (value: unknown): string => JSON.stringify(value, (_, part) => (isObject(part) ? inOrder(part) : part))

const isObject = (part: unknown): part is object => typeof part === 'object' && part !== null

function inOrder(part: object): unknown {
  if (Array.isArray(part)) return part.every(one => typeof one === 'string') ? part.toSorted() : part
  const entries = Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/**
 * What a form holds, which begins with `empty` or with what is stored, whether it would store something else (`sent` of it), and
 * which fields of that are others.
 */
export function useDraft<T, S extends object = T & object>(
  empty: T,
  sent: (draft: T) => S = draft => draft as unknown as S,
) {
  const [stored, setStored] = useState(empty)
  const [draft, setDraft] = useState(empty)
  const begin = (record: T) => {
    setStored(record)
    setDraft(record)
  }
  const change = (part: Partial<T>) => setDraft({ ...draft, ...part })
  const changes = (): Partial<S> => {
    const before = sent(stored)
    const others = Object.entries(sent(draft)).filter(([name, value]) => told(value) !== told(before[name as keyof S]))
    return Object.fromEntries(others) as Partial<S>
  }
  return { draft, change, begin, changes, isChanged: told(sent(draft)) !== told(sent(stored)) }
}
