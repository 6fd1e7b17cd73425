import { writeEmbedded } from '../container/embedded-files.ts'
import type { Editor, Place, WriteReport } from '../format.ts'
import { decodeUrl } from '../html/values.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { addressWording } from '../office/wording.ts'
import { mergeReport } from '../report.ts'
import { editTextNodes, type Patch, splice, type TextNode } from '../text/text-nodes.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import type { ZipWriter } from '../zip/write.ts'
import { blankPicture, blankPng } from './blank-image.ts'
import { identifier } from './formulas.ts'
import { officeNamespaces } from './namespaces.ts'
import type { OfficePackage, Part } from './package.ts'
import { relationshipsOf } from './relationships.ts'

/** The addresses that a part points to outside of the package, and the names of sheets that it points to inside. */
export function addressNodes(part: Part, sheets: SheetNames): TextNode[] {
  const place: Place = { kind: 'link', ...(part.name === '' ? {} : { part: part.name }) }
  const nodes: TextNode[] = []
  for (const { external, target, fragment, id, targetStart, targetEnd } of part.relationships) {
    if (fragment && !part.gone.has(id)) {
      const url = decodeUrl(fragment)
      const start = part.relationshipSource!.text.indexOf('#', targetStart) + 1
      const encode = (text: string) => encodeXml(url.encode(sheets.reference(url.text, text)))
      const run = { text: url.text, start, end: targetEnd, encode, escape: identifier }
      nodes.push({
        segment: { text: url.text, place, visible: false, wording: addressWording(url.text) },
        runs: [run],
      })
    }
    if (!external || part.gone.has(id) || target === '') continue
    const url = decodeUrl(target)
    // Office reports a package as damaged when an address in it is none.
    const encode = (text: string) =>
      encodeXml(encodeURI(sheets.reference(url.text, text).toWellFormed()).replace(/[[\]|^`\\]/g, encodeURIComponent))
    const inside = target.startsWith('#') ? { escape: identifier } : {}
    const run = { text: url.text, start: targetStart, end: targetEnd, encode, ...inside }
    nodes.push({ segment: { text: url.text, place, visible: false, wording: addressWording(url.text) }, runs: [run] })
  }
  return nodes
}

/** What changes in a part's relationships whatever is found: those to parts that are left out, or shown as empty. */
function relationshipPatches(part: Part, opened: OfficePackage): Patch[] {
  const patches: Patch[] = []
  for (const { id, external, kind, target, start, end, targetStart, targetEnd } of part.relationships) {
    if (part.gone.has(id)) patches.push({ start, end, text: '' })
    else if (!external) {
      const part = opened.parts.get(target)
      const renamed = kind === 'image' && opened.blanked.has(target) ? blankPicture : part?.name
      if (renamed === undefined || renamed === part?.entry) continue
      patches.push({ start: targetStart, end: targetEnd, text: encodeXml(`/${encodeURI(renamed)}`) })
    }
  }
  return patches
}

/** The names of all parts that are written, by those of their entries in lower case; relationships are parts too. */
function writtenNames({ parts, root }: OfficePackage): Map<string, string> {
  const names = new Map<string, string>()
  for (const { entry, name, relationshipSource } of [root, ...parts.values()]) {
    if (name !== '') names.set(`/${entry.toLowerCase()}`, `/${name}`)
    if (relationshipSource !== undefined)
      names.set(`/${relationshipsOf(entry).toLowerCase()}`, `/${relationshipsOf(name)}`)
  }
  return names
}

const relationshipType = 'application/vnd.openxmlformats-package.relationships+xml'

/**
 * What changes in the list of content types: parts that are left out and extensions that no part has are not named, the
 * empty picture is typed, and so are relationships, which some programs type one by one.
 */
function contentTypePatches(opened: OfficePackage): Patch[] {
  const source = opened.types.text
  const written = writtenNames(opened)
  const patches: Patch[] = []
  const lacking = new Map([['rels', relationshipType]])
  if (opened.blanked.size > 0) lacking.set('png', 'image/png')
  const used = new Set([...written.values()].map(name => name.slice(name.lastIndexOf('.') + 1).toLowerCase()))
  for (const extension of lacking.keys()) used.add(extension)
  let left = -1
  const leaveOut = (start: number, end: number, empty: boolean) => {
    if (empty) patches.push({ start, end, text: '' })
    else left = start
  }
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, end, empty, attributes) {
        const attribute = (wanted: string) => attributes.find(({ name: own }) => own === wanted)
        if (name === 'ct:Default') {
          const extension = decodeXml(attribute('Extension')?.value ?? '').toLowerCase()
          lacking.delete(extension)
          if (!used.has(extension)) leaveOut(start, end, empty)
        }
        if (name !== 'ct:Override') return
        const listed = attribute('PartName')
        const entry = decodeXml(listed?.value ?? '').toLowerCase()
        const own = written.get(entry)
        if (own === undefined) leaveOut(start, end, empty)
        else if (own.toLowerCase() !== entry)
          patches.push({ start: listed!.valueStart, end: listed!.valueEnd, text: encodeXml(own) })
      },
      close(name, start, end) {
        if (left >= 0) {
          patches.push({ start: left, end, text: '' })
          left = -1
        }
        if (name === 'ct:Types') {
          const prefix = /^<\/(\w+:)?/.exec(source.slice(start, end))?.[1] ?? ''
          const defaults = [...lacking].map(
            ([extension, type]) => `<${prefix}Default Extension="${extension}" ContentType="${type}"/>`,
          )
          patches.push({ start, end: start, text: defaults.join('') })
        }
      },
      text() {},
    },
    16,
  )
  return patches
}

/** Writes the list of content types and, where it is needed, the empty picture. */
export async function writeTypes(opened: OfficePackage, zip: ZipWriter): Promise<void> {
  const types = splice(opened.types.text, contentTypePatches(opened))
  await zip.add('[Content_Types].xml', opened.types.encode(types))
  if (opened.blanked.size > 0 && !opened.parts.has(blankPicture)) await zip.add(blankPicture, blankPng, { store: true })
}

/** Writes the relationships of a part; its addresses are edited. */
export async function writeRelationships(
  part: Part,
  opened: OfficePackage,
  edit: Editor,
  zip: ZipWriter,
): Promise<void> {
  const source = part.relationshipSource
  if (source === undefined) return
  const patches = await editTextNodes(addressNodes(part, opened.sheetNames), edit)
  const text = splice(source.text, [...relationshipPatches(part, opened), ...patches])
  await zip.add(relationshipsOf(part.name), source.encode(text))
}

/** Writes a part that another format reads, or that is kept as it is. */
export async function writeInner(
  part: Part,
  opened: OfficePackage,
  edit: Editor,
  zip: ZipWriter,
  report: WriteReport,
  shown = true,
): Promise<void> {
  if (part.nested !== undefined) {
    const { bytes, report: inner } = await writeEmbedded(part.nested, part.name, edit, shown)
    await zip.add(part.name, bytes)
    mergeReport(report, inner)
  } else if (part.content === 'blank') await zip.add(part.name, blankPng, { store: true })
  else if (part.content === 'kept' && part.name !== '') {
    await zip.add(part.name, await opened.zip.bytes(part.entry))
    report.warnings.push('Pictures were kept as they are and not looked into')
  }
}
