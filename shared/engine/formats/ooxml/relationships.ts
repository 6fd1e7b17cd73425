import { posix } from 'node:path'
import { EngineError } from '../../errors.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { officeNamespaces } from './namespaces.ts'

/** A pointer from one part of a package to another, or out of it, and where it is written. */
export type Relationship = {
  id: string
  /** Last word of its type: `hyperlink`, `image`, `vbaProject`. */
  kind: string
  external: boolean
  /** Name of the part, without a leading slash; the address where external. */
  target: string
  /** The whole element in its part. */
  /** Where an inner target names a place in its part, behind `#`: that place. */
  fragment?: string
  start: number
  end: number
  targetStart: number
  targetEnd: number
}

/** Name of the part that holds the relationships of `part`; those of the package itself for `''`. */
export function relationshipsOf(part: string): string {
  const { dir, base } = posix.parse(part)
  return posix.join(dir, '_rels', `${base}.rels`)
}

/** Reads a part of relationships whose owner is `part`. */
export function readRelationships(source: string, part: string): Relationship[] {
  const found: Relationship[] = []
  let open: Relationship | undefined
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, end, _empty, attributes) {
        if (name !== 'rel:Relationship') return
        const attribute = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)
        const target = attribute('Target')
        const type = attribute('Type')
        if (target === undefined || type === undefined)
          throw new EngineError('corrupt_file', 'A relationship of the package is incomplete')
        const external = attribute('TargetMode')?.value === 'External'
        const address = decodeXml(target.value)
        open = {
          id: decodeXml(attribute('Id')?.value ?? ''),
          kind: type.value.slice(type.value.lastIndexOf('/') + 1),
          external,
          target: external ? address : resolve(part, address),
          ...(!external && address.includes('#') && { fragment: address.slice(address.indexOf('#') + 1) }),
          start,
          end,
          targetStart: target.valueStart,
          targetEnd: target.valueEnd,
        }
        found.push(open)
      },
      close(name, _start, end) {
        if (name !== 'rel:Relationship' || open === undefined) return
        open.end = end
        open = undefined
      },
      text() {},
    },
    16,
  )
  return found
}

function resolve(part: string, target: string): string {
  const path = target.split('#')[0]!.replaceAll('\\', '/')
  let plain = path
  try {
    plain = decodeURIComponent(path)
  } catch {
    // A percent sign that encodes nothing stands for itself.
  }
  return posix.join('/', plain.startsWith('/') ? '' : posix.dirname(part), plain).slice(1)
}
