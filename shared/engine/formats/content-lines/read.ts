import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import type { Place } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { distinctNames } from '../text/distinct-names.ts'
import { encode } from '../text/encoding.ts'
import type { Extract } from '../text/text-file.ts'
import type { Patch, SourceRun, TextNode } from '../text/text-nodes.ts'
import { codedText, holdsData } from './coded-parameters.ts'
import { isBareVocabulary, isKnownName, isNumbered, isVocabulary } from './vocabulary.ts'

/** What the values of properties and of parameters are that hold one thing only, in words as tables name their columns. */
const fields: Readonly<Record<string, string>> = {
  FN: 'full name',
  CN: 'full name',
  NICKNAME: 'full name',
  'SORT-STRING': 'full name',
  LABEL: 'address',
  BDAY: 'birthday',
  TEL: 'phone',
}

/** The same of the parts of values that have some, between semicolons; the last counts for all that follow. */
const structured: Readonly<Record<string, readonly string[]>> = {
  N: ['last name', 'first name', 'middle name', ''],
  ADR: ['address', 'address', 'address', 'city', 'city', 'postal code', 'city'],
  ORG: ['company'],
}

/**
 * Properties and parameters whose values are times, zones, rules of repetition, numbers or words of the format: RFC 5545,
 * RFC 6350, and the extensions that programs write.
 */
const settings =
  /^(?:TZID|TZ|TZOFFSET(?:FROM|TO)|DT(?:START|END|STAMP)|DUE|COMPLETED|CREATED|LAST-MODIFIED|RECURRENCE-ID|(?:EX|R)DATE|(?:EX|R)RULE|DURATION|TRIGGER|FREEBUSY|REPEAT|SEQUENCE|PRIORITY|PERCENT-COMPLETE|STATUS|TRANSP|CLASS|ACTION|CALSCALE|METHOD|REV|KIND|REFRESH-INTERVAL|X-PUBLISHED-TTL|X-WR-TIMEZONE|X-LIC-LOCATION|X-MICROSOFT-CDO-[A-Z-]+|ROLE|PARTSTAT|RSVP|CUTYPE|FBTYPE|RELTYPE|RANGE|RELATED|FMTTYPE|LANGUAGE)$/

/** What such values are written as: times and words in one case, languages, and names of time zones. Others are text. */
const setting =
  /^(?:[A-Z\d+\-:;,=./]*|[a-z\d+\-/.]*|[a-z]{2,3}(?:-[A-Za-z\d]{2,8})+|[A-Z][\w+-]*(?:\/[A-Z][\w+-]*){1,2}|[\w. ]+ Standard Time)$/

/** Properties that tell one entry from the others, and point at it. */
const identifying = /^(?:UID|RELATED-TO)$/

/** Bytes in hexadecimal: at least six that people can read, or one. */
const readableOrByte = /((?:[2-7][0-9a-f]){6,})|[0-9a-f]{2}/gi

/** An identifier in hexadecimal, as Outlook writes them, with what can be read in it as text. */
function withReadable(identifier: string): string {
  if (!/^(?:[0-9a-f]{2}){16,}$/i.test(identifier)) return identifier
  return identifier
    .replace(readableOrByte, (bytes, said) => (said ? ` ${Buffer.from(said, 'hex').toString('latin1')} ` : bytes))
    .trim()
}

/** The name of a property without that of its group: `item1.ADR`. */
const bareName = (property: string) => property.slice(property.lastIndexOf('.') + 1).toUpperCase()

/** Where a line goes on in the next, as a pattern. */
const fold = String.raw`(?:\r\n?|\n)[ \t]`

/** Values that are files: pictures, sounds, keys. Nobody has looked into them. */
const isBinary = (parameters: string): boolean => /;(?:ENCODING=)?"?(?:B|BASE64)"?(?=[;:]|$)/i.test(parameters)

const holdsFile = (value: string): boolean => /data:[\w.+/\\;=-]{0,199}base64\\?,[\w+/=%-]/i.test(value)

const isQuoted = (parameters: string): boolean => /;(?:ENCODING=)?"?QUOTED-PRINTABLE"?(?=[;:]|$)/i.test(parameters)

