import type { PDFDocument } from '@cantoo/pdf-lib'
import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import { OcrPending } from '../../ocr/pending.ts'
import type { FormatContext, Input, OpenFile, Segment, SegmentSeam } from '../format.ts'
import { joinOtherwise, joinParts, partedPages } from './content/parted-content.ts'
import { loadDocument, type Opened, type Prepared } from './document.ts'
import { nameSigns } from './fonts/dingbats.ts'
import { flatten, unprotected } from './objects/annotations.ts'
import { hasDirectKids } from './objects/complete.ts'
import { hiddenSegments, hiddenStrings } from './objects/hidden-strings.ts'
import { chosenNames } from './objects/names.ts'
import { switchedOff } from './objects/switched-off.ts'
import { save } from './page-pictures.ts'
import { openReader, type Reader } from './page-reader.ts'
import { viewsOfPdf } from './page-views.ts'
import { mayHoldMeshes, refuseDenseMeshes } from './pictures/meshes.ts'
import { withOthers } from './pictures/other-readings.ts'
import { edgesOfPicture } from './pictures/picture-lines.ts'
import { type PictureText, pictureReader } from './pictures/pictures.ts'
import { mayHoldLargePictures, refuseRepeatedPictures } from './pictures/repeated-pictures.ts'
import { unseenPictures } from './pictures/unseen.ts'
import { sanitise } from './sanitise.ts'
import { keptStretches, stretchesOf } from './text/char-boxes.ts'
import { doubtfulPages } from './text/doubtful-pages.ts'
import { dropNamedText, namedText, namingOf, readShown } from './text/named-text.ts'
import { type Edged, type PageSeam, seamOf } from './text/page-seams.ts'
import { type PageText, readPage } from './text/page-text.ts'
import { otherReader } from './text/second-lines.ts'
import { holdToLimits, mayHoldName } from './verify/decoded-streams.ts'
import { changedByFlattening, lookOf } from './verify/looks.ts'
import { writePdf } from './write.ts'

const batchCharacters = 64 * 1024
/** Characters of pages that stay loaded. */
const heldCharacters = 2 * batchCharacters

/** Opens a PDF: {@link Format.open}. */
export const openPdf = async (input: Input, context: FormatContext): Promise<OpenFile> => {
  const flat = await openFlattened(input, context)
  const { reader, flattened } = flat
  try {
    const { readings, signal, options } = context
    const document = await loadDocument(flattened.bytes, reader.pages)
    const parted = partedPages(document)
    const other = otherReader(reader, await otherBytes(flattened.bytes, reader.pages, parted))
    const pictures = pictureReader(
      reader,
      doubtfulPages(document),
      () => startOcr(ocrLanguages(options), signal),
      readings?.known,
      other.lines,
    )
    if (readings) {
      const unread = pictures.unread(Array.from({ length: reader.pages }, (_, index) => index))
      if (unread.length > readings.most) throw new OcrPending(unread, 'input')
    }
    const opened = openedPdf(input, { ...flat, parted }, document, context, pictures.read)
    return {
      extent: () => ({ pages: reader.pages }),
      segments: () => segments(opened),
      found: (batch, spans) =>
        batch.forEach(({ place: { kind, page = 0 } }, i) => {
          if (kind === 'body') opened.stretches.keep(page - 1, spans[i] ?? [])
        }),
      write: (output, edit, escalations) => writePdf(opened, segments(opened), output, edit, escalations),
      views: viewsOfPdf(opened),
      close: async () => {
        await pictures.close()
        await other.close()
        reader.close()
      },
    }
  } catch (error) {
    reader.close()
    throw error
  }
}

/** The bytes for the second reader, which joins the content of parted pages in another way than the first does. */
const otherBytes = async (bytes: Uint8Array, pages: number, parted: ReadonlySet<number>): Promise<Uint8Array> => {
  if (parted.size === 0) return bytes
  const document = await loadDocument(bytes, pages)
  joinOtherwise(document, parted)
  return save(document)
}

