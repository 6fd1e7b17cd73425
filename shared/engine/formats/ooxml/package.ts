import { posix } from 'node:path'
import { EngineError } from '../../errors.ts'
import { type EmbeddedFile, isPicture, openEmbedded } from '../container/embedded-files.ts'
import type { FormatContext, Input } from '../format.ts'
import { inUtf8 } from '../office/recoded-parts.ts'
import { type SheetNames, sheetNames } from '../office/sheet-names.ts'
import { unknownParts } from '../report.ts'
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
  const zip = inUtf8(await openZip(input, context))
  try {
    return await walk(zip, context, ways)
  } catch (error) {
    zip.close()
    throw error
  }
}

/** The package that is being opened, and what was met on the way. */
type Walk = {
  zip: Zip
  dropped: Map<string, number>
  opened: OfficePackage
  context: FormatContext
  ways: PackageWays
  /** Names of entries by what they are in lower case. */
  names: Map<string, string>
  /** Entries that a relationship leads to. */
  reached: Set<string>
}

async function walk(zip: Zip, context: FormatContext, ways: PackageWays): Promise<OfficePackage> {
  const names = new Map(zip.entries.map(({ name }) => [name.toLowerCase(), name]))
  const types = names.get(contentTypes.toLowerCase())
  if (types === undefined || !names.has('_rels/.rels'))
    throw new EngineError('corrupt_file', 'The package has no list of its parts')
  const dropped = new Map<string, number>()
  const opened: OfficePackage = {
    zip,
    main: '',
    parts: new Map(),
    root: { name: '', entry: '', kind: '', content: 'kept', relationships: [], gone: new Set() },
    types: await readXml({ zip, dropped }, types),
    dropped,
    blanked: new Set(),
    sheetNames: sheetNames(),
  }
  const step: Walk = { zip, dropped, opened, context, ways, names, reached: new Set([types]) }
  const queue: Part[] = [opened.root]
  for (let owner = queue.shift(); owner !== undefined; owner = queue.shift()) {
    context.signal.throwIfAborted()
    const list = names.get(relationshipsOf(owner.entry).toLowerCase())
    if (list === undefined) continue
    step.reached.add(list)
    owner.relationshipSource = await readXml(step, list)
    owner.relationships = readRelationships(owner.relationshipSource.text, owner.entry)
    for (const relationship of owner.relationships) {
      const part = await follow(step, owner, relationship)
      if (part) queue.push(part)
    }
  }
  if (opened.main === '') throw new EngineError('corrupt_file', 'The package has no main part')
  for (const { name } of zip.entries) if (!step.reached.has(name)) drop(step, 'stray parts')
  return opened
}

function drop({ dropped }: Pick<Walk, 'dropped'>, what: string): void {
  dropped.set(what, (dropped.get(what) ?? 0) + 1)
}

async function readXml(step: Pick<Walk, 'zip' | 'dropped'>, name: string): Promise<DecodedText> {
  const source = decodeText(await step.zip.bytes(name), {})
  const text = withoutDoctype(source.text)
  if (text !== source.text) drop(step, 'document type declarations')
  return { ...source, text }
}

