const special = /[.*+?^${}()|[\]\\]/g

/** Whether a column's name is one of `names`: compared exactly, `*` standing for any characters. */
export function columnMatcher(names: readonly string[]): (column: string) => boolean {
  const patterns = names.map(
    name => new RegExp(`^${name.replace(special, part => (part === '*' ? '.*' : `\\${part}`))}$`, 'su'),
  )
  const known = new Map<string, boolean>()
  return column => {
    let matches = known.get(column)
    if (matches === undefined) {
      matches = patterns.some(pattern => pattern.test(column))
      known.set(column, matches)
    }
    return matches
  }
}
