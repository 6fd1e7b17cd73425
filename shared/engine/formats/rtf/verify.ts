import iconv from 'iconv-lite'
import { endOfRun } from '../../long-runs.ts'
import { images } from '../image/index.ts'
import { isUsualFont } from '../office/font-names.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import type { Reread } from '../text/reread.ts'
import { commonWords } from './common-words.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Destinations whose text is seen; that of any other is hidden, or is no text. */
const seen = words(
  `rtf header headerl headerr headerf footer footerl footerr footerf footnote fldrslt shptxt dptxbxtext result ud upr
  mmath moMathPara moMath mnum mden msub msup me mdeg mlim mfName`,
)
const unseen = words(
  `fldinst bkmkstart bkmkend ffname ffdeftext ffformat ffhelptext ffstattext ffentrymcr ffexitmcr ffl stylesheet sv sn
  listname liststylename leveltext filetbl fontemb pn pnseclvl pntext listtext ftnsep ftnsepc ftncn aftnsep aftnsepc
  aftncn field shp shpinst shprslt sp do dpgroup formfield shpgrp object objsect background shppict
  nonesttables pntxta pntxtb xe tc txe rxe tcn hlinkbase hlfr hlsrc hlloc keycode colortbl expandedcolortbl
  listtable listoverridetable list listlevel levelnumbers listoverride lfolevel pgptbl pgp latentstyles defchp defpap
  panose falt lsdlockedexcept wgrffmtfilter nesttableprops tblpropts info
  maccPr mbarPr mborderBoxPr mboxPr mdPr meqArrPr mfPr mfuncPr
  mgroupChrPr mlimLowPr mlimUppPr mmPr mnaryPr mphantPr mradPr msPrePr msSubPr msSubSupPr msSupPr mrPr mctrlPr margPr
  moMathParaPr mmathPr`,
)
const ends = words('par cell nestcell row nestrow sect page column trowd softpage pard')

const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: '\u2003',
  enspace: '\u2002',
  qmspace: '\u2005',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}
const symbols: Record<string, string> = { '\\': '\\', '{': '{', '}': '}', '~': '\u00a0', _: '-' }

/** Windows code pages by `\fcharset`; any other is that of the file. */
const charsets: Record<number, number> = {
  0: 1252,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

function encodingOf(codePage: number): string {
  if (codePage === 65_001) return 'utf-8'
  if (codePage === 10_000) return 'macroman'
  return iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : 'cp1252'
}

const tokens = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n\0]{1,4096})/gi

const noText = /[\\{}\r\n\0]/g

/** One text as it is read: bytes wait until the character set is sure that no more of a character follows. */
type Text = { text: string; bytes: number[]; encoding: string; kind: 'shown' | 'hidden' | 'fonts' | 'picture' }

type Group = { text: Text; encoding: string; fallback: number; isFresh: boolean; isStarred: boolean; isField?: true }

/** How far a file is read again, and what was found in it. */
type Rereading = {
  shown: { text: string }[]
  hidden: string[]
  pictures: Uint8Array[]
  structure: Set<string>
  compounds: Set<string>
  stack: Group[]
  /** Encodings of fonts by their numbers, whether one of them names that of the file, and the font that is being defined. */
  fonts: Map<number, string>
  isAnsiNamed: boolean
  font: number
  defaultFont: number
  /** Encoding of the file. */
  ansi: string
  /** Characters still to pass over, which stand in for one written by its number. */
  skip: number
}

function decodeBytes(text: Text): void {
  if (text.bytes.length === 0) return
  text.text += iconv.decode(Buffer.from(text.bytes), text.encoding)
  text.bytes = []
}

const newText = ({ ansi }: Rereading, kind: Text['kind']): Text => ({ text: '', bytes: [], encoding: ansi, kind })

function addPicture({ pictures }: Rereading, bytes: Buffer): void {
  if (!blankPng.equals(bytes) && images.some(({ matches }) => matches(bytes, '') > 0)) pictures.push(bytes)
}

function endText(reading: Rereading, text: Text): void {
  decodeBytes(text)
  if (text.kind === 'shown') reading.shown.push({ text: text.text })
  else if (text.kind === 'picture') addPicture(reading, Buffer.from(text.text.replace(/[^0-9a-f]/gi, ''), 'hex'))
  else if (text.kind === 'fonts' && isUsualFont(text.text)) reading.structure.add(text.text)
  else reading.hidden.push(text.text)
  text.text = ''
}