/** What is read of a PDF, and how many texts that its content names were taken out. */
type Flat = Pick<Opened, 'reader' | 'flattened' | 'isDamaged'> & { named: number }

/** Opens a PDF with annotations and forms as content, and without texts that content names for letters which show others. */
const openFlattened = async (input: Input, context: FormatContext): Promise<Flat> => {
  const bytes = await readAll(input, context.limits.bytes)
  const reader = await openWithin(bytes, context)
  try {
    const isDamaged = !reader.pdfium.FPDF_DocumentHasValidCrossReferenceTable(reader.document) || hasDirectKids(bytes)
    const flattened = flatten(reader, lookAtFirst(reader))
    const mayName = mayHoldName(flattened.bytes, namedText, context.limits.inflatedBytes)
    const naming = mayName ? namingOf(reader) : 'none'
    // A named text has no places for its letters: what goes is told by those that are shown.
    if (naming === 'same') reader.onLoad(readShown(reader))
    if (naming !== 'other') return { reader, flattened, isDamaged, named: 0 }
    const document = await loadDocument(flattened.bytes, reader.pages)
    const named = dropNamedText(document)
    const unnamed = await save(document)
    reader.close()
    return {
      reader: await openReader(unnamed, heldCharacters),
      flattened: { ...flattened, bytes: unnamed },
      isDamaged,
      named,
    }
  } catch (error) {
    reader.close()
    throw error
  }
}

/** Draws the first pages that it is asked for. */
const lookAtFirst = (reader: Reader) => {
  let left = 24
  return (page: number, form: number) => (left-- > 0 ? lookOf(reader, page, form) : undefined)
}

/** Opens a PDF for reading; throws `limit_exceeded` for more streams, pages or patches than there may be. */
export const openWithin = async (bytes: Uint8Array, context: FormatContext): Promise<Reader> => {
  await holdToLimits(bytes, context)
  const reader = await openReader(bytes, heldCharacters)
  try {
    if (reader.pages === 0) throw new EngineError('corrupt_file', 'The PDF has no pages')
    if (reader.pages > context.limits.pages) throw new EngineError('limit_exceeded', 'The PDF has too many pages')
    const [meshes, pictures] = [mayHoldMeshes(bytes), mayHoldLargePictures(bytes)]
    if (!meshes && !pictures) return reader
    const document = await loadDocument(unprotected(reader), reader.pages)
    if (meshes) refuseDenseMeshes(document)
    if (pictures) refuseRepeatedPictures(document)
    return reader
  } catch (error) {
    reader.close()
    throw error
  }
}

