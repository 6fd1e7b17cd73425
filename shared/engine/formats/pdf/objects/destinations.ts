import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFObject, PDFString } from '@cantoo/pdf-lib'
import { arrayAt, dictAt, resolve, value } from './objects.ts'

const maxNodes = 100_000

/** The named destinations of a document, old style and new; names are text and must not stay in the file. */
export const namedDestinations = (catalog: PDFDict): Map<string, PDFObject> => {
  const found = new Map<string, PDFObject>()
  for (const [name, target] of dictAt(catalog, 'Dests')?.entries() ?? []) found.set(name.decodeText(), target)
  for (const [name, target] of namesIn(dictAt(dictAt(catalog, 'Names'), 'Dests'))) found.set(name, target)
  return found
}

/** What a tree of names holds. */
export function* namesIn(root: PDFDict | undefined): Generator<[name: string, target: PDFObject]> {
  const seen = new Set<PDFDict>()
  const queue = root ? [root] : []
  for (let node = queue.pop(); node && seen.size < maxNodes; node = queue.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    const pairs = arrayAt(node, 'Names') ?? []
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const [name, target] = [pairs[i], pairs[i + 1]]
      if ((name instanceof PDFString || name instanceof PDFHexString) && target) yield [name.decodeText(), target]
    }
    for (const kid of arrayAt(node, 'Kids') ?? []) if (kid instanceof PDFDict) queue.push(kid)
  }
}

/** A destination in plain terms (page and view); undefined for anything else. */
export const explicitDestination = (
  destination: PDFObject | undefined,
  named: Map<string, PDFObject>,
): PDFArray | undefined => {
  const isText = destination instanceof PDFString || destination instanceof PDFHexString
  const target = isText || destination instanceof PDFName ? named.get(destination.decodeText()) : destination
  if (target instanceof PDFArray) return target
  if (!(target instanceof PDFDict)) return undefined
  const explicit = resolve(target.context, value(target, 'D'))
  return explicit instanceof PDFArray ? explicit : undefined
}
