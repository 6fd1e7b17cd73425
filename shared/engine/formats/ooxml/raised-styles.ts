import { stylesOffLine } from '../office/styles-off-line.ts'
import { type NamedAttribute, scanNamed } from '../xml/names.ts'
import { elementDepth } from '../xml/read.ts'
import { officeNamespaces } from './namespaces.ts'

/** Whether a property of a run sets it above or below the line, as numbers of notes are; undefined where it doesn't say. */
export function isOffLine(property: string, attributes: readonly NamedAttribute[]): boolean | undefined {
  const value = attributes.find(({ name }) => /^(?:\w+:)?(?:val|baseline)$/.test(name))?.value ?? ''
  if (/:vertAlign$/.test(property)) return value.endsWith('script')
  if (property === 'w:position' || property === 'a:rPr') return /[1-9]/.test(value)
  return undefined
}

/** Identifiers of the styles of a document that do so, those that are based on others too. */
export function raisedStyles(source: string, depth: number): Set<string> {
  if (!/:(?:vertAlign|position)\s/.test(source)) return new Set()
  const styles = stylesOffLine()
  let style = ''
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
        if (name === 'w:style') style = value('w:styleId')
        else if (name === 'w:basedOn') styles.goesBy(style, value('w:val'))
        else if (name === 'w:vertAlign' || name === 'w:position')
          styles.says(style, isOffLine(name, attributes) === true)
      },
      close() {},
      text() {},
    },
    elementDepth(depth),
  )
  return styles.all()
}
