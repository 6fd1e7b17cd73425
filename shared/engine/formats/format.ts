import type { AssetFailure } from '../errors.ts'
import type { KnownPictures, OcrBudget, PendingIn } from '../ocr/cache.ts'
import type { Turns } from '../ocr/picture.ts'
import type { PictureQueue } from '../ocr/picture-queue.ts'
import type { Covering, DrawnPage, PageViews } from './page-views.ts'

/** Structured data or a document, as the contract names them. */
export type AssetType = 'TABLE' | 'DOCUMENT'

/** A file that can be read in any order, any number of times. */
export type Input = {
  /** File name as uploaded: shown and carried over, never trusted to tell the format. */
  name: string
  /** Length in bytes. */
  size: number
  /** The bytes from `start` up to, not including, `end`; fewer at the end of the file. */
  read(start: number, end: number): Promise<Uint8Array>
  /** The same bytes in order and in pieces, without holding the file in memory; a piece is valid until the next is asked for. */
  stream(start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** A file being written from its first byte to its last. Resolves when more may be written (back-pressure). */
export type Output = { write(bytes: Uint8Array): Promise<void> }

/** Where outputs are written before they are known to be clean; a second one is made when something escalates. */
export type Workspace = { create(name: string): Promise<{ output: Output; input(): Promise<Input> }> }

/** Where a text stands in its file, as far as the format knows. All of it may be shown in a report. */
export type Place = {
  kind: 'body' | 'cell' | 'header' | 'note' | 'comment' | 'meta' | 'attribute' | 'name' | 'link' | 'ocr'
  /** Part inside a container, such as `word/footnotes.xml`. */
  part?: string
  /** Page, slide or sheet, counted from 1. */
  page?: number
  /** Row of a table, counted from 1 and including the header row. */
  row?: number
  /** Rows that are written once and stand there so many times, as spreadsheets do with equal ones; 1 when absent. */
  rows?: number
  /** Of a text that comes in several segments: characters of it before this one. */
  offset?: number
  /** Header of the column (nested: `person.name`), or its number from 1 where there is no header. */
  column?: string
}

/** Markup in a text that is written in plain signs, as Markdown is: its readers don't see it (UTF-16 offsets). */
export type Mark = {
  start: number
  end: number
  /** Where the mark begins at the other end of what it begins or ends; its own place where it stands alone. */
  partner: number
  /** Whether it holds something itself, as the end of a link does, and stays wherever what is around it goes. */
  stays?: true
}

/**
 * How people may see a text whose file holds it otherwise, such as the number of a day. `escaped` has, of each stretch in turn,
 * where it begins and ends in `text`, and in what stands there (UTF-16 offsets).
 */
export type Reading = {
  text: string
  escaped: number[]
  /** Whether it tells a day and a month. */
  isDay?: true
}

/** One run of text that belongs together: a paragraph, a cell, a property. Rules never match across two of them. */
export type Segment = {
  text: string
  place: Place
  /**
   * Whether a person who opens the file sees it in the flow of the content. In what is hidden (metadata, attributes,
   * names, unused parts) a value found anywhere in the file is replaced wherever it stands.
   */
  visible: boolean
  /**
   * Of a hidden text that is not written in a language: a relative address or path, or words of a program or a format
   * (names of styles, field codes, scripts, identifiers). Models of language aren't asked about it, and in code only what
   * tells of somebody without doubt is replaced because it was found elsewhere. Names of a `vocabulary`, such as those of
   * XML namespaces and time zones, are code that no model is asked about: they look like addresses, and are none.
   */
  wording?: 'address' | 'code' | 'vocabulary'
  /** Whether it is the name of a field: a value found elsewhere that is a part of one of its words is not meant there. */
  isField?: true
  /** What its values are, in words as tables name their columns, where the name of its column alone doesn't tell. */
  heading?: string
  /** The markup in it, in order, which patterns see the text with and without; offsets in `text`, beyond it in `before` and `after`. */
  marks?: readonly Mark[]
  /** How people may see it: patterns and lists look there too, and what they find is replaced in the text. */
  readings?: readonly Reading[]
  /** Whether another segment holds the text too, and this one only says what it is: nothing is replaced in it. */
  hint?: true
  /** Whether the texts in base64 that it holds are segments of their own. */
  isDecoded?: true
  /** Whether its format tells by `show` what the reader sees in the end, as far as anything of it is left. */
  later?: true
  /**
   * Only where one text is too long for one segment (64 Ki characters or more) and comes as several in a row: what stands
   * before and after in the same text, so that no match is lost at an edge. `before` up to 1 Ki characters, absent in the
   * first piece; `after` at least 8 Ki characters where there are so many, absent in the last.
   */
  before?: string
  after?: string
  /** Of a page: where its text may go on from the page before, and on the next one. */
  seams?: readonly SegmentSeam[]
}

/**
 * The end of a text and the beginning of another in which it may go on, as one: rules find there what begins in one and ends in the
 * other. Offsets in `text` of where the first part ends and the second one begins.
 */
export type Seam = { text: string; ends: number; begins: number }

/** A seam, which of its sides is of a segment, and where in its text that begins. */
export type SegmentSeam = { seam: Seam; side: 'end' | 'beginning'; at: number }

/** Text to put in place of `text.slice(start, end)` of a segment (UTF-16 offsets). Sorted, never overlapping. */
export type Edit = {
  start: number
  end: number
  text: string
  /** Whether the text reads like what it replaces, so that no mark shall tell it from the rest. */
  isAlike?: true
}

/**
 * The texts of many cells in one string, one character for each byte of their UTF-8 form, with a fence (U+001F) wherever
 * a cell ends and in place of all that is no text. No cell holds a fence itself.
 */
export type Cells = {
  bytes: string
  /** The same as they are, where they are at hand. */
  raw?: Uint8Array
  ascii: boolean
  /** Bytes of all texts together. */
  length: number
  /** Of the same length, with fences in place of the cells of all columns but the chosen ones. */
  within(chosen: (column: string) => boolean): string
  /** How people may see the cells of all columns or the chosen ones, in order; texts are UTF-8 as well, all offsets bytes. */
  readings?(chosen?: (column: string) => boolean): (Reading & { base: number })[]
}

/** Stretches of cells to replace, in order: from `at[2 * n]` to `at[2 * n + 1]` (byte offsets) by `texts[n]`. */
export type CellEdits = { at: ArrayLike<number>; texts: string[] }

/** The edits of each text of a batch, in order, and, where it is at hand, what each becomes by these very edits. */
export type BatchEdits = Edit[][] & { texts?: readonly string[] }

/** Asked once for each batch of segments, in order: the edits of each segment of the batch. */
export type Editor = {
  (batch: Segment[]): Promise<BatchEdits>
  /**
   * For tables with many short cells, where the rules allow it: the edits of many cells at once, the same that their
   * segments would get. Its user then adds what the cells show after editing: texts as UTF-8, each ended by 0xFF.
   * `finds` tells, without any effect, whether there would be edits.
   */
  cells?: {
    edit(batch: Cells): Promise<CellEdits>
    show(texts: Uint8Array): void
    finds?(batch: Cells): boolean
  }
  /** Told, in order, what the file shows in place of segments that are marked `later`. */
  show?(texts: readonly { place: Place; text: string }[]): void
}

/** A stretch of a picture that was painted over, in pixels of the picture from the top left. */
export type Painted = {
  place: Place
  left: number
  top: number
  right: number
  bottom: number
  /** Quarter turns clockwise after which the text that stood there is upright; absent where it is. */
  turns?: Turns
  /** By how much its line slants, clockwise in radians; the stretch is the box around it then. Absent where it is level. */
  slant?: number
}

/**
 * How a page looked before, at a low resolution, and where it may look otherwise now, in pixels of the picture from the
 * top left. `redrawn`: letters of it are drawn in another way, as where annotations or all of the page became a picture.
 */
export type Look = { page: number; width: number; height: number; channels: 1 | 3; pixels: Uint8Array } & {
  boxes: { left: number; top: number; right: number; bottom: number }[]
  redrawn: boolean
  /** Whether it became a picture, and was drawn as such: finer, then made as small as the others. */
  fine: boolean
}

/** What a format did beyond the edits, for the asset's report: never any content. */
export type WriteReport = {
  /** Parts left out because they can't be shown to be clean: `{what: 'macros', count: 1}`. */
  dropped: { what: string; count: number }[]
  /** Pages (from 1) that became pictures. */
  rasterised: number[]
  /** Pages or pictures read by optical character recognition, with the mean confidence from 0 to 1. */
  ocr?: { pages: number; confidence: number }
  /** Cells that begin as a formula does and did so before: they were left. */
  formulas?: number
  /** Things a reader of the report should know. */
  warnings: string[]
  /** Where pictures were painted over. Verification is told; the asset's report is not. */
  painted?: Painted[]
  /** How pages looked in the input. Verification is told; the asset's report is not. */
  looks?: Look[]
  /** Whether something was replaced that stands in what was written before: a further attempt to write knows of it. */
  unfinished?: true
}

/** A drastic step that makes a part of the output clean after verification has found it is not, or that a review asks for. */
export type Escalation = { kind: 'rasterise'; page: number } | Covering | { kind: 'drop'; part: string }

/** What the output must and must not hold. */
export type Expected = {
  /** SHA-256 (hex) of the visible texts after editing, in order, see `verify/digest`; empty for formats with `keepsText`. */
  digest: string
  /** The same texts themselves; only for those. */
  visible: { place: Place; text: string }[]
  /** Replaced values of four characters or more that the expected text no longer holds. Never logged or stored. */
  gone: string[]
  /** Where pictures were painted over and must not show a value any more. */
  painted?: readonly Painted[]
  /** How pages looked, and have to look but for the places of replaced values. */
  looks?: readonly Look[]
  /** Of a chunk: told each name of a field that its output has, which is held against the values of other chunks too. */
  name?(text: string): void
}

/** One reason why an output is not clean. Nothing but `unexpected` holds content. */
export type Leak = {
  type: Extract<AssetFailure, 'leak_detected' | 'corrupt_file'>
  place: Place
  /** What was wrong, in words that quote nothing. */
  reason: string
  /** What may cure it, when the format knows. */
  escalation?: Escalation
  /** The text of a place that shows more than it should: a cure would keep what the rules would have found in it. */
  unexpected?: string
}

/** Bounds that a format holds itself to; exceeding one throws `limit_exceeded`. */
export type Limits = {
  /** Largest file accepted, bytes. */
  bytes: number
  /** Largest total after decompression, bytes. */
  inflatedBytes: number
  /** Largest single stream of a PDF after decompression, bytes: pages are worked on in memory. */
  streamBytes: number
  /** Largest ratio of a compressed entry. */
  ratio: number
  /** Entries of a container. */
  entries: number
  /** Nesting of elements, objects, messages or containers. */
  depth: number
  /** Pages, slides or sheets. */
  pages: number
}

/** The formats that there are, for those whose files hold other files. */
export type Registry = {
  find(id: string): Format | undefined
  /** The format of a file by its first bytes; throws where none reads it, see `formatOf`. */
  of(head: Uint8Array, name: string): Format
}

/** What every operation of a format is given. */
export type FormatContext = {
  registry: Registry
  limits: Limits
  /** Aborted on cancel and on time-out: long loops check it. */
  signal: AbortSignal
  /** Explicit choices where detection may be wrong (`encoding`, `delimiter`, `header`, `ocrLanguages`, ...). */
  options: Record<string, unknown>
  /** For one chunk of a table: the records that start in these bytes. */
  range?: { start: number; end: number }
  /** Bounds the pictures that a run reads; beyond it `open` and `verify` throw `OcrPending`. Without it all are read. */
  readings?: OcrBudget
  /** Whether models read the texts: they take seconds for what patterns search at once, and progress is told between. */
  modelled?: boolean
  /** What all files within one asset have drawn so far to be read. Without it no drawing is too many. */
  drawings?: { pixels: number }
  /** The pictures of all files within one asset. Without it those of each file are read by themselves. */
  pictures?: PictureQueue
}

/** How much there is to work on in a file: its pages, or about how many characters. */
export type Extent = { pages: number } | { characters: number }

/** What was detected about the files in another, by the parts where they stand. */
export type ChoicesWithin = Record<string, Record<string, unknown> & { within?: ChoicesWithin }>

/** An opened file. */
export type OpenFile = {
  /**
   * What was detected when the file was opened, as options (`encoding`, `delimiter`, `header`, ...): `verify` is given
   * them, so that it reads the output in the same way, and the report shows them. Names of columns at most, no content.
   */
  choices?: Record<string, unknown>
  /** The same of each file in it, by the part where that stands; what is in one of those is `within` again. */
  within?(): ChoicesWithin
  /** Names of the columns where only reading the whole file tells them, and where there are not too many. */
  columns?(): Promise<string[] | undefined>
  /**
   * Asked before `write` where what can be written depends on what will be found (a column of numbers becomes one of
   * texts when one of them is replaced): `rehearse` gives the edits of a text without any effect.
   */
  prepare?(rehearse: Editor): Promise<void>
  /** Of a file that isn't read again whenever its texts are asked for, so that its bytes don't tell how far that has come. */
  extent?(): Extent
  /** Every text of the file, visible and hidden, always in the same order, in batches of about 64 Ki characters. */
  segments(): AsyncIterable<Segment[]>
  /**
   * Told, where the whole file is looked through before it is written, what the rules found in a batch (UTF-16 offsets,
   * overlaps included) before the next one is asked for: what writing needs to know of it may be at hand only now.
   */
  found?(batch: Segment[], spans: { start: number; end: number }[][]): void
  /**
   * Writes the anonymised file: everything that no edit touches stays byte for byte where the format allows it, and
   * what can't be shown to be clean (macros, history, previews, ...) is left out and reported.
   */
  write(output: Output, edit: Editor, escalations: readonly Escalation[]): Promise<WriteReport>
  /** Of files whose pages can be looked at and pointed to. */
  views?: PageViews
  /** Frees what was opened. May be called twice. */
  close(): Promise<void>
}

/** A file format: one object, registered in `formats/index.ts`, held to `test/engine/formats/suite.ts`. */
export type Format = {
  id: string
  type: AssetType
  mediaType: string
  /** Extensions without dot, the usual one first. */
  extensions: string[]
  /**
   * Whether the file has hidden places, so that every value must be known before the first byte is written. (What a
   * model found in a document is looked for in the whole of it in any case.) A number is the largest file in bytes of which that is so:
   * of one that is read piece by piece all values would not fit in memory.
   */
  propagates: boolean | number
  /** Largest file, bytes, in whose identifiers and names of files (`anna_berg.pdf`) the values of several words are looked for. */
  identifiers?: number
  /** Whether programs run a cell's text that begins with `=`, `+`, `-` or `@`: what we write then never begins so. */
  formulas?: true
  /** Whether verification needs the visible texts themselves (documents) or their digest only (large tables). */
  keepsText: boolean
  /**
   * How sure the first bytes (up to 64 KiB) and, only to decide between kin, the name are: 0 not at all, 1 certain.
   */
  matches(head: Uint8Array, name: string): number
  /** Throws {@link EngineError} (`encrypted_file`, `corrupt_file`, `limit_exceeded`) rather than read a part of it. */
  open(input: Input, context: FormatContext): Promise<OpenFile>
  /**
   * Opens the output by a path independent of the writer and says what is wrong with it: its visible text must be the
   * expected one, and nothing that can be decompressed from its bytes may hold a value of `expected.gone`.
   */
  verify(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]>
  /**
   * Tables whose opening reads more than the names of their columns need: the names that the beginning tells, and whether
   * there may be others.
   */
  names?(input: Input, context: FormatContext): Promise<{ columns: string[]; whole: boolean } | undefined>
  /** Splittable tables only: byte ranges of about `size` bytes that each start where a record starts. */
  split?(input: Input, size: number, context: FormatContext): Promise<{ start: number; end: number }[] | undefined>
  /**
   * Tables that can be cut by reading only: in order, offsets where records begin, from `start`, where one begins, to the
   * end of the file; many of them, at least one in every few megabytes unless a record is longer.
   */
  borders?(input: Input, start: number, context: FormatContext): AsyncIterable<number>
  /** Formats of pages and pictures: draws one, from 1, without looking for texts. Throws as `open` does. */
  draw?(input: Input, page: number, context: FormatContext): Promise<DrawnPage>
  /** Formats that heed `readings` only: reads the pictures of some pages (from 0), but for those that are known. */
  read?(input: Input, pages: readonly number[], where: PendingIn, context: FormatContext): Promise<KnownPictures>
}
