import { EngineError } from '../../errors.ts'

const attribute = /\s+(?:[\w.-]+:)?number-columns-repeated\s*=\s*(?:"(\d+)"|'(\d+)')/
const valued = /\s[\w.-]+:(?:(?:date-|time-|string-|boolean-)?value|formula)\s*=/
const cellTag =
  /<((?:[A-Za-z_][\w.-]*:)?)((?:covered-)?table-cell)(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y

/** Spreadsheet programs know so many columns at most. */
const maxColumns = 16_384

/**
 * Rows in which every cell with content stands on its own: programs write neighbours that are equal once with their
 * number, but rules may look at one of the columns only. `room` is how many characters may be added.
 */
export function spreadCells(rows: string, room: number): string {
  let out = ''
  let done = 0
  for (let found = rows.indexOf('number-columns-repeated'); found >= 0; ) {
    const start = rows.lastIndexOf('<', found)
    cellTag.lastIndex = start
    const match = start < done ? null : cellTag.exec(rows)
    let next = found + 1
    if (match !== null) {
      const [tag, prefix, name, empty] = match
      const close = `</${prefix}${name}`
      const inner = start + tag.length
      const outer = empty ? inner : rows.indexOf(close, inner)
      const end = empty ? inner : rows.indexOf('>', outer) + 1
      const count = Number(attribute.exec(tag)?.slice(1).find(Boolean) ?? 1)
      if (end > start && count > 1 && (valued.test(tag) || /\S/.test(rows.slice(inner, outer)))) {
        if (rows.slice(inner, outer).includes('table-cell'))
          throw new EngineError('corrupt_file', 'A cell of the spreadsheet that is repeated holds a table')
        if (count > maxColumns || (end - start) * count > room - out.length)
          throw new EngineError('limit_exceeded', 'Cells of the spreadsheet are repeated beyond the limit')
        out += rows.slice(done, start) + (tag.replace(attribute, '') + rows.slice(inner, end)).repeat(count)
        done = end
        next = end
      }
    }
    found = rows.indexOf('number-columns-repeated', next)
  }
  return done === 0 ? rows : out + rows.slice(done)
}
