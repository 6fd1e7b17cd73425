import { doubtfulReadings } from '../../ocr/doubt.ts'
import { commonSlant } from '../../ocr/slant.ts'
import type { Edit, Editor, Escalation, Output, Segment, WriteReport } from '../format.ts'
import { startGlyphRemoval } from './content/remove-glyphs.ts'
import type { Opened } from './document.ts'
import { labelText, unknownLetter } from './fonts/standard-fonts.ts'
import { dropUnshownLetters } from './fonts/unshown-letters.ts'
import type { HiddenString, HiddenStrings } from './objects/hidden-strings.ts'
import { renameAll } from './objects/names.ts'
import { partsOfValues } from './objects/parted-values.ts'
import { pagesLeadingTo } from './objects/silenced-pages.ts'
import { dropSpokenTexts } from './objects/spoken-texts.ts'
import { dropUnused } from './objects/unused.ts'
import { editPage } from './page.ts'
import { looksOf, save, takePictures } from './page-pictures.ts'
import { areCovered, isOverDrawing, isOverPicture, notAmong } from './pictures/covered.ts'
import { letterPlaces, wordPlaces, wordsIn } from './pictures/pictures.ts'
import { sweep } from './sanitise.ts'
import { type CharPlace, placeOf } from './text/char-place.ts'
import { withText } from './text/page-text.ts'
import type { Label } from './text/replacement-labels.ts'

type Edits = {
  pages: Map<number, Edit[]>
  pictures: Map<number, Edit[]>
  hidden: Map<string, Edit[]>
  /** What gives way, wherever it stands. */
  values: Set<string>
}

