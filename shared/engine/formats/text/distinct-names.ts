/** The new name of what was called so before: the wanted one, with a number where something else has it. */
export type Rename = (old: string, wanted: string) => string

/**
 * Gives new names to some of those that must differ from each other, as keys of an object do: readers keep one of two that
 * are the same. `names` is looked at when the first one changes; what was called the same before stays so.
 */
export function distinctNames(names: readonly string[]): Rename {
  // Most objects keep all of their names.
  let state: { taken: Set<string>; given: Map<string, string>; numbers: Map<string, number> } | undefined
  return (old, wanted) => {
    if (wanted === old) return old
    state ??= { taken: new Set(names), given: new Map(), numbers: new Map() }
    const { taken, given, numbers } = state
    const key = `${old}\u0000${wanted}`
    const before = given.get(key)
    if (before !== undefined) return before
    let number = numbers.get(wanted) ?? 1
    let name = number === 1 ? wanted : `${wanted}_${number}`
    while (taken.has(name)) name = `${wanted}_${++number}`
    numbers.set(wanted, number)
    taken.add(name)
    given.set(key, name)
    return name
  }
}
