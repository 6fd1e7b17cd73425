/** What the sheets, tables and ranges of a file are called, before and after. Programs don't tell their names apart by case. */
export type SheetNames = {
  /** Notes a sheet of the file. */
  list(name: string): void
  /** What a sheet is called whose name was edited: the same wherever it stands, and like no other sheet. */
  named(name: string, edited: string): string
  /** A reference to cells, an address with `#` or not, whose text was edited: it goes on pointing to its sheet. */
  reference(text: string, edited: string): string
  /** Notes a table or a range with a name. */
  listRange(name: string): void
  /** What a table or range is called whose name was edited; the edited name where there is none of the name. */
  rangeNamed(name: string, edited: string): string
}

/** Longer names of sheets are refused by programs. */
const longest = 31

/** The longest name of a table or a range. */
const longestRange = 255

const pointing = /^(#?\$?)(?:'((?:''|[^'])*)'|([^'!]*?))(!.*|\.\$?[A-Z]{1,3}\$?\d+(?::[.$A-Z\d]+)?)$/s

/** Starts with no sheets. A file may be written more than once: an edited name is given out once and kept. */
export function sheetNames(): SheetNames {
  const sheets = distinct(longest)
  const ranges = distinct(longestRange)
  const named = (name: string, edited: string): string =>
    name === edited ? edited : (sheets.named(name, edited) ?? range(name, edited))
  /** Several sheets are named by the first and the last. */
  const range = (names: string, edited: string): string => {
    const [before, after] = [names.split(':'), edited.split(':')]
    if (before.length !== 2 || after.length !== 2) return edited
    return before.map((name, index) => named(name, after[index]!)).join(':')
  }
  return {
    list: sheets.list,
    named,
    listRange: ranges.list,
    rangeNamed: (name, edited) => (name === edited ? edited : (ranges.named(name, edited) ?? edited)),
    reference(text, edited) {
      const [before, after] = [pointing.exec(text), pointing.exec(edited)]
      if (before === null || after === null) return edited
      const nameOf = ([, , quoted, plain]: RegExpExecArray) => quoted?.replaceAll("''", "'") ?? plain!
      const name = named(nameOf(before), nameOf(after))
      const written = after[2] === undefined ? name : `'${name.replaceAll("'", "''")}'`
      return `${after[1]}${written}${after[4]}`
    },
  }
}

/** Names that must differ: an edited one gets a number where another is called so; undefined for those not listed. */
function distinct(longest: number) {
  const listed = new Set<string>()
  const taken = new Set<string>()
  const given = new Map<string, string>()
  const unused = (wanted: string): string => {
    const base = wanted.slice(0, longest)
    let name = base
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base.slice(0, longest - 4)}_${n}`
    taken.add(name.toLowerCase())
    return name
  }
  return {
    list(name: string) {
      listed.add(name.toLowerCase())
      taken.add(name.toLowerCase())
    },
    named(name: string, edited: string): string | undefined {
      if (!listed.has(name.toLowerCase())) return undefined
      const key = `${name}\n${edited}`.toLowerCase()
      const known = given.get(key) ?? unused(edited)
      given.set(key, known)
      return known
    },
  }
}
