import { posix } from 'node:path'
import { EngineError } from '../../errors.ts'
import { type EmbeddedFile, isPicture, openEmbedded } from '../container/embedded-files.ts'
import type { FormatContext, Input } from '../format.ts'
import { inUtf8 } from '../office/recoded-parts.ts'
import { type SheetNames, sheetNames } from '../office/sheet-names.ts'
import { blankPicture, blankPng } from '../ooxml/blank-image.ts'
import { unknownParts } from '../report.ts'
import { type DecodedText, decodeText } from '../text/decoded-text.ts'
import { withoutDoctype } from '../xml/doctype.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { openZip, type Zip } from '../zip/read.ts'
import type { OdfContent, References } from './part-state.ts'
import { raisedStyles } from './raised-styles.ts'
import { odfNamespaces } from './vocabulary.ts'
import { readOdfPart } from './xml-part.ts'

/** A part that is kept. */
export type OdfPart = {
  name: string
  entry: string
  source?: DecodedText
  content?: OdfContent
  nested?: EmbeddedFile
  kept?: true
  /** Read by its owner and not as a whole. */
  streamed?: true
}

/** An opened OpenDocument file with all that is kept of it. */
export type OdfPackage = {
  zip: Zip
  mimetype: string
  manifest: DecodedText
  parts: OdfPart[]
  /** Names of all entries. */
  names: ReadonlySet<string>
  dropped: Map<string, number>
  blanked: boolean
  sheetNames: SheetNames
  /** Names of the styles of the whole file whose text stands above or below the line. */
  raised: ReadonlySet<string>
}

const manifestName = 'META-INF/manifest.xml'

/** XML that holds content: the document's own, and that of charts and formulas embedded in it. */
const contentPart = /^(?:[^/]+\/)?(?:content|styles|settings)\.xml$/

/** Whether a part belongs to an embedded chart or formula. */
export const isObject = ({ entry }: OdfPart): boolean => entry.includes('/') && contentPart.test(entry)

/** The folders of pictures, of the document and of objects in it: Microsoft Office calls them otherwise. */
const pictureFolder = /^(?:[^/]+\/)?(?:Pictures|media)\//

