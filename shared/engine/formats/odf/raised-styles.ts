import { stylesOffLine } from '../office/styles-off-line.ts'
import { scanNamed } from '../xml/names.ts'
import { elementDepth } from '../xml/read.ts'
import { odfNamespaces } from './vocabulary.ts'

/** Whether a style's position is above or below the line. */
export const isOffLine = (position: string): boolean =>
  /^\s*(?:super|sub|[-+]?[\d.]*[1-9])/.test(position.split('%')[0]!)

/** Names of the styles of a part whose text stands above or below the line, those that take it from another one too. */
export function raisedStyles(source: string, depth: number): Set<string> {
  if (!source.includes('text-position')) return new Set()
  const styles = stylesOffLine()
  let style = ''
  scanNamed(
    source,
    odfNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value
        if (name === 'style:style') {
          style = value('style:name') ?? ''
          const parent = value('style:parent-style-name')
          if (parent !== undefined) styles.goesBy(style, parent)
        } else if (name === 'style:text-properties') {
          const position = value('style:text-position')
          if (position !== undefined) styles.says(style, isOffLine(position))
        }
      },
      close() {},
      text() {},
    },
    elementDepth(depth),
  )
  return styles.all()
}
