import { longRun } from '../../long-runs.ts'
import { readBase64Picture, readFileAddress } from '../container/data-url-images.ts'
import type { InlineImage } from '../container/inline-images.ts'
import { isDrawing } from '../container/whole-drawing.ts'
import type { Place, Segment } from '../format.ts'
import { distinctNames, type Rename } from '../text/distinct-names.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import type { Known } from './notebook.ts'
import { type Path, startPath } from './paths.ts'
import { type JsonSink, scanJson } from './scan.ts'
import { nameSenders } from './senders.ts'

/**
 * Reads the texts of JSON texts, one after the other: strings and numbers are visible, keys are names. A number that is
 * edited becomes a string. `row` numbers the records: the line of NDJSON, or the item of an array at the root. Pictures and
 * other files in strings go into `pictures` instead, where it is given, and then comments are texts as well. `known`: what its format has at the root, no text.
 */
export function jsonReader(unicode: boolean, depth: number, pictures?: InlineImage[], known?: Known) {
  const reader = new Reader(unicode, pictures, known)
  return (source: string, row?: number): TextNode[] => {
    const nodes = reader.begin(source, row)
    scanJson(source, reader, depth)
    return reader.comments.length === 0 ? nodes : [...nodes, ...reader.comments]
  }
}

/** An object or array that is open: where it is, and where its key that was read last leads. */
type Level = {
  readonly base: Path
  path: Path
  /** The key itself, '' in arrays. */
  key: string
  readonly isArray: boolean
  /** What its format has in it, and at what its last key leads to. */
  readonly known: Known | undefined
  knownAt: Known | undefined
  readonly keys: string[]
  readonly rename: Rename
  /** The strings by those of its keys that may name people, and whether one has the text of a message. */
  senders?: Map<string, TextNode>
  hasMessage: boolean
  /** Of an array: the file that its strings may be the lines of, nothing before the first, null where they are none. */
  lines?: Lines | null
}

/** Lines of base64 in a row, and how many texts and files had been read before the first. */
type Lines = { start: number; end: number; texts: string[]; nodes: number; pictures: number }

class Reader implements JsonSink {
  readonly #encode: (text: string) => string
  readonly #pictures: InlineImage[] | undefined
  readonly #known: Known | undefined
  readonly #root = startPath()
  #source = ''
  #nodes: TextNode[] = []
  #levels: Level[] = []
  #row: number | undefined
  #rooted = false
  #item = 0
  /** Those of a document: records have none. */
  comments: TextNode[] = []
  readonly comment?: JsonSink['comment']
  /** The first backslash behind the beginning of the string that was read last. */
  #backslash = -1

  constructor(unicode: boolean, pictures: InlineImage[] | undefined, known: Known | undefined) {
    this.#known = known
    this.#encode = text => encodeJson(text, unicode)
    this.#pictures = pictures
    if (pictures !== undefined) this.comment = (start, end) => this.#comment(start, end)
  }

  begin(source: string, row: number | undefined): TextNode[] {
    this.#source = source
    this.#nodes = []
    this.comments = []
    this.#levels = []
    this.#row = row
    this.#rooted = false
    this.#item = 0
    this.#backslash = -1
    return this.#nodes
  }

  key(start: number, end: number): void {
    const text = this.#decoded(start, end)
    const level = this.#levels.at(-1)!
    const path = level.base.within(text)
    level.path = path
    level.key = text
    level.keys.push(text)
    const own = level.known?.fields?.get(text)
    level.knownAt = own ?? level.known?.others
    if (own !== undefined) return
    const { rename } = level
    const encode = this.#encode
    const place = this.#place('name', path.column)
    const segment: Segment = { text, place, visible: false, wording: path.wording, isField: true }
    this.#nodes.push({ segment, runs: [{ text, start, end, encode: out => encode(rename(text, out)) }] })
  }