/** Opens the part that a relationship leads to; undefined where it is left out, is open already, or is no part. */
async function follow(step: Walk, owner: Part, relationship: Relationship): Promise<Part | undefined> {
  const { opened, names, reached } = step
  const { id, kind, external } = relationship
  const name = external ? undefined : names.get(relationship.target.toLowerCase())
  if (name !== undefined) reached.add(name)
  if (kind === 'officeDocument' && name?.toLowerCase().endsWith('.bin'))
    throw new EngineError('unsupported_format', 'Binary workbooks (.xlsb) are not supported; save as .xlsx')
  const maker = kind === 'extended-properties' && name !== undefined ? await readMaker(step, name) : undefined
  const keeps = external ? kind === 'hyperlink' : name !== undefined && keptRelationships.has(kind)
  if (!keeps && maker === undefined) {
    // A link to a place in the same file has no part of its own.
    if (kind === 'hyperlink' && !external) return undefined
    owner.gone.add(id)
    if (name !== undefined || external)
      drop(step, droppedRelationships.get(kind) ?? (external ? 'external links' : unknownParts))
    return undefined
  }
  if (name === undefined || opened.blanked.has(name)) return undefined
  relationship.target = name
  if (opened.parts.has(name)) return undefined
  const content = maker ?? (await readContent(step, name, kind))
  if (content === undefined) {
    if (kind === 'image') opened.blanked.add(name)
    else owner.gone.add(id)
    drop(step, unreadable[kind] ?? unknownParts)
    return undefined
  }
  const isFile = content.content === 'nested' || content.content === 'kept'
  const ownName = isFile ? neutralName(name, opened.parts.size) : name
  const part: Part = { name: ownName, entry: name, kind, relationships: [], gone: new Set(), ...content }
  opened.parts.set(name, part)
  if (kind === 'officeDocument') opened.main = name
  return part
}

type PartContent = Pick<Part, 'content' | 'source' | 'nested'>

/** The properties of a workbook, where it is kept who wrote it. */
async function readMaker(step: Walk, name: string): Promise<PartContent | undefined> {
  if (!step.ways.maker) return undefined
  const properties = await readXml(step, name)
  const source = makerOf(properties)
  if (source && !isMakerOnly(properties)) drop(step, 'properties')
  return source && { content: 'xml', source }
}

/** What the report calls the parts that can't be read, by the kinds of their relationships. */
const unreadable: Record<string, string> = {
  image: 'pictures',
  package: 'embedded objects',
  aFChunk: 'embedded objects',
  vmlDrawing: 'drawings',
}

/** Reads a part that is kept; undefined where nothing can read it. */
async function readContent(step: Walk, name: string, kind: string): Promise<PartContent | undefined> {
  if (step.ways.streamed.includes(kind)) return { content: 'streamed' }
  if (kind === 'image') return readImage(step, name)
  if (kind === 'package' || kind === 'aFChunk') return readEmbedded(step, name)
  const source = await readXml(step, name)
  return kind !== 'vmlDrawing' || isXml(source) ? { content: 'xml', source } : undefined
}

async function readImage({ zip, context }: Walk, name: string): Promise<PartContent | undefined> {
  const { pictures } = context.options
  if (name === blankPicture && blankPng.equals(await zip.bytes(name))) return { content: 'blank' }
  if (pictures === 'keep') return { content: 'kept' }
  if (pictures === 'blank') return undefined
  const nested = await openEmbedded(await zip.bytes(name), name, context, { accepts: isPicture })
  return nested && { content: 'nested', nested }
}

async function readEmbedded({ zip, context, ways }: Walk, name: string): Promise<PartContent | undefined> {
  const nested = ways.embedded ? await openEmbedded(await zip.bytes(name), name, context) : undefined
  return nested && { content: 'nested', nested }
}

const usual = /^(?:image|media|picture|chart|package|afchunk|Microsoft(?:_[A-Za-z]+)+)[-_]?\d*\.\w{2,5}$/i

function neutralName(name: string, number: number): string {
  const { dir, base, ext } = posix.parse(name)
  return usual.test(base) ? name : posix.join(dir, `file${number}${ext}`)
}

/** Whether a text is XML at all: old drawings are often not, and nothing can be said of those. */
function isXml({ text }: DecodedText): boolean {
  try {
    scanXml(text, { open() {}, close() {}, text() {} })
    return true
  } catch (error) {
    if (error instanceof EngineError && error.type === 'corrupt_file') return false
    throw error
  }
}

/** Closes the package and every file inside of it. */
export async function closePackage(opened: OfficePackage): Promise<void> {
  for (const { nested } of opened.parts.values()) await nested?.file.close()
  opened.zip.close()
}
