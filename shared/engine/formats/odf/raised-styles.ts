import { scanNamed } from '../xml/names.ts'
import { elementDepth } from '../xml/read.ts'
import { odfNamespaces } from './vocabulary.ts'

/** Whether a style's position is above or below the line. */
export const isOffLine = (position: string): boolean =>
  /^\s*(?:super|sub|[-+]?[\d.]*[1-9])/.test(position.split('%')[0]!)

/** Names of the styles of a part whose text stands above or below the line, those that take it from another one too. */
export function raisedStyles(source: string, depth: number): Set<string> {
  const raised = new Set<string>()
  if (!source.includes('text-position')) return raised
  const heirs = new Map<string, string[]>()
  const settled = new Set<string>()
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
          if (parent === undefined) return
          const known = heirs.get(parent)
          if (known) known.push(style)
          else heirs.set(parent, [style])
        } else if (name === 'style:text-properties') {
          const position = value('style:text-position')
          if (position === undefined) return
          settled.add(style)
          if (isOffLine(position)) raised.add(style)
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
