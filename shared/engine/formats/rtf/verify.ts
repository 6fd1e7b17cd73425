import iconv from 'iconv-lite'
import { images } from '../image/index.ts'
import { isUsualFont } from '../office/font-names.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import type { Reread } from '../text/reread.ts'
import { commonWords } from './common-words.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Destinations whose text is seen; that of any other is hidden, or is no text. */
const seen = words(
  `rtf header headerl headerr headerf footer footerl footerr footerf footnote fldrslt shptxt dptxbxtext result ud upr`,
)
const unseen = words(
  `fldinst bkmkstart bkmkend ffname ffdeftext ffformat ffhelptext ffstattext ffentrymcr ffexitmcr ffl stylesheet sv sn
  listname liststylename leveltext filetbl fontemb pn pnseclvl pntext listtext ftnsep ftnsepc ftncn aftnsep aftnsepc
  aftncn cs ts ds field shp shpinst shprslt sp do dpgroup formfield shpgrp object objsect background shppict
  nonesttables pntxta pntxtb xe tc txe rxe tcn hlinkbase hlfr hlsrc hlloc keycode colortbl expandedcolortbl
  listtable listoverridetable list listlevel levelnumbers listoverride lfolevel pgptbl pgp latentstyles defchp defpap
  panose falt lsdlockedexcept wgrffmtfilter nesttableprops tblpropts info`,
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

const named: Record<string, string> = { mac: 'macroman', pc: 'cp437' }

function encodingOf(codePage: number): string {
  if (codePage === 65_001) return 'utf-8'
  if (codePage === 10_000) return 'macroman'
  return iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : 'cp1252'
}

const tokens = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n\0]+)/gi

/** One text as it is read: bytes wait until the character set is sure that no more of a character follows. */
type Text = { text: string; bytes: number[]; encoding: string; kind: 'shown' | 'hidden' | 'fonts' | 'picture' }

type Group = { text: Text; encoding: string; fallback: number; isFresh: boolean; isStarred: boolean }

function settle(text: Text): void {
  if (text.bytes.length === 0) return
  text.text += iconv.decode(Buffer.from(text.bytes), text.encoding)
  text.bytes = []
}

/** Reads RTF as the specification tells, from its first character to its last: `{`, `}`, control words and bytes. */
export function rereadRtf(source: string): Reread {
  const shown: { text: string }[] = []
  const hidden: string[] = []
  const pictures: Uint8Array[] = []
  const structure = new Set<string>()
  const compounds = new Set<string>()
  const fonts = new Map<number, string>()
  const stack: Group[] = []
  let ansi = 'cp1252'
  let defaultFont = 0
  let font = 0
  let skip = 0

  const newText = (kind: Text['kind']): Text => ({ text: '', bytes: [], encoding: ansi, kind })
  const picture = (bytes: Buffer) => {
    if (!blankPng.equals(bytes) && images.some(({ matches }) => matches(bytes, '') > 0)) pictures.push(bytes)
  }
  const finish = (text: Text) => {
    settle(text)
    if (text.kind === 'shown') shown.push({ text: text.text })
    else if (text.kind === 'picture') picture(Buffer.from(text.text.replace(/[^0-9a-f]/gi, ''), 'hex'))
    else if (text.kind === 'fonts' && isUsualFont(text.text)) structure.add(text.text)
    else hidden.push(text.text)
    text.text = ''
  }
  const say = ({ text }: Group, characters: string) => {
    settle(text)
    text.text += characters
  }
  const byte = (group: Group, code: number) => {
    const { text, encoding } = group
    if (skip > 0) return void skip--
    if (text.encoding !== encoding) settle(text)
    text.encoding = encoding
    text.bytes.push(code)
  }
  const word = (group: Group, name: string, parameter: number | undefined) => {
    if (group.isFresh) {
      if (seen.has(name)) group.text = newText('shown')
      else if (name === 'pict') group.text = newText('picture')
      else if (name === 'fonttbl') group.text = newText('fonts')
      else if (group.text.kind === 'fonts') group.text = newText('fonts')
      else if (unseen.has(name) || group.isStarred) group.text = newText('hidden')
    }
    group.isFresh = false
    if (commonWords.has(name)) structure.add(name)
    else compounds.add(name)
    if (name === 'ansicpg') ansi = group.encoding = encodingOf(parameter ?? 1252)
    else if (Object.hasOwn(named, name)) ansi = group.encoding = named[name]!
    else if (name === 'deff') defaultFont = parameter ?? 0
    else if (name === 'f' && group.text.kind === 'fonts') font = parameter ?? 0
    else if (name === 'f') group.encoding = fonts.get(parameter ?? 0) ?? ansi
    else if (name === 'fcharset') {
      const codePage = charsets[parameter ?? 0]
      fonts.set(font, parameter === 77 ? 'macroman' : codePage === undefined ? ansi : encodingOf(codePage))
    } else if (name === 'plain') group.encoding = fonts.get(defaultFont) ?? ansi
    else if (name === 'uc') group.fallback = Math.max(0, parameter ?? 1)
    else if (name === 'u' && parameter !== undefined) {
      say(group, String.fromCharCode(parameter & 0xffff))
      skip = group.fallback
    } else if (ends.has(name)) finish(group.text)
    else if (Object.hasOwn(characters, name)) {
      if (skip > 0) skip--
      else say(group, characters[name]!)
    }
  }
  const symbol = (group: Group, character: string) => {
    if (character === '*' && group.isFresh) group.isStarred = true
    else if (character === '\n' || character === '\r') finish(group.text)
    else if (Object.hasOwn(symbols, character)) {
      if (skip > 0) skip--
      else say(group, symbols[character]!)
    }
  }
  const brace = (character: string) => {
    skip = 0
    const outer = stack.at(-1)
    if (character === '{') {
      const { text = newText('shown'), encoding = ansi, fallback = 1 } = outer ?? {}
      if (outer) outer.isFresh = false
      stack.push({ text, encoding, fallback, isFresh: true, isStarred: false })
      return
    }
    stack.pop()
    if (outer && outer.text !== stack.at(-1)?.text) finish(outer.text)
  }

  tokens.lastIndex = 0
  for (let found = tokens.exec(source); found; found = tokens.exec(source)) {
    const [, name, parameter, hex, other, mark, text] = found
    const group = stack.at(-1)
    if (mark !== undefined) {
      brace(mark)
      if (stack.length === 0) break
    } else if (group === undefined) break
    else if (name === 'bin') {
      skip = 0
      const bytes = source.slice(tokens.lastIndex, tokens.lastIndex + Number(parameter ?? 0))
      if (group.text.kind === 'picture') picture(Buffer.from(bytes, 'latin1'))
      else hidden.push(bytes)
      tokens.lastIndex += bytes.length
    } else if (name !== undefined) word(group, name, parameter === undefined ? undefined : Number(parameter))
    else if (other !== undefined) symbol(group, other)
    else {
      group.isFresh = false
      if (hex !== undefined) byte(group, Number.parseInt(hex, 16))
      else for (let at = 0; at < text!.length; at++) byte(group, text!.charCodeAt(at) & 0xff)
    }
  }
  hidden.push(source.slice(tokens.lastIndex))
  return { shown, each: true, hidden, pictures, structure, compounds }
}