  string(start: number, end: number): void {
    this.#value()
    const level = this.#levels.at(-1)
    if (this.#isListed(start + 1, end - 1)) return
    if (this.#pictures !== undefined && level?.isArray) this.#line(level, start, end)
    if (this.#pictures !== undefined && end - start >= shortest && this.#file(start, end, level?.path)) return
    const node = this.#add(this.#decoded(start, end), start, end)
    if (level === undefined || level.key === '') return
    const { path } = level
    if (path.isMessage) level.hasMessage = true
    if (path.isSender) {
      level.senders ??= new Map()
      level.senders.set(level.key, node)
    }
  }

  number(start: number, end: number): void {
    this.#value()
    this.#noLines()
    if (!this.#isListed(start, end)) this.#add(this.#source.slice(start, end), start, end)
  }

  enter(array: boolean): void {
    if (this.#levels.length === 0 && array && this.#row === undefined) this.#rooted = true
    else this.#value()
    this.#noLines()
    const around = this.#levels.at(-1)
    const base = around?.path ?? this.#root
    const known = around === undefined ? this.#known : around.knownAt
    const keys: string[] = []
    const rename = distinctNames(keys)
    const knownAt = array ? known : undefined
    this.#levels.push({ base, path: base, key: '', isArray: array, known, knownAt, keys, rename, hasMessage: false })
  }

  leave(): void {
    const { senders, hasMessage, lines, path } = this.#levels.pop()!
    if (lines && lines.texts.length > 1) this.#joined(lines, path)
    if (hasMessage && senders) nameSenders(senders.values())
  }

  /** A comment is written as it is: one that a replacement ends is no JSON, or not what it should be, when it is read again. */
  #comment(start: number, end: number): void {
    const text = this.#source.slice(start, end)
    if (!/\S/.test(text)) return
    this.comments.push({
      segment: { text, place: { kind: 'comment' }, visible: true },
      runs: [{ text, start, end, encode: same }],
    })
  }

  #value(): void {
    if (this.#rooted && this.#levels.length === 1) this.#item++
  }

  /** Whether a value is one that its format lists there. */
  #isListed(start: number, end: number): boolean {
    const level = this.#levels.at(-1)
    return level?.isArray === false && level.knownAt?.values?.has(this.#source.slice(start, end)) === true
  }

  #add(text: string, start: number, end: number): TextNode {
    const column = this.#levels.at(-1)?.path.column ?? ''
    const node: TextNode = {
      segment: { text, place: this.#place('cell', column), visible: true },
      runs: [{ text, start, end, encode: this.#encode }],
    }
    this.#nodes.push(node)
    return node
  }

  #place(kind: Place['kind'], column: string): Place {
    const row = this.#row ?? (this.#rooted ? this.#item : undefined)
    if (row === undefined) return column === '' ? { kind } : { kind, column }
    return column === '' ? { kind, row } : { kind, row, column }
  }

  #noLines(): void {
    const level = this.#levels.at(-1)
    if (level?.isArray) level.lines = null
  }

  /** Notes a string of an array that may be a line of base64. */
  #line(level: Level, start: number, end: number): void {
    if (level.lines === null) return
    const raw = this.#source.slice(start, end)
    const { lines } = level
    const mayBeDrawing = level.path.key === drawingType
    if (!mayBeDrawing && (lines === undefined ? !base64Start.test(raw) : !base64Line.test(raw))) level.lines = null
    else if (lines !== undefined) {
      lines.end = end
      lines.texts.push(decodeJson(raw))
    } else {
      const [nodes, pictures] = [this.#nodes.length, this.#pictures!.length]
      level.lines = { start, end, texts: [decodeJson(raw)], nodes, pictures }
    }
  }

  /** Takes the file that an array holds line by line, as notebooks store them, instead of its strings. */
  #joined({ start, end, texts, nodes, pictures }: Lines, path: Path): void {
    const text = texts.join('')
    const picture = this.#drawing(text, start, end) ?? quotedPicture(text, start, end, path.key.startsWith('image/'))
    if (picture === undefined) return
    this.#nodes.length = nodes
    this.#pictures!.length = pictures
    this.#pictures!.push(picture)
  }

  /** Takes the files in a string, and the text around them; whether it holds any. */
  #file(start: number, end: number, path: Path | undefined): boolean {
    const raw = this.#source.slice(start, end)
    const runs = raw.includes('base64,') ? cutRuns(raw, start, this.#encode, this.#pictures!) : []
    if (runs.length > 0) {
      const text = runs.map(run => run.text).join('')
      if (text !== '')
        this.#nodes.push({ segment: { text, place: this.#place('cell', path?.column ?? ''), visible: true }, runs })
      return true
    }
    const picture =
      (drawingStart.test(raw) ? this.#drawing(decodeJson(raw), start, end) : undefined) ??
      base64Picture(raw, start, end, path?.key.startsWith('image/') ?? false)
    if (picture) this.#pictures!.push(picture)
    return picture !== undefined
  }

  /** A drawing that is all of a text. */
  #drawing(text: string, start: number, end: number): InlineImage | undefined {
    if (!isDrawing(text)) return undefined
    const encode = (bytes: Uint8Array) => this.#encode(Buffer.from(bytes).toString())
    return { start, end, bytes: Buffer.from(text), isDrawing: true, encode, blank: '""' }
  }

  /** The text of a string; each is read once, in order. */
  #decoded(start: number, end: number): string {
    if (this.#backslash < start) {
      const found = this.#source.indexOf('\\', start)
      this.#backslash = found < 0 ? this.#source.length : found
    }
    if (this.#backslash >= end) return this.#source.slice(start + 1, end - 1)
    return decodeJson(this.#source.slice(start, end))
  }
}

const same = (text: string) => text

/** Characters of the shortest string that may hold a file. */
const shortest = 24

/** The type of the content of a drawing in a notebook. */
const drawingType = 'image/svg+xml'
/** How a string begins that may be a drawing. */
const drawingStart = /^"(?:\s|\\[nrt])*</

/** How a string begins that may be base64, and one that is a line of it. */
const base64Start = /^"(?:[A-Za-z0-9+]|\\?\/){16}/
const base64Line = new RegExp(
  String.raw`^"${longRun(String.raw`(?:[A-Za-z0-9+]|\\?/)`, 'letters')}={0,2}(?:\\r)?(?:\\n)?"$`,
)

/** A string of base64 that is a picture: whatever `isNamed` one is taken for it. */
function base64Picture(raw: string, start: number, end: number, isNamed: boolean): InlineImage | undefined {
  return base64Start.test(raw) ? quotedPicture(decodeJson(raw), start, end, isNamed) : undefined
}

function quotedPicture(text: string, start: number, end: number, isNamed: boolean): InlineImage | undefined {
  const picture = readBase64Picture(text, start, end, isNamed)
  return picture && { ...picture, encode: out => `"${picture.encode(out)}"`, blank: `"${picture.blank}"` }
}

/** The text of a string around the files that it holds as addresses; empty where it holds none. */
function cutRuns(raw: string, from: number, encode: (text: string) => string, files: InlineImage[]): SourceRun[] {
  const runs: SourceRun[] = []
  let at = 1
  const between = (start: number, end: number) => {
    const text = decodeJson(`"${raw.slice(start, end)}"`)
    runs.push({ text, start: from + start, end: from + end, encode: out => encode(out).slice(1, -1) })
  }
  for (const { index, 0: address } of raw.matchAll(escapedAddress)) {
    between(at, index)
    at = index + address.length
    const file = readFileAddress(address.replaceAll('\\/', '/'), from + index, from + at)
    if (file) files.push(file)
  }
  if (runs.length > 0) between(at, raw.length - 1)
  return runs
}

/** Addresses that hold files, as they stand in JSON, where a stroke may be escaped. */
const escapedAddress = new RegExp(
  String.raw`data:(?:[\w.+-]|\\?/){0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?:[\w+=%-]|\\?/)${longRun(String.raw`(?:[\w+=%-]|\\?/)`, 'letters')}`,
  'gi',
)

function decodeJson(raw: string): string {
  // The scanner has checked every escape, so this can't fail.
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

function encodeJson(text: string, unicode: boolean): string {
  const quoted = JSON.stringify(text)
  if (unicode) return quoted
  return quoted.replace(/[^\x00-\x7f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
