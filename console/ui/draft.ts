import { useState } from 'preact/hooks'

/** A value in words that are the same for the same value: in whichever order its keys and its sets of words are. */
const told = (value: unknown): string => JSON.stringify(value, (_, part) => (isObject(part) ? inOrder(part) : part))

const isObject = (part: unknown): part is object => typeof part === 'object' && part !== null

function inOrder(part: object): unknown {
  if (Array.isArray(part)) return part.every(one => typeof one === 'string') ? part.toSorted() : part
  const entries = Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** What a form holds, which begins with `empty` or with what is stored, and whether it would store something else: `sent` of it. */
export function useDraft<T>(empty: T, sent: (draft: T) => unknown = draft => draft) {
  const [stored, setStored] = useState(empty)
  const [draft, setDraft] = useState(empty)
  const begin = (record: T) => {
    setStored(record)
    setDraft(record)
  }
  const change = (part: Partial<T>) => setDraft({ ...draft, ...part })
  return { draft, change, begin, isChanged: told(sent(draft)) !== told(sent(stored)) }
}