function addCharacters({ text }: Group, characters: string): void {
  decodeBytes(text)
  text.text += characters
}

/** Adds characters that count as one, unless they stand in for another. */
function addSymbol(reading: Rereading, group: Group, characters: string): void {
  if (reading.skip > 0) reading.skip--
  else addCharacters(group, characters)
}

function addByte(reading: Rereading, { text, encoding }: Group, code: number): void {
  if (reading.skip > 0) {
    reading.skip--
    return
  }
  if (text.encoding !== encoding) decodeBytes(text)
  text.encoding = encoding
  text.bytes.push(code)
}

/** Where no font names the encoding of the file, those named as Western may be in it. */
function encodingOfFont({ fonts, isAnsiNamed, ansi }: Rereading, font: number): string {
  const encoding = fonts.get(font)
  return encoding === undefined || (encoding === 'cp1252' && !isAnsiNamed) ? ansi : encoding
}

const setAnsi = (reading: Rereading, group: Group, encoding: string) => {
  reading.ansi = encoding
  group.encoding = encoding
}

/** What control words do, apart from those that begin a destination, end a text or stand for a character. */
const handlers: Record<string, (reading: Rereading, group: Group, parameter: number | undefined) => void> = {
  ansicpg: (reading, group, codePage = 1252) => setAnsi(reading, group, encodingOf(codePage)),
  mac: (reading, group) => setAnsi(reading, group, 'macroman'),
  pc: (reading, group) => setAnsi(reading, group, 'cp437'),
  pca: (reading, group) => setAnsi(reading, group, 'cp850'),
  deff: (reading, _group, font = 0) => {
    reading.defaultFont = font
  },
  f: (reading, group, font = 0) => {
    if (group.text.kind === 'fonts') reading.font = font
    else group.encoding = encodingOfFont(reading, font)
  },
  fcharset: (reading, _group, charset = 0) => {
    const codePage = charsets[charset]
    const encoding = charset === 77 ? 'macroman' : codePage && encodingOf(codePage)
    reading.isAnsiNamed ||= encoding === reading.ansi
    reading.fonts.set(reading.font, encoding || reading.ansi)
  },
  plain: (reading, group) => {
    group.encoding = encodingOfFont(reading, reading.defaultFont)
  },
  uc: (_reading, group, fallback = 1) => {
    group.fallback = Math.max(0, fallback)
  },
  u: (reading, group, code) => {
    if (code === undefined) return
    addCharacters(group, String.fromCharCode(code & 0xffff))
    reading.skip = group.fallback
  },
}

/** Begins the text of a destination, where the control word is the first of its group. */
function beginDestination(reading: Rereading, group: Group, name: string): void {
  if (name === 'field') group.isField = true
  const [around, field] = [reading.stack.at(-3), reading.stack.at(-2)]
  if (name === 'fldrslt' && field?.isField && around?.text.kind === 'shown') group.text = around.text
  else if (seen.has(name)) group.text = newText(reading, 'shown')
  else if (name === 'pict') group.text = newText(reading, 'picture')
  else if (name === 'fonttbl' || group.text.kind === 'fonts') group.text = newText(reading, 'fonts')
  else if (unseen.has(name) || group.isStarred) group.text = newText(reading, 'hidden')
}

function readWord(reading: Rereading, group: Group, name: string, parameter: number | undefined): void {
  decodeBytes(group.text)
  if (group.isFresh) beginDestination(reading, group, name)
  group.isFresh = false
  if (commonWords.has(name)) reading.structure.add(name)
  else reading.compounds.add(name)
  if (Object.hasOwn(handlers, name)) handlers[name]!(reading, group, parameter)
  else if (ends.has(name)) endText(reading, group.text)
  else if (Object.hasOwn(characters, name)) addSymbol(reading, group, characters[name]!)
}

function readSymbol(reading: Rereading, group: Group, character: string): void {
  decodeBytes(group.text)
  if (character === '*' && group.isFresh) group.isStarred = true
  else if (character === '\n' || character === '\r') endText(reading, group.text)
  else if (Object.hasOwn(symbols, character)) addSymbol(reading, group, symbols[character]!)
}