const reportNames: [pattern: RegExp, what: string][] = [
  [/(?:^|\/)meta\.xml$/, 'properties'],
  [/^Thumbnails\//, 'previews'],
  [/^ObjectReplacements\//, 'previews'],
  [/^(?:Basic|Scripts|Dialogs)\//, 'macros'],
  [/^META-INF\/.*signatures/, 'signatures'],
  [/^Configurations2\//, 'private settings'],
  [/^(?:manifest\.rdf|layout-cache)$/, 'properties'],
  [/^Fonts\//, 'embedded fonts'],
]

/** Opens a file, all of it but the part that is streamed. Throws `encrypted_file` where any of its parts is encrypted. */
export async function openOdf(input: Input, context: FormatContext, streamed?: string): Promise<OdfPackage> {
  const zip = inUtf8(await openZip(input, context))
  const parts: OdfPart[] = []
  try {
    return await read(zip, parts, context, streamed)
  } catch (error) {
    await closeOdf({ zip, parts })
    throw error
  }
}

async function read(zip: Zip, parts: OdfPart[], context: FormatContext, streamed?: string): Promise<OdfPackage> {
  const names = new Set(zip.entries.map(({ name }) => name))
  if (!names.has('content.xml') || !names.has(manifestName))
    throw new EngineError('corrupt_file', 'The file lacks its content or the list of its parts')
  const text = async (name: string) => {
    const source = decodeText(await zip.bytes(name), {})
    const plain = withoutDoctype(source.text)
    if (plain !== source.text && name !== manifestName) drop('document type declarations')
    return { ...source, text: plain }
  }
  const dropped = new Map<string, number>()
  const drop = (what: string) => void dropped.set(what, (dropped.get(what) ?? 0) + 1)
  const manifest = await text(manifestName)
  if (manifestNames(manifest.text).encrypted) throw new EngineError('encrypted_file')
  const mimetype = names.has('mimetype') ? (await zip.bytes('mimetype')).toString('latin1').trim() : ''
  let blanked = false
  for (const { name } of zip.entries) {
    context.signal.throwIfAborted()
    if (name === 'mimetype' || name === manifestName) continue
    if (name === streamed) parts.push({ name, entry: name, streamed: true })
    else if (contentPart.test(name)) parts.push({ name, entry: name, source: await text(name) })
    else if (pictureFolder.test(name) || name === blankPicture) {
      const bytes = await zip.bytes(name)
      const ways = context.options.pictures
      if (name === blankPicture && blankPng.equals(bytes)) blanked = true
      else if (ways === 'keep') parts.push({ name: neutral(name, parts.length), entry: name, kept: true })
      else {
        const nested = ways === 'blank' ? undefined : await openEmbedded(bytes, name, context, { accepts: isPicture })
        if (nested !== undefined) parts.push({ name: neutral(name, parts.length), entry: name, nested })
        else {
          blanked = true
          drop('pictures')
        }
      }
    } else drop(reportNames.find(([pattern]) => pattern.test(name))?.[1] ?? unknownParts)
  }
  // The order in the archive is that of its writer; the content comes first here whatever it is.
  const rank = ({ entry }: OdfPart) => (entry === 'content.xml' ? 0 : entry === 'styles.xml' ? 1 : 2)
  parts.sort((a, b) => rank(a) - rank(b))
  const styles = parts.find(({ entry }) => entry === 'styles.xml')?.source?.text ?? ''
  const raised = raisedStyles(styles, context.limits.depth)
  const opened = { zip, mimetype, manifest, parts, names, dropped, blanked, sheetNames: sheetNames(), raised }
  for (const part of parts) {
    if (part.source === undefined) continue
    const references = referencesOf(part, opened)
    const shared = { part: part.name, depth: context.limits.depth, references, sheets: opened.sheetNames, raised }
    part.content = readOdfPart(part.source.text, shared)
    for (const [what, count] of part.content.dropped) dropped.set(what, (dropped.get(what) ?? 0) + count)
    if (part.content.tables > context.limits.pages) throw new EngineError('limit_exceeded', 'There are too many tables')
  }
  return opened
}

/** What references in a part into the package become. */
export function referencesOf(part: OdfPart, { parts, names }: Pick<OdfPackage, 'parts' | 'names'>): References {
  const folder = posix.dirname(part.entry)
  const kept = new Map(parts.map(({ entry, name }) => [entry, name]))
  return href => {
    if (href === '' || href.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//'))
      return undefined
    const target = posix.join(folder, href.replace(/^\.\//, ''))
    const name = kept.get(target)
    if (name !== undefined) return { name: name === target ? href : posix.relative(folder, name) }
    // An embedded object is a folder of parts, which Microsoft Office writes with a slash behind it.
    if (kept.has(posix.join(target, 'content.xml'))) return { name: href }
    if (pictureFolder.test(target) && names.has(target)) return { name: posix.relative(folder, blankPicture) }
    return names.has(target) || /^(?:\.\/)?(?:Object|Pictures|media|Thumbnails|Basic)/.test(href) ? 'gone' : undefined
  }
}

const usual = /^(?:[0-9A-Fa-f]{16,}|image\d*)\.\w{2,5}$/

function neutral(name: string, number: number): string {
  const { dir, base, ext } = posix.parse(name)
  return usual.test(base) ? name : posix.join(dir, `file${number}${ext}`)
}

/** What a manifest lists: its entries and where they are written. */
export function manifestNames(source: string): {
  encrypted: boolean
  entries: { path: string; start: number; end: number }[]
} {
  const entries: { path: string; start: number; end: number }[] = []
  let encrypted = false
  let open = -1
  scanNamed(
    source,
    odfNamespaces,
    {
      open(name, start, end, _empty, attributes) {
        if (name === 'manifest:encryption-data' || name === 'manifest:encrypted-key') encrypted = true
        if (name !== 'manifest:file-entry') return
        const path = attributes.find(({ canonical }) => canonical === 'manifest:full-path')
        open = entries.push({ path: decodeXml(path?.value ?? ''), start, end }) - 1
      },
      close(name, _start, end) {
        if (name === 'manifest:file-entry' && open >= 0) entries[open]!.end = Math.max(entries[open]!.end, end)
      },
      text() {},
    },
    64,
  )
  return { encrypted, entries }
}

/** Closes the archive and every file inside of it. */
export async function closeOdf({ zip, parts }: Pick<OdfPackage, 'zip' | 'parts'>): Promise<void> {
  for (const { nested } of parts) await nested?.file.close()
  zip.close()
}
