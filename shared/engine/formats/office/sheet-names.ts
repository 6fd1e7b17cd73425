/**
 * What the sheets, tables, their columns, ranges and styles of a file are called, before and after. Programs tell names
 * apart by case in styles only.
 */
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
  /** Notes a column of a table. */
  listColumn(name: string): void
  /** What a column is called whose name was edited, in every table; the edited name where there is none of the name. */
  columnNamed(name: string, edited: string): string
  /** Notes a style by its name or the one that is shown. */
  listStyle(name: string): void
  /** What a style is called whose name was edited; the edited name where there is none of the name. */
  styleNamed(name: string, edited: string): string
}

/** Longer names of sheets are refused by programs. */
const longest = 31

/** The longest name of a table, a range or a style. */
const longestName = 255

const pointing = /^(#?\$?)(?:'((?:''|[^'])*)'|([^'!]*?))(!.*|\.\$?[A-Z]{1,3}\$?\d+(?::[.$A-Z\d]+)?)$/s

/** Starts with no sheets. A file may be written more than once: an edited name is given out once and kept. */
export function sheetNames(): SheetNames {
  const lower = (name: string) => name.toLowerCase()
  const sheets = distinct(longest, lower)
  const ranges = distinct(longestName, lower)
  const columns = distinct(longestName, lower)
  const styles = distinct(longestName, name => name)
  const renamed = (names: typeof sheets) => (name: string, edited: string) =>
    name === edited ? edited : (names.named(name, edited) ?? edited)
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
    rangeNamed: renamed(ranges),
    listColumn: columns.list,
    columnNamed: renamed(columns),
    listStyle: styles.list,
    styleNamed: renamed(styles),
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

/**
 * Names that must differ: an edited one gets a number where another is called so; undefined for those not listed. `fold`
 * makes names equal that programs take for one.
 */
function distinct(longest: number, fold: (name: string) => string) {
  const listed = new Set<string>()
  const taken = new Set<string>()
  const given = new Map<string, string>()
  const unused = (wanted: string): string => {
    const base = wanted.slice(0, longest)
    let name = base
    for (let n = 2; taken.has(fold(name)); n++) name = `${base.slice(0, longest - 4)}_${n}`
    taken.add(fold(name))
    return name
  }
  return {
    list(name: string) {
      listed.add(fold(name))
      taken.add(fold(name))
    },
    named(name: string, edited: string): string | undefined {
      if (!listed.has(fold(name))) return undefined
      const key = fold(`${name}\n${edited}`)
      const known = given.get(key) ?? unused(edited)
      given.set(key, known)
      return known
    },
  }
}
