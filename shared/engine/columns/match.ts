import { withoutMarks } from '../detect/normalise.ts'
import type { Segment } from '../formats/format.ts'

const special = /[.*+?^${}()|[\]\\]/g

/** Whether a column's name is one of `names`: compared exactly, `*` standing for any characters. */
export function columnMatcher(names: readonly string[]): (column: string) => boolean {
  // A list adds nothing to a path: `tags[*]` is `tags`.
  const plain = names.flatMap(name => (name.includes('[*]') ? [name, name.replaceAll('[*]', '')] : [name]))
  const patterns = plain.map(
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

/** Whether a text is the name of its column rather than a value in it: a header, a key. Rules for columns leave it alone. */
export const namesColumn = ({ text, place: { kind, column } }: Segment): boolean =>
  kind === 'header' || kind === 'name' || (kind === 'cell' && withoutMarks(text).trim() === column)