const apply = (text: string, edits: Edit[]): string => {
  let out = ''
  let from = 0
  for (const edit of edits) {
    out += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return out + text.slice(from)
}

const collect = async (segments: AsyncIterable<Segment[]>, edit: Editor): Promise<Edits> => {
  const edits: Edits = { pages: new Map(), pictures: new Map(), hidden: new Map(), values: new Set() }
  for await (const batch of segments) {
    const answers = await edit(batch)
    batch.forEach((segment, i) => {
      const own = answers[i] ?? []
      if (own.length === 0) return
      for (const { start, end } of own) edits.values.add(segment.text.slice(start, end))
      const { kind, page = 0 } = segment.place
      if (segment.visible) (kind === 'ocr' ? edits.pictures : edits.pages).set(page - 1, own)
      else edits.hidden.set(segment.text, own)
    })
  }
  return edits
}

/**
 * The labels that stand for a page's edits, where the reader sees the characters, the places of invisible ones, and (when
 * asked for, as few pages need them) those of the characters that stay.
 */
const labelsOf = (
  opened: Opened,
  index: number,
  edits: Edit[],
): { labels: Label[]; unseen: CharPlace[]; staying: () => CharPlace[] } => {
  const { reader } = opened
  const stretches = opened.stretches.get(index, edits)
  const labels = stretches.map(({ places, angle, em, font }, i) => {
    const { text = '', isAlike } = edits[i] ?? {}
    return { places, text, angle, em, isAlike, font }
  })
  const staying = () => {
    const gone = new Set(stretches.flatMap(({ chars }) => chars))
    return reader.page(index, page =>
      withText(reader, page, (text, count) =>
        Array.from({ length: count }, (_, char) => (gone.has(char) ? undefined : placeOf(reader, text, char))).filter(
          place => place !== undefined,
        ),
      ),
    )
  }
  return { labels, unseen: stretches.flatMap(({ unseen }) => unseen), staying }
}

/** The labels that stand for edits of what pictures on a page show. */
const pictureLabels = async (opened: Opened, index: number, edits: Edit[]): Promise<Label[]> => {
  const read = edits.length > 0 ? await opened.pictures(index) : undefined
  if (!read) return []
  const { reader } = opened
  const turns = reader.page(index, page => reader.pdfium.FPDFPage_GetRotation(page) & 3)
  return edits.map(({ start, end, text }) => {
    const word = read.words[read.wordAt[start] ?? -1]
    return {
      places: wordPlaces(reader, index, read, start, end),
      text,
      angle: ((turns + (word?.turns ?? 0)) * Math.PI) / 2,
      slant: -commonSlant(wordsIn(read, start, end)),
    }
  })
}

/**
 * Whether what was read off the picture of a page is what letters show that go anyway: a page is read so because some of its
 * fonts are doubtful, and most of what matches there the reader has read as well.
 */
const areShownAsText = async (
  { reader, pictures, text }: Opened,
  index: number,
  edits: readonly Edit[],
  gone: readonly Edit[],
  labels: readonly Label[],
): Promise<boolean> => {
  const read = await pictures(index)
  if (read?.isPage !== true) return false
  const page = text(index).text
  const letters = gone.map(({ start, end }, i) => ({ value: page.slice(start, end), places: labels[i]?.places ?? [] }))
  const sighting = ({ start, end }: Edit) => ({
    value: read.text.slice(start, end),
    places: letterPlaces(reader, index, read, start, end),
  })
  const { typed = [], seen = [] } = Object.groupBy(edits, ({ start }) =>
    read.words[read.wordAt[start] ?? -1]?.isText ? 'typed' : 'seen',
  )
  const open = [
    ...notAmong(typed.map(sighting), letters, true),
    ...notAmong(seen.map(sighting), letters, false),
  ].flatMap(({ places }) => places)
  return (
    areCovered(
      open,
      letters.flatMap(({ places }) => places),
    ) &&
    !isOverDrawing(
      reader,
      index,
      edits.flatMap(edit => sighting(edit).places),
    )
  )
}

const picturePages = (escalations: readonly Escalation[], count: number): Set<number> =>
  new Set(
    escalations.flatMap(step => (step.kind !== 'drop' && step.page >= 1 && step.page <= count ? [step.page - 1] : [])),
  )

/**
 * Boxes without a label over what a review asked for on a page, and over what only a reading of the output has found there;
 * none of the latter where the page became a picture because its text was not what it should be: what else was overlooked
 * nobody knows.
 */
const coversOf = (escalations: readonly Escalation[], index: number): Label[] => {
  const own = escalations.flatMap(step => (step.kind !== 'drop' && step.page === index + 1 ? [step] : []))
  const isWhole = own.some(({ kind }) => kind === 'rasterise')
  return own.flatMap(step =>
    step.kind === 'cover' && (step.asked || !isWhole)
      ? step.places.map(place => ({ places: [place], text: '', angle: 0 }))
      : [],
  )
}

/** Sets the texts outside of the pages' flow; of those that content names one after the other, parts of values go as well. */
const setHidden = (hidden: HiddenStrings, edits: Edits): void => {
  const fresh = (string: HiddenString): string => {
    const own = edits.hidden.get(string.text)
    return own ? apply(string.text, own) : string.text
  }
  const partsIn = partsOfValues(edits.values)
  const parts = new Set(
    hidden.contents.flatMap(strings => {
      const parted = partsIn(strings.map(fresh))
      return strings.filter((_, i) => parted.has(i))
    }),
  )
  for (const string of hidden.strings) {
    if (parts.has(string)) string.set('')
    else if (edits.hidden.has(string.text)) string.set(fresh(string))
  }
  hidden.flush()
}

const damaged = 'The file was damaged: what other programs showed of it may differ from the pages that were kept'

const unreadLayers =
  'Layers that are switched off were read as text only: pictures that only they show were left out, drawings were kept unread'

/** Writes the anonymised document: {@link OpenFile.write}. */
export const writePdf = async (
  opened: Opened,
  segments: AsyncIterable<Segment[]>,
  output: Output,
  edit: Editor,
  escalations: readonly Escalation[],
): Promise<WriteReport> => {
  const edits = await collect(segments, edit)
  const { document, hidden, names, dropped, layersOff } = await opened.prepare()
  const silenced = pagesLeadingTo(document, hidden.silenced)
  setHidden(hidden, edits)
  const renamed = names.flatMap(name => {
    const own = edits.hidden.get(name)
    return own ? [[name, apply(name, own)] as const] : []
  })
  renameAll(document, new Map(renamed))
  const cutting = startGlyphRemoval(document.context)
  const pictures = picturePages(escalations, document.getPageCount())
  for (const index of opened.changed) pictures.add(index)
  const drawn = new Map<number, Label[]>()
  for (const index of new Set([...edits.pages.keys(), ...edits.pictures.keys(), ...pictures])) {
    opened.context.signal.throwIfAborted()
    const page = document.getPages()[index]
    const { labels, unseen, staying } = labelsOf(opened, index, edits.pages.get(index) ?? [])
    const onPictures = edits.pictures.get(index) ?? []
    const overPictures = await pictureLabels(opened, index, onPictures)
    // Invisible text lies over the scan that it was read from: the scan shows the same words.
    if (unseen.length > 0 && isOverPicture(opened.reader, index, unseen)) pictures.add(index)
    else if (
      overPictures.length > 0 &&
      !(await areShownAsText(opened, index, onPictures, edits.pages.get(index) ?? [], labels))
    )
      pictures.add(index)
    // Labels stand on the boxes that were asked for.
    const all = pictures.has(index) ? [...coversOf(escalations, index), ...labels, ...overPictures] : labels
    if (all.length > 0) drawn.set(index, all)
    if (page && labels.length > 0 && !pictures.has(index)) editPage(cutting, page, labels, false, staying)
  }
  const dotted = [...drawn.values()]
    .flat()
    .some(({ text }) => !text.includes(unknownLetter) && labelText(text).includes(unknownLetter))
  if (pictures.size > 0) await takePictures(opened, document, pictures, drawn, edits.pictures)
  const pictured = new Set([...pictures].flatMap(index => document.getPages()[index]?.node ?? []))
  dropSpokenTexts(document, cutting.touched, pictured, edits.values)
  // Pages share resources: one that never shows a form may still keep the copy that others no longer show.
  if (cutting.replaced.size > 0 || pictures.size > 0) dropUnused(document)
  dropUnshownLetters(document, edits.values)
  sweep(document)
  await output.write(await save(document))
  const all = await Promise.all(Array.from({ length: opened.reader.pages }, (_, page) => opened.pictures(page)))
  const read = all.flatMap((text, index) => (text && !text.isTyped ? [{ ...text, page: index + 1 }] : []))
  const doubts = doubtfulReadings(read, opened.context.options)
  return {
    dropped: [...dropped].map(([what, count]) => ({ what, count })),
    rasterised: [...pictures].map(index => index + 1).sort((a, b) => a - b),
    ...(read.length > 0 && {
      ocr: { pages: read.length, confidence: read.reduce((sum, { confidence }) => sum + confidence, 0) / read.length },
    }),
    looks: await looksOf(opened, drawn, pictures, silenced),
    warnings: [
      ...(read.length > 0 ? ['Text in pictures was found by optical character recognition, which may miss some'] : []),
      ...(opened.isDamaged ? [damaged] : []),
      ...doubts,
      ...(layersOff > 0 ? [unreadLayers] : []),
      ...(dotted ? ['Labels show letters of other alphabets than the Latin one as dots'] : []),
    ],
  }
}