const escaped: Record<string, string> = { n: '\n', N: '\n' }

/** A replacement as the value of a property, and as that of a parameter, which knows no escapes. */
const encodeValue = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

const encodeParameter = (text: string) => text.replace(/[";:,^\x00-\x1f\x7f]/g, '_')

/** What a replacement is in a name. */
const encodeName = (text: string) => text.replace(/[^A-Za-z0-9-]+/g, '-')

/**
 * Folds, and characters that are escaped. What only strings of programs escape, such as tabs, the formats do not: it is text
 * with a backslash in it, as it is in any other format.
 */
const foldOrEscape = new RegExp(String.raw`${fold}|\\(?:${fold})*(?![rtux])(.)`, 'g')

/** The same in parameters, which write line ends and quotes behind a circumflex (RFC 6868). */
const foldOrEscapeInParameter = new RegExp(String.raw`${foldOrEscape.source}|\^(?:${fold})*([n'^])`, 'g')

const softBreak = /=(?:\r\n?|\n)[ \t]?/g

const textOf = (runs: SourceRun[]) => runs.map(run => run.text).join('')

/** Cuts a stretch where lines are folded and characters escaped. */
function valueRuns(source: string, start: number, end: number, write: (text: string) => string): SourceRun[] {
  const runs: SourceRun[] = []
  let at = start
  const same = (text: string) => text
  const plain = (to: number) => {
    if (to > at) runs.push({ text: source.slice(at, to), start: at, end: to, encode: same, escape: write })
  }
  const escapes = write === encodeParameter ? foldOrEscapeInParameter : foldOrEscape
  for (const { index, 0: found, 1: backslashed, 2: raised } of source.slice(start, end).matchAll(escapes)) {
    plain(start + index)
    at = start + index + found.length
    const letter = raised === "'" ? '"' : (raised ?? backslashed)
    if (letter === undefined) runs.push({ text: '', start: at - found.length, end: at })
    else runs.push({ text: escaped[letter] ?? letter, start: at - found.length, end: at, encode: write })
  }
  plain(end)
  return runs
}

/** What quoted-printable stands for in bytes that are UTF-8 or else Western, unless a character set is declared for them. */
function charsetOf(parameters: string, bytes: Buffer): string {
  const declared = /;CHARSET="?([\w.:-]+)/i.exec(parameters)?.[1]?.toLowerCase() ?? 'utf-8'
  if (/2022|^hz/.test(declared))
    throw new EngineError('unsupported_format', 'Texts in ISO-2022 are not supported; save as UTF-8')
  if (iconv.encodingExists(declared) && !/^utf-?8$/.test(declared)) return declared
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** Quoted-printable of old cards, where a line that ends with `=` goes on. */
function quotedRun(source: string, start: number, end: number, parameters: string): SourceRun {
  const joined = source.slice(start, end).replace(softBreak, '')
  const bytes = Buffer.concat(
    joined
      .split(/=([0-9A-F]{2})/i)
      .map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : Buffer.from(piece, 'hex'))),
  )
  const name = charsetOf(parameters, bytes)
  const write = (text: string) =>
    Array.from(
      encode(text, { name, bom: new Uint8Array() }),
      byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
  return { text: iconv.decode(bytes, name), start, end, encode: text => write(text).join('') }
}

/** A line of content with all that is folded under it. */
const contentLine = new RegExp(
  String.raw`(?<![^\r\n])([A-Za-z0-9.-]+)((?:(?:;|${fold})[^":\r\n]*(?:(?:"[^"\r\n]*(?:${fold}[^"\r\n]*)*"|${fold})[^":\r\n]*)*)?):([^\r\n]*(?:${fold}[^\r\n]*)*)(\r\n?|\n|$)`,
  'g',
)

/** What follows a line of quoted-printable that ends with `=`. */
const softLines = /(?:[^\r\n]*=(?:\r\n?|\n))*[^\r\n]*(\r\n?|\n|$)/y

const escapeOrBorder = new RegExp(String.raw`\\(?:${fold})*[\s\S]|;`, 'g')

/** Lines of a file in base64 that old cards don't fold. */
const base64Lines = /(?:[ \t]*[\w+/=-]+[ \t]*(?:\r\n?|\n))+/y

/** The parts of a property's value that begins at `start`, as stretches of the source, and what each is. */
function partsOf(property: string, value: string, start: number): { from: number; to: number; column?: string }[] {
  const columns = structured[property]
  const end = start + value.length
  if (!columns) return [{ from: start, to: end, column: fields[property] }]
  const marks = Array.from(value.matchAll(escapeOrBorder)).filter(([found]) => found === ';')
  const borders = [...marks.map(({ index }) => start + index), end]
  return borders.map((to, n) => ({
    from: n === 0 ? start : borders[n - 1]! + 1,
    to,
    column: columns[Math.min(n, columns.length - 1)],
  }))
}

type Line = { start: number; end: number; name: string; parameters: string; value: string }

function* linesOf(source: string): Generator<Line> {
  contentLine.lastIndex = 0
  for (let found = contentLine.exec(source); found; found = contentLine.exec(source)) {
    const [line, name = '', parameters = '', value = '', end = ''] = found
    const start = found.index
    if (!value.endsWith('=') || !isQuoted(unfolded(parameters))) {
      base64Lines.lastIndex = start + line.length
      if (parameters !== '' && isBinary(unfolded(parameters)) && base64Lines.test(source))
        contentLine.lastIndex = base64Lines.lastIndex
      yield { start, end: contentLine.lastIndex, name, parameters, value }
      continue
    }
    softLines.lastIndex = start + line.length
    const [more, last = ''] = softLines.exec(source)!
    const whole = value + end + more.slice(0, more.length - last.length)
    contentLine.lastIndex = start + line.length + more.length
    yield { start, end: contentLine.lastIndex, name, parameters, value: whole }
  }
}

const folds = new RegExp(fold, 'g')

const unfolded = (text: string) => (/[\r\n]/.test(text) ? text.replace(folds, '') : text)

const eachParameter = new RegExp(`;([^=;]*(?:=(?:${fold})*)?)((?:"[^"]*"|[^;"])*)`, 'g')

const inQuotes = new RegExp(`^"[^"]*"(?:(?:${fold})*,(?:${fold})*"[^"]*")*(?:${fold})*$`)

/** A parameter: its name, where that, what is said of it, and each of its values without quotes are written. */
type Parameter = {
  key: string
  isNamed: boolean
  keyStart: number
  keyEnd: number
  end: number
  values: { start: number; end: number }[]
}

/** The parameters of a line, which begin at an offset. */
function* parametersOf(parameters: string, at: number): Generator<Parameter> {
  for (const { index, 1: name = '', 2: said = '' } of parameters.matchAll(eachParameter)) {
    const keyStart = at + index + 1
    const from = keyStart + name.length
    const quoted = inQuotes.test(said) ? Array.from(said.matchAll(/"([^"]*)"/g)) : undefined
    const values = quoted
      ? quoted.map(({ index, 1: text = '' }) => ({ start: from + index + 1, end: from + index + 1 + text.length }))
      : [{ start: from, end: from + said.length }]
    const key = unfolded(name).replace(/=$/, '')
    yield { key, isNamed: name.includes('='), keyStart, keyEnd: from, end: from + said.length, values }
  }
}

const nameOf: Place = { kind: 'name' }

/** Whose value a text is, in words as tables name their columns, and whether people see it. */
type Shown = { name?: string; column?: string; visible?: boolean }

/** Gathers the texts of a file, and what of it is removed. */
const gather = (source: string) => {
  const nodes: TextNode[] = []
  const cleaning: Patch[] = []
  const dropped = new Map<string, number>()
  const remove = (what: string, start: number, end: number) => {
    cleaning.push({ start, end, text: '' })
    dropped.set(what, (dropped.get(what) ?? 0) + 1)
  }
  const show = (runs: SourceRun[], { name = '', column = fields[name], visible = true }: Shown = {}) => {
    const text = textOf(runs)
    const place: Place = { kind: visible ? 'body' : 'attribute', ...(column && { column }) }
    const wording = settings.test(name) && setting.test(text) ? 'vocabulary' : undefined
    if (/\S/.test(text)) nodes.push({ segment: { text, place, visible, wording }, runs })
  }
  const identifiers: string[] = []
  const rename = distinctNames(identifiers)
  /** What tells entries apart still does when it is replaced. */
  const identify = (start: number, end: number) => {
    const text = withReadable(textOf(valueRuns(source, start, end, encodeValue)))
    identifiers.push(text)
    const runs = [{ text, start, end, encode: (out: string) => encodeValue(rename(text, out)) }]
    nodes.push({ segment: { text, place: { kind: 'meta' }, visible: false, wording: nameWording(text) }, runs })
  }
  const names = new Map<string, TextNode>()
  /** A name that somebody made up, each once with all the places where it is written. */
  const showName = (start: number, end: number) => {
    const runs = valueRuns(source, start, end, encodeName)
    const text = textOf(runs)
    if (text === '') return
    const run = { text, start, end, encode: (out: string) => out || 'X', escape: encodeName }
    const known = names.get(text)
    if (known) known.copies!.push(run)
    else names.set(text, { segment: { text, place: nameOf, visible: false, wording: 'code' }, runs: [run], copies: [] })
  }
  const showParameter = ({ key, isNamed, keyStart, keyEnd, end: last, values }: Parameter) => {
    const written = unfolded(source.slice(keyEnd, last)).replaceAll('"', '')
    if (holdsData(written)) return void remove('parameters that hold data', keyStart - 1, last)
    const isKnown = isNamed ? isKnownName(key, 'parameter') : isBareVocabulary(key)
    if (!isKnown) showName(keyStart, keyStart + source.slice(keyStart, keyEnd).trimEnd().length - Number(isNamed))
    for (const { start, end } of values) {
      const value = unfolded(source.slice(start, end))
      if (start === end || isVocabulary(value, key, 'parameter')) continue
      const told = codedText(value)
      const runs = told
        ? [{ text: told.text, start, end, encode: told.encode }]
        : valueRuns(source, start, end, encodeParameter)
      show(runs, { name: key.toUpperCase(), visible: false })
    }
  }
  const end = () => ({
    nodes: [...nodes, ...names.values()],
    cleaning,
    dropped: [...dropped].map(([what, count]) => ({ what, count })),
  })
  return { show, identify, showName, showParameter, remove, end }
}

/**
 * Calendars and cards (RFC 5545, RFC 6350): the value of each property, or each part of it, and of each parameter is a text
 * of its own, read without folds and escapes. Names of properties and of parameters stay.
 */
export const extractLines: Extract = ({ text: source }) => {
  const { show, identify, showName, showParameter, remove, end } = gather(source)
  let done = 0
  for (const { start: begun, end: ended, name, parameters, value } of linesOf(source)) {
    // What is no line of content is text all the same.
    if (begun > done) show(valueRuns(source, done, begun, encodeValue))
    done = ended
    const at = begun + name.length
    const bare = bareName(name)
    const group = name.slice(0, -bare.length - 1)
    if (group !== '' && !isNumbered(group)) showName(begun, begun + group.length)
    if (!isKnownName(bare, 'property')) showName(at - bare.length, at)
    const start = at + parameters.length + 1
    const last = start + value.length
    if (isBinary(unfolded(parameters)) || holdsFile(unfolded(value))) {
      remove('embedded files', begun, done)
      continue
    }
    for (const parameter of parametersOf(parameters, at)) showParameter(parameter)
    if (isVocabulary(unfolded(value), bare, 'property')) continue
    if (/^(?:BEGIN|END)$/.test(bare)) {
      showName(start, last)
      continue
    }
    const quoted = isQuoted(unfolded(parameters))
    if (!quoted && identifying.test(bare)) identify(start, last)
    else
      for (const { from, to, column } of partsOf(bare, value, start))
        show(quoted ? [quotedRun(source, from, to, unfolded(parameters))] : valueRuns(source, from, to, encodeValue), {
          name: bare,
          column,
        })
  }
  if (done < source.length) show(valueRuns(source, done, source.length, encodeValue))
  return end()
}
