import { posix } from 'node:path'
import { EngineError } from '../../errors.ts'
import { type EmbeddedFile, isPicture, openEmbedded } from '../container/embedded-files.ts'
import type { FormatContext, Input } from '../format.ts'
import { type SheetNames, sheetNames } from '../office/sheet-names.ts'
import { type DecodedText, decodeText } from '../text/decoded-text.ts'
import { withoutDoctype } from '../xml/doctype.ts'
import { scanXml } from '../xml/scan.ts'
import { openZip, type Zip } from '../zip/read.ts'
import { isMakerOnly, makerOf } from './app-properties.ts'
import { blankPicture, blankPng } from './blank-image.ts'
import { type Relationship, readRelationships, relationshipsOf } from './relationships.ts'
import { droppedRelationships, keptRelationships } from './vocabulary.ts'

/** A part that is kept: XML that is read here, a file that another format reads, or one that its owner streams. */
export type Part = {
  /** Name in the output; that of an embedded file is a neutral one where the file's own may tell something. */
  name: string
  /** Name of its entry in the archive. */
  entry: string
  /** Kind of the relationship that leads to it first. */
  kind: string
  content: 'xml' | 'nested' | 'kept' | 'streamed' | 'blank'
  source?: DecodedText
  nested?: EmbeddedFile
  relationships: Relationship[]
  relationshipSource?: DecodedText
  /** Identifiers of its relationships whose targets are left out. */
  gone: Set<string>
}

/** An opened package with all that is kept of it, in the order in which relationships lead to it. */
export type OfficePackage = {
  zip: Zip
  /** Name of the main part. */
  main: string
  /** By the names of their entries. */
  parts: Map<string, Part>
  /** Relationships of the package itself. */
  root: Part
  types: DecodedText
  dropped: Map<string, number>
  /** Parts shown as an empty picture because nothing can read them. */
  blanked: Set<string>
  sheetNames: SheetNames
}

const contentTypes = '[Content_Types].xml'

/** How the owner of a package treats some kinds of parts. */
export type PackageWays = {
  /** Kinds that are streamed instead of being read as a whole. */
  streamed: readonly string[]
  /** Whether embedded documents are anonymised too; they are left out otherwise. */
  embedded: boolean
  /** Whether it is kept that a well-known program wrote the file. */
  maker: boolean
}

/**
 * Opens a package and follows its relationships from the root: what no relationship of a known kind leads to is left
 * out. Throws `corrupt_file`, `encrypted_file` or `limit_exceeded`.
 */
export async function openPackage(input: Input, context: FormatContext, ways: PackageWays): Promise<OfficePackage> {
  const zip = await openZip(input, context)
  try {
    return await walk(zip, context, ways)
  } catch (error) {
    zip.close()
    throw error
  }
}