function readBrace(reading: Rereading, character: string): void {
  const { stack, ansi } = reading
  reading.skip = 0
  const outer = stack.at(-1)
  if (outer) decodeBytes(outer.text)
  if (character === '{') {
    const { text = newText(reading, 'shown'), encoding = ansi, fallback = 1 } = outer ?? {}
    if (outer) outer.isFresh = false
    stack.push({ text, encoding, fallback, isFresh: true, isStarred: false })
    return
  }
  stack.pop()
  if (outer && outer.text !== stack.at(-1)?.text && outer.text !== stack.at(-2)?.text) endText(reading, outer.text)
}

function readBinary(reading: Rereading, { text }: Group, bytes: string): void {
  reading.skip = 0
  if (text.kind === 'picture') addPicture(reading, Buffer.from(bytes, 'latin1'))
  else reading.hidden.push(bytes)
}

function readText(reading: Rereading, group: Group, text: string): void {
  group.isFresh = false
  // In the code pages of Windows for one alphabet each, ASCII stands for itself.
  const isPlain = reading.skip === 0 && /^cp125\d$/.test(group.encoding) && !/[^ -~]/.test(text)
  if (isPlain) addCharacters(group, text)
  else for (let at = 0; at < text.length; at++) addByte(reading, group, text.charCodeAt(at) & 0xff)
}

/** Reads what `tokens` found; whether the file goes on. */
function readToken(reading: Rereading, source: string, token: RegExpExecArray): boolean {
  const [, name, parameter, hex, symbol, brace, text] = token
  const group = reading.stack.at(-1)
  if (brace !== undefined) {
    readBrace(reading, brace)
    return reading.stack.length > 0
  }
  if (group === undefined) return false
  if (name === 'bin') {
    const bytes = source.slice(tokens.lastIndex, tokens.lastIndex + Number(parameter ?? 0))
    readBinary(reading, group, bytes)
    tokens.lastIndex += bytes.length
  } else if (name !== undefined) readWord(reading, group, name, parameter === undefined ? undefined : Number(parameter))
  else if (symbol !== undefined) readSymbol(reading, group, symbol)
  else readText(reading, group, hex === undefined ? text! : String.fromCharCode(Number.parseInt(hex, 16)))
  return true
}

/** Reads the text that begins at a place, if one does; where it ends. */
function passText(reading: Rereading, source: string, at: number): number {
  const group = reading.stack.at(-1)
  const end = group === undefined ? at : endOfRun(source, at, noText)
  if (end > at) readText(reading, group!, source.slice(at, end))
  return end
}

const [opening, closing] = ['{', '}'].map(brace => brace.charCodeAt(0))

/** Reads the braces and texts from a place on, which are told apart faster than any other token; where they, or the file, end. */
function passPlain(reading: Rereading, source: string, from: number): number {
  let at = from
  while (reading.stack.length > 0 && at < source.length) {
    const code = source.charCodeAt(at)
    if (code === opening || code === closing) readBrace(reading, source[at++]!)
    else {
      const end = passText(reading, source, at)
      if (end === at) break
      at = end
    }
  }
  return at
}

/** Reads RTF as the specification tells, from its first character to its last: `{`, `}`, control words and bytes. */
export function rereadRtf(source: string): Reread {
  const found = { shown: [], hidden: [], pictures: [], structure: new Set<string>(), compounds: new Set<string>() }
  const encodings = { fonts: new Map<number, string>(), isAnsiNamed: false, font: 0, defaultFont: 0, ansi: 'cp1252' }
  const reading: Rereading = { ...found, ...encodings, stack: [], skip: 0 }
  tokens.lastIndex = 0
  for (let token = tokens.exec(source); token && readToken(reading, source, token); token = tokens.exec(source)) {
    tokens.lastIndex = passPlain(reading, source, tokens.lastIndex)
    if (reading.stack.length === 0) break
  }
  reading.hidden.push(source.slice(tokens.lastIndex))
  const { shown, hidden, pictures, structure, compounds } = reading
  return { shown, each: true, hidden, pictures, structure, compounds }
}