const openedPdf = (
  input: Input,
  { reader, flattened, isDamaged, named, parted }: Flat & { parted: ReadonlySet<number> },
  loaded: PDFDocument,
  context: FormatContext,
  readPictures: (page: number, next?: number) => Promise<PictureText | undefined>,
): Opened => {
  const texts: PageText[] = []
  const pictures: Promise<PictureText | undefined>[] = []
  const seen: (PictureText | undefined)[] = []
  let listed: Segment[] | undefined
  let spare: Prepared | undefined
  let unchanged: PDFDocument | undefined = loaded
  const unseenImages = unseenPictures(reader)
  const prepare = async (): Promise<Prepared> => {
    const document = unchanged ?? (await loadDocument(flattened.bytes, reader.pages))
    unchanged = undefined
    joinParts(document, parted)
    for (let page = 0; page < reader.pages; page++) unseenImages.look(page)
    const covered = unseenImages.drop(document)
    const dropped = sanitise(document, flattened.links)
    nameSigns(document, flattened.bytes)
    if (covered > 0) dropped.set('pictures that no page shows', covered)
    const { seen, unseen, bare, links } = flattened.annotations
    if (seen > 0) dropped.set('annotations and form fields (kept as page content)', seen)
    if (unseen > 0) dropped.set('annotations and form fields that nothing showed', unseen)
    if (bare > 0) dropped.set('annotations without an appearance, which some viewers draw by rules of their own', bare)
    if (named > 0) dropped.set('texts for reading aloud that say other than what is shown', named)
    if (links > 0) dropped.set('links to scripts and files', links)
    const hidden = hiddenStrings(document)
    if (hidden.silenced.size > 0) dropped.set('text in patterns and masks', hidden.silenced.size)
    return { document, hidden, names: chosenNames(document), dropped, layersOff: switchedOff(document) }
  }
  const text = (page: number): PageText => {
    context.signal.throwIfAborted()
    texts[page] ??= readPage(reader, page, flattened.combs.get(page))
    return texts[page]
  }
  return {
    reader,
    flattened,
    isDamaged: isDamaged || parted.size > 0,
    changed: changedByFlattening(reader, flattened.looks),
    input: () => readAll(input, context.limits.bytes),
    context,
    text,
    stretches: keptStretches((page, wanted) => stretchesOf(reader, page, text(page), wanted)),
    pictures: (page, next) => {
      context.signal.throwIfAborted()
      // While the page is loaded.
      unseenImages.look(page)
      pictures[page] ??= readPictures(page, next).then(read => {
        seen[page] = withOthers(reader, page, text(page), read)
        return seen[page]
      })
      return pictures[page]
    },
    seen: page => seen[page],
    seams: {
      body: seamsBetween(reader.pages, page => texts[page]),
      ocr: seamsBetween(reader.pages, edgesOf(seen)),
    },
    // The copy made to list the texts is the one that the first writing changes.
    hidden: async () => {
      if (listed) return listed
      spare = await prepare()
      listed = hiddenSegments(spare.hidden.strings, spare.names)
      return listed
    },
    prepare: async () => {
      const ready = spare ?? (await prepare())
      spare = undefined
      return ready
    },
  }
}

/** Pages before two in a row, and behind them, that tell what runs along with their text. */
const compared = { before: 2, behind: 1 }

/** Tells where the text of a page goes on from the page before, and on the next one; `textAt` where they are read. */
const seamsBetween = (pages: number, textAt: (page: number) => Edged | undefined) => {
  const known = new Map<number, PageSeam | undefined>()
  /** The seam behind a page. */
  const behind = (page: number): PageSeam | undefined => {
    if (page < 0 || page + 1 >= pages) return undefined
    if (!known.has(page)) {
      const first = page - compared.before
      const around = Array.from({ length: compared.before + 2 + compared.behind }, (_, n) => textAt(first + n))
      known.set(page, seamOf(textAt(page), textAt(page + 1), around))
    }
    return known.get(page)
  }
  return (page: number): SegmentSeam[] | undefined => {
    const seams = [behind(page - 1)?.beginning, behind(page)?.end].filter(seam => seam !== undefined)
    return seams.length > 0 ? seams : undefined
  }
}

/** The texts that were read in pictures of pages, with their edges. */
const edgesOf = (seen: readonly (PictureText | undefined)[]) => {
  const edged: Edged[] = []
  return (page: number): Edged | undefined => {
    const read = seen[page]
    if (read) edged[page] ??= { text: read.text, edges: edgesOfPicture(read) }
    return edged[page]
  }
}

async function* segments(opened: Opened): AsyncGenerator<Segment[]> {
  const { pages } = opened.reader
  let batch: Segment[] = []
  let size = 0
  let read = 0
  for (let index = 0; index < pages; index++) {
    // A page is told when those are read that say how its text goes on.
    for (; read < pages && read <= index + 1 + compared.behind; read++) {
      opened.text(read)
      await opened.pictures(read, read + 1 < pages ? read + 1 : undefined)
    }
    const add = (kind: 'body' | 'ocr', text: string) => {
      const seams = opened.seams[kind](index)
      batch.push({ text, place: { kind, page: index + 1 }, visible: true, ...(seams && { seams }) })
      size += text.length
    }
    add('body', opened.text(index).text)
    const pictures = opened.seen(index)
    if (pictures) add('ocr', pictures.text)
    if (size >= batchCharacters) {
      yield batch
      opened.reader.release(index + 1)
      batch = []
      size = 0
    }
  }
  yield [...batch, ...(await opened.hidden())]
}
