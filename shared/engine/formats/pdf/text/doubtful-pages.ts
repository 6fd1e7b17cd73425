import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import iconv from 'iconv-lite'
import { resourcesOf, streamsOf } from '../content/content.ts'
import { partedPages } from '../content/parted-content.ts'
import { codesOf, someShown } from '../content/shown-strings.ts'
import { type Font, glyphNames, readFont } from '../fonts/fonts.ts'
import { folded, isNumbered, lettersOfName, readToUnicode } from '../fonts/glyph-names.ts'
import { type ProgramLetters, programLetters } from '../fonts/program-letters.ts'
import { arrayAt, asDict, decode, dictAt, nameAt, numberAt, resolve, value } from '../objects/objects.ts'

/** Whether what a font says that a code means may be something else than what it shows. */
type Doubt = (code: number) => boolean

/** Maps that are text themselves, and collections whose glyphs readers know. */
const textual = /UCS2|UTF16|UTF8|UTF32/
const collections = /^(Japan1|GB1|CNS1|Korea1|KR)$/
const ownSigns = /symbol|dingbat|webding|wingding/i

/** Reads whether a font is to be doubted; undefined where all that it says of itself agrees. */
const doubtOf = (dict: PDFDict): Doubt | undefined => {
  const map = value(dict, 'ToUnicode')
  const bytes = map instanceof PDFRawStream ? decode(map) : undefined
  const read = bytes && readToUnicode(bytes)
  return nameAt(dict, 'Subtype') === 'Type0' ? doubtOfComposite(dict, map, read) : doubtOfSimple(dict, read?.texts)
}

const programOf = (font: PDFDict | undefined) => {
  const descriptor = dictAt(font, 'FontDescriptor')
  const stream = ['FontFile', 'FontFile2', 'FontFile3'].map(key => value(descriptor, key)).find(found => found)
  const bytes = stream && decode(stream)
  return { embedded: stream !== undefined, letters: bytes && programLetters(bytes) }
}

const symbolic = 4

const charactersOf = (encoding: string) =>
  Array.from({ length: 256 }, (_, code) => iconv.decode(Buffer.of(code), encoding))

const doubtOfSimple = (dict: PDFDict, texts: Map<number, string> | undefined): Doubt | undefined => {
  const type3 = nameAt(dict, 'Subtype') === 'Type3'
  const names = glyphNames(dict)
  const base = nameAt(dict, 'Encoding') ?? nameAt(dictAt(dict, 'Encoding'), 'BaseEncoding')
  const { embedded, letters } = programOf(dict)
  const isSymbolic = ((numberAt(dictAt(dict, 'FontDescriptor'), 'Flags') ?? 0) & symbolic) !== 0
  const ownCodes = type3 || (base === undefined && embedded) || ownSigns.test(nameAt(dict, 'BaseFont') ?? '')
  // A symbolic TrueType font is shown by its own table of codes, whatever its encoding says.
  const byProgram = nameAt(dict, 'Subtype') === 'TrueType' && isSymbolic && embedded
  const shown = (code: number): ReadonlySet<string> | undefined => {
    const own = letters?.code(code)
    if (byProgram) return own
    const name = names.get(code)
    if (name !== undefined) return only(lettersOfName(name))
    return ownCodes ? own : only(folded(String.fromCharCode(code)))
  }
  const doubts = new Set<number>()
  for (let code = 0; code < 256; code++) {
    const text = texts?.get(code)
    const unsure =
      text !== undefined
        ? differs(text, shown(code))
        : byProgram
          ? isReadInTwoWays(code, base, letters)
          : isNumbered(names.get(code) ?? '', code)
    if (unsure) doubts.add(code)
  }
  return doubts.size > 0 ? code => doubts.has(code) : undefined
}

const winAnsi = charactersOf('win1252')
const macRoman = charactersOf('macroman')

/**
 * Whether readers give two letters for a code of a symbolic TrueType font without a map. Where its encoding is none or that of
 * a system for which the font has no table, PDFium takes the letters of the table that is there, others those of Windows.
 */
const isReadInTwoWays = (code: number, base: string | undefined, letters: ProgramLetters | undefined): boolean => {
  if (code < 0x20 || !letters) return false
  const isMac =
    base === 'WinAnsiEncoding'
      ? letters.only === 'mac'
      : base === 'MacRomanEncoding'
        ? letters.only !== 'windows'
        : true
  const [byTable, byEncoding] = [(isMac ? macRoman : winAnsi)[code]!, winAnsi[code]!]
  const onlyInAccents = byTable !== byEncoding && folded(byTable) === folded(byEncoding) && folded(byTable) !== ''
  return onlyInAccents || differs(byTable, letters.code(code) ?? only(folded(byEncoding)))
}

const only = (letters: string | undefined) => (letters ? new Set([letters]) : undefined)

