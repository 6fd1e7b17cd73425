import { parse } from 'csv-parse/sync'

/** Longest value of a list, characters. */
const longest = 500

/** The first cells of the rows of a CSV file; undefined where it is none, or holds what no value of a list can be. */
export function valuesOf(file: Buffer): string[] | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file)
    const delimiter = text.slice(0, text.search(/[\r\n]|$/)).includes(';') ? ';' : ','
    const rows = parse(text, { delimiter, bom: true, skip_empty_lines: true, relax_column_count: true, trim: true })
    const values = (rows as string[][]).flatMap(([value]) => value || [])
    return values.length > 0 && values.every(value => value.length <= longest && !/\p{Cc}/u.test(value))
      ? values
      : undefined
  } catch {
    return undefined
  }
}
