import { unknownParts } from '../report.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** What the text of a destination is: seen, hidden, a definition that is no text, left out, or a picture. */
export type Destination = 'shown' | 'hidden' | 'definition' | 'drop' | 'picture'

const shown = words(
  `rtf header headerl headerr headerf footer footerl footerr footerf footnote fldrslt shptxt dptxbxtext result ud upr
  mmath moMathPara moMath mnum mden msub msup me mdeg mlim mfName`,
)

const hidden = words(
  `fldinst bkmkstart bkmkend ffname ffdeftext ffformat ffhelptext ffstattext ffentrymcr ffexitmcr ffl stylesheet sv sn
  listname liststylename leveltext filetbl fontemb pn pnseclvl pntext listtext ftnsep ftnsepc ftncn aftnsep aftnsepc
  aftncn field shp shpinst shprslt sp do dpgroup formfield shpgrp object objsect background shppict nonesttables pntxta pntxtb xe tc txe rxe tcn hlinkbase hlfr hlsrc hlloc keycode
  maccPr mbarPr mborderBoxPr mboxPr mdPr meqArrPr mfPr mfuncPr
  mgroupChrPr mlimLowPr mlimUppPr mmPr mnaryPr mphantPr mradPr msPrePr msSubPr msSubSupPr msSupPr mrPr mctrlPr margPr
  moMathParaPr mmathPr`,
)

/** Styles, where `\*` stands in front of them; elsewhere they say how a text looks. */
const styles = words('cs ts ds')

const definitions = words(
  `fonttbl colortbl expandedcolortbl listtable listoverridetable list listlevel levelnumbers listoverride lfolevel pgptbl
  pgp latentstyles defchp defpap panose falt lsdlockedexcept wgrffmtfilter nesttableprops tblpropts`,
)

const pictures = words('pict')

/** Destinations that are left out, by what the report calls them. */
const dropped = {
  properties: `info userprops generator author operator title subject keywords comment doccomm company manager category
    creatim revtim printim buptim`,
  comments: 'annotation atnid atnauthor atntime atnref atnparent atndate atnicn atrfstart atrfend',
  'names of people': 'revtbl',
  'editing sessions': 'rsidtbl',
  'embedded objects': 'objdata objclass objname objalias objtime',
  'document variables': 'docvar',
  'custom XML': 'datastore xmlnstbl',
  'template links': 'template',
  'mail-merge settings': 'mailmerge',
  'private settings': 'private',
  passwords: 'passwordhash',
  'other forms of pictures': 'nonshppict',
  'properties of pictures': 'blipuid picprop',
  'rules of line breaks': 'fchars lchars',
  themes: 'themedata colorschememapping',
}

const droppedNames = new Map(
  Object.entries(dropped).flatMap(([what, all]) => [...words(all)].map(word => [word, what])),
)

/** What the report calls a destination that is left out. */
export const droppedName = (word: string): string => droppedNames.get(word) ?? unknownParts

/**
 * The kind of a destination by its control word; undefined for words that begin no destination. One that a reader may
 * ignore (`\*`) and that is not known here is left out.
 */
export function destinationOf(word: string, ignorable: boolean): Destination | undefined {
  if (shown.has(word)) return 'shown'
  if (hidden.has(word) || (ignorable && styles.has(word))) return 'hidden'
  if (definitions.has(word)) return 'definition'
  if (pictures.has(word)) return 'picture'
  if (droppedNames.has(word) || ignorable) return 'drop'
  return undefined
}

/** Control words that go wherever they stand: they name sessions and authors of changes. */
export const droppedWords = /^(?:\w*rsid|revauth|revauthdel|revdttm|revdttmdel|revised|crauth|crdate|chatn)$/

/** Control words that stand for a character. */
export const characters: Readonly<Record<string, string>> = {
  emdash: '\u2014',
  endash: '\u2013',
  emspace: '\u2003',
  enspace: '\u2002',
  qmspace: '\u2005',
  bullet: '\u2022',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
}

/** Control words that end a text. */
export const borders = words('par cell nestcell row nestrow sect page column trowd softpage pard')

export const western = 'cp1252'

/** Code pages by `\fcharset`. */
export const charsets: Readonly<Record<number, string>> = {
  0: western,
  77: 'macroman',
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
}