async function walk(zip: Zip, context: FormatContext, ways: PackageWays): Promise<OfficePackage> {
  const names = new Map(zip.entries.map(({ name }) => [name.toLowerCase(), name]))
  const text = async (name: string) => {
    const source = decodeText(await zip.bytes(name), {})
    const plain = withoutDoctype(source.text)
    if (plain !== source.text) leave('document type declarations')
    return { ...source, text: plain }
  }
  if (!names.has(contentTypes.toLowerCase()) || !names.has('_rels/.rels'))
    throw new EngineError('corrupt_file', 'The package has no list of its parts')
  const dropped = new Map<string, number>()
  const leave = (what: string) => void dropped.set(what, (dropped.get(what) ?? 0) + 1)
  const root: Part = { name: '', entry: '', kind: '', content: 'kept', relationships: [], gone: new Set() }
  const parts = new Map<string, Part>()
  const blanked = new Set<string>()
  const reached = new Set<string>()
  const opened: OfficePackage = {
    zip,
    main: '',
    parts,
    root,
    types: await text(names.get(contentTypes.toLowerCase())!),
    dropped,
    blanked,
    sheetNames: sheetNames(),
  }
  const queue: Part[] = [root]
  for (let owner = queue.shift(); owner !== undefined; owner = queue.shift()) {
    context.signal.throwIfAborted()
    const list = names.get(relationshipsOf(owner.entry).toLowerCase())
    if (list === undefined) continue
    owner.relationshipSource = await text(list)
    owner.relationships = readRelationships(owner.relationshipSource.text, owner.entry)
    reached.add(list)
    for (const relationship of owner.relationships) {
      const { id, kind, external } = relationship
      const name = external ? undefined : names.get(relationship.target.toLowerCase())
      if (name !== undefined) reached.add(name)
      const properties = ways.maker && kind === 'extended-properties' && name ? await text(name) : undefined
      const maker = properties && makerOf(properties)
      if (properties && maker && !isMakerOnly(properties)) leave('properties')
      if (kind === 'officeDocument' && name?.toLowerCase().endsWith('.bin'))
        throw new EngineError('unsupported_format', 'Binary workbooks (.xlsb) are not supported; save as .xlsx')
      const keeps =
        maker !== undefined || (external ? kind === 'hyperlink' : name !== undefined && keptRelationships.has(kind))
      if (!keeps) {
        // A link to a place in the same file has no part of its own.
        if (kind === 'hyperlink' && !external) continue
        owner.gone.add(id)
        if (name !== undefined || external) leave(droppedRelationships[kind] ?? 'unknown parts')
        continue
      }
      if (name === undefined || blanked.has(name)) continue
      relationship.target = name
      const known = parts.get(name)
      if (known !== undefined) continue
      const part: Part = { name, entry: name, kind, content: 'xml', relationships: [], gone: new Set() }
      if (maker !== undefined) part.source = maker
      else if (ways.streamed.includes(kind)) part.content = 'streamed'
      else if (kind === 'image') {
        const way = context.options.pictures
        if (name === blankPicture && blankPng.equals(await zip.bytes(name))) part.content = 'blank'
        else if (way === 'keep') part.content = 'kept'
        else {
          part.nested =
            way === 'blank'
              ? undefined
              : await openEmbedded(await zip.bytes(name), name, context, { accepts: isPicture })
          part.content = 'nested'
          if (part.nested === undefined) {
            blanked.add(name)
            leave('pictures')
            continue
          }
        }
      } else if (kind === 'package' || kind === 'aFChunk') {
        if (ways.embedded) part.nested = await openEmbedded(await zip.bytes(name), name, context)
        part.content = 'nested'
      } else part.source = readable(await text(name), kind)
      if (part.nested === undefined && part.content === 'nested') {
        owner.gone.add(id)
        leave('embedded objects')
        continue
      }
      if (part.content === 'xml' && part.source === undefined) {
        owner.gone.add(id)
        leave('drawings')
        continue
      }
      if (part.content === 'nested' || part.content === 'kept') part.name = neutralName(name, parts.size)
      parts.set(name, part)
      queue.push(part)
      if (kind === 'officeDocument') opened.main = name
    }
  }
  if (opened.main === '') throw new EngineError('corrupt_file', 'The package has no main part')
  for (const { name } of zip.entries)
    if (!reached.has(name) && name.toLowerCase() !== contentTypes.toLowerCase()) leave('stray parts')
  return opened
}

const usual = /^(?:image|media|picture|chart|package|afchunk|Microsoft(?:_[A-Za-z]+)+)[-_]?\d*\.\w{2,5}$/i

function neutralName(name: string, number: number): string {
  const { dir, base, ext } = posix.parse(name)
  return usual.test(base) ? name : posix.join(dir, `file${number}${ext}`)
}

/** Old drawings are often no XML at all; nothing can be said of those. */
function readable(source: DecodedText, kind: string): DecodedText | undefined {
  if (kind !== 'vmlDrawing') return source
  try {
    scanXml(source.text, { open() {}, close() {}, text() {} })
    return source
  } catch (error) {
    if (error instanceof EngineError && error.type === 'corrupt_file') return undefined
    throw error
  }
}

/** Closes the package and every file inside of it. */
export async function closePackage(opened: OfficePackage): Promise<void> {
  for (const { nested } of opened.parts.values()) await nested?.file.close()
  opened.zip.close()
}