const differs = (text: string, shown: ReadonlySet<string> | undefined): boolean =>
  shown !== undefined && !shown.has(folded(text))

const doubtOfComposite = (
  dict: PDFDict,
  map: PDFObject | undefined,
  { texts, leftOut }: Partial<ReturnType<typeof readToUnicode>> = {},
): Doubt | undefined => {
  const encoding = value(dict, 'Encoding')
  const name = encoding instanceof PDFName ? encoding.decodeText() : ''
  const font = asDict(arrayAt(dict, 'DescendantFonts')?.[0])
  const ordering = value(dictAt(font, 'CIDSystemInfo'), 'Ordering') as { decodeText?(): string } | undefined
  const known = textual.test(name) || map instanceof PDFName || collections.test(ordering?.decodeText?.() ?? '')
  const isIdentity = name.startsWith('Identity')
  const letters = isIdentity ? programOf(font).letters : undefined
  const places = value(font, 'CIDToGIDMap')
  const table = places instanceof PDFRawStream ? decode(places) : undefined
  const glyphOf = (code: number) => (table ? (table[2 * code] ?? 0) * 256 + (table[2 * code + 1] ?? 0) : code)
  const doubt: Doubt = code => {
    if (leftOut?.has(code)) return true
    const text = texts?.get(code)
    const shown = letters?.glyph(glyphOf(code))
    // What is in no map readers take for the letter of that number.
    if (text === undefined) return !known && code >= 0x20 && !shown?.has(folded(String.fromCharCode(code)))
    return differs(text, shown)
  }
  if (!texts) return known ? undefined : doubt
  const codes = [...texts.keys(), ...widthCodes(font)]
  return codes.some(doubt) || !isIdentity ? doubt : undefined
}

/** The glyphs that a font gives widths to: those that it shows. */
const widthCodes = (font: PDFDict | undefined): number[] => {
  const entries = arrayAt(font, 'W') ?? []
  const codes: number[] = []
  for (let i = 0; i < entries.length; ) {
    const first = Number(String(entries[i]))
    const next = entries[i + 1]
    if (next instanceof PDFArray) {
      for (let n = 0; n < next.size(); n++) codes.push(first + n)
      i += 2
    } else {
      codes.push(first)
      i += 3
    }
  }
  return codes
}

/** A doubt that is asked once for each code. */
const remembered = (doubt: Doubt): Doubt => {
  const known = new Map<number, boolean>()
  return code => {
    const answer = known.get(code) ?? doubt(code)
    known.set(code, answer)
    return answer
  }
}

/** Codes that are shown alone, as bullets are: this many different ones may be letters that are shown one by one. */
const fewestAlone = 3

const invisible = 3
const deepest = 12

/**
 * The pages, from 0, that show letters in fonts that say of themselves what does not agree, or nothing that readers know, and
 * those whose content readers join in different ways.
 */
export const doubtfulPages = (document: PDFDocument): Set<number> => {
  const { context } = document
  const doubts = new Map<PDFDict, { read: Font; doubt: Doubt } | undefined>()
  const fontOf = (dict: PDFDict | undefined) => {
    if (!dict) return undefined
    if (!doubts.has(dict)) {
      const doubt = doubtOf(dict)
      doubts.set(dict, doubt && { read: readFont(dict), doubt: remembered(doubt) })
    }
    return doubts.get(dict)
  }
  const holding = new Map<PDFDict, boolean>()
  /** Whether resources, or those of the forms among them, have a font to be doubted. */
  const holds = (resources: PDFDict | undefined, depth = 0): boolean => {
    if (!resources || depth > deepest) return false
    const known = holding.get(resources)
    if (known !== undefined) return known
    holding.set(resources, false)
    const entries = (category: string) =>
      (dictAt(resources, category)?.values() ?? []).map(item => resolve(context, item))
    const found =
      entries('Font').some(font => fontOf(asDict(font)) !== undefined) ||
      entries('XObject').some(form => holds(dictAt(asDict(form), 'Resources'), depth + 1))
    holding.set(resources, found)
    return found
  }
  const isDoubtful = (page: PDFPage): boolean => {
    const alone = new Set<number>()
    return someShown(streamsOf(page), resourcesOf(page), ({ font: dict, mode, strings }) => {
      const font = mode === invisible ? undefined : fontOf(dict)
      if (!font) return false
      const codes = strings.flatMap(string => codesOf(font.read, string, false))
      const unsure = codes.filter(font.doubt)
      if (unsure.length > 0 && codes.length > 1) return true
      return unsure.some(code => alone.add(code).size >= fewestAlone)
    })
  }
  const pages = partedPages(document)
  document.getPages().forEach((page, index) => {
    if (holds(resourcesOf(page)) && isDoubtful(page)) pages.add(index)
  })
  return pages
}
