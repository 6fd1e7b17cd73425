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
  const raised = new Set<string>()
  if (!/:(?:vertAlign|position)\s/.test(source)) return raised
  const heirs = new Map<string, string[]>()
  const settled = new Set<string>()
  let style = ''
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
        if (name === 'w:style') style = value('w:styleId')
        else if (name === 'w:basedOn') {
          const known = heirs.get(value('w:val'))
          if (known) known.push(style)
          else heirs.set(value('w:val'), [style])
        } else if (name === 'w:vertAlign' || name === 'w:position') {
          settled.add(style)
          if (isOffLine(name, attributes)) raised.add(style)
        }
      },
      close() {},
      text() {},
    },
    elementDepth(depth),
  )
  // A set goes on with what is added to it on the way.
  for (const parent of raised) for (const heir of heirs.get(parent) ?? []) if (!settled.has(heir)) raised.add(heir)
  return raised
}
