import type { Place } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { distinctNames } from '../text/distinct-names.ts'
import type { Extract } from '../text/text-file.ts'
import type { Patch, SourceRun, TextNode } from '../text/text-nodes.ts'
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

/** The name of a property without that of its group: `item1.ADR`. */
const bareName = (property: string) => property.slice(property.lastIndexOf('.') + 1).toUpperCase()

/** Values that are files: pictures, sounds, keys. Nobody has looked into them. */
const isBinary = (parameters: string): boolean => /;(?:ENCODING=)?(?:B|BASE64)(?=[;:]|$)/i.test(parameters)

const holdsFile = (value: string): boolean => /data:[\w.+/\\;=-]{0,199}base64\\?,[\w+/=%-]/i.test(value)

const isQuoted = (parameters: string): boolean => /;(?:ENCODING=)?QUOTED-PRINTABLE(?=[;:]|$)/i.test(parameters)

const escaped: Record<string, string> = { n: '\n', N: '\n' }

/** A replacement as the value of a property, and as that of a parameter, which knows no escapes. */
const encodeValue = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

const encodeParameter = (text: string) => text.replace(/[";:,\x00-\x1f\x7f]/g, '_')

/** What a replacement is in a name. */
const encodeName = (text: string) => text.replace(/[^A-Za-z0-9-]+/g, '-')

/**
 * Folds, and characters that are escaped. What only strings of programs escape, such as tabs, the formats do not: it is text
 * with a backslash in it, as it is in any other format.
 */
const foldOrEscape = /\r?\n[ \t]|\\(?:\r?\n[ \t])*(?![rtux])(.)/g

/** Cuts a stretch where lines are folded and characters escaped. */
function valueRuns(source: string, start: number, end: number, write: (text: string) => string): SourceRun[] {
  const runs: SourceRun[] = []
  let at = start
  const same = (text: string) => text
  const plain = (to: number) => {
    if (to > at) runs.push({ text: source.slice(at, to), start: at, end: to, encode: same, escape: write })
  }
  for (const { index, 0: found, 1: letter } of source.slice(start, end).matchAll(foldOrEscape)) {
    plain(start + index)
    at = start + index + found.length
    if (letter === undefined) runs.push({ text: '', start: at - found.length, end: at })
    else runs.push({ text: escaped[letter] ?? letter, start: at - found.length, end: at, encode: write })
  }
  plain(end)
  return runs
}

/** Quoted-printable of old cards, where a line that ends with `=` goes on. */
function quotedRun(source: string, start: number, end: number): SourceRun {
  const joined = source.slice(start, end).replace(/=\r?\n[ \t]?/g, '')
  const hex = (text: string) =>
    text.replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const encode = (text: string) =>
    Array.from(Buffer.from(text), byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return { text: Buffer.from(hex(joined), 'latin1').toString(), start, end, encode }
}

/** A line of content with all that is folded under it. */
const contentLine =
  /^([A-Za-z0-9.-]+)((?:(?:;|\r?\n[ \t])(?:"[^"\r\n]*"|\r?\n[ \t]|[^":\r\n])*)?):((?:[^\r\n]|\r?\n[ \t])*)(\r?\n|$)/gm

/** What follows a line of quoted-printable that ends with `=`. */
const softLines = /(?:[^\r\n]*=\r?\n)*[^\r\n]*(\r?\n|$)/y

/** The parts of a property's value that begins at `start`, as stretches of the source, and what each is. */
function partsOf(property: string, value: string, start: number): { from: number; to: number; column?: string }[] {
  const columns = structured[property]
  const end = start + value.length
  if (!columns) return [{ from: start, to: end, column: fields[property] }]
  const marks = Array.from(value.matchAll(/\\(?:\r?\n[ \t])*[\s\S]|;/g)).filter(([found]) => found === ';')
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
      yield { start, end: start + line.length, name, parameters, value }
      continue
    }
    softLines.lastIndex = start + line.length
    const [more, last = ''] = softLines.exec(source)!
    const whole = value + end + more.slice(0, more.length - last.length)
    contentLine.lastIndex = start + line.length + more.length
    yield { start, end: contentLine.lastIndex, name, parameters, value: whole }
  }
}

const unfolded = (text: string) => text.replace(/\r?\n[ \t]/g, '')

/** The parameters of a line, which begin at an offset: where each is written, its value without quotes. */
function* parametersOf(parameters: string, at: number) {
  const each = /;([^=;]*(?:=(?:\r?\n[ \t])*)?)("[^"]*"|[^;]*)/g
  for (const { index, 1: name = '', 2: said = '' } of parameters.matchAll(each)) {
    const keyStart = at + index + 1
    const quote = said.startsWith('"') ? 1 : 0
    const start = keyStart + name.length + quote
    const key = unfolded(name).replace(/=$/, '')
    yield { key, isNamed: name.includes('='), keyStart, start, end: start + said.length - 2 * quote }
  }
}

const nameOf: Place = { kind: 'name' }

/** Whose value a text is, in words as tables name their columns, and whether people see it. */
type Shown = { name?: string; column?: string; visible?: boolean }

/**
 * Calendars and cards (RFC 5545, RFC 6350): the value of each property, or each part of it, and of each parameter is a text
 * of its own, read without folds and escapes. Names of properties and of parameters stay.
 */
export const extractLines: Extract = ({ text: source }) => {
  const nodes: TextNode[] = []
  const cleaning: Patch[] = []
  let binaries = 0
  const show = (runs: SourceRun[], { name = '', column = fields[name], visible = true }: Shown = {}) => {
    const text = runs.map(run => run.text).join('')
    const place: Place = { kind: visible ? 'body' : 'attribute', ...(column && { column }) }
    const wording = settings.test(name) && setting.test(text) ? 'vocabulary' : undefined
    if (/\S/.test(text)) nodes.push({ segment: { text, place, visible, wording }, runs })
  }
  const identifiers: string[] = []
  const rename = distinctNames(identifiers)
  /** What tells entries apart still does when it is replaced. */
  const identify = (start: number, end: number) => {
    const text = valueRuns(source, start, end, encodeValue)
      .map(run => run.text)
      .join('')
    identifiers.push(text)
    const runs = [{ text, start, end, encode: (out: string) => encodeValue(rename(text, out)) }]
    nodes.push({ segment: { text, place: { kind: 'meta' }, visible: false, wording: nameWording(text) }, runs })
  }
  const names = new Map<string, TextNode>()
  /** A name that somebody made up, each once with all the places where it is written. */
  const showName = (start: number, end: number) => {
    const runs = valueRuns(source, start, end, encodeName)
    const text = runs.map(run => run.text).join('')
    if (text === '') return
    const run = { text, start, end, encode: (out: string) => out || 'X', escape: encodeName }
    const known = names.get(text)
    if (known) known.copies!.push(run)
    else names.set(text, { segment: { text, place: nameOf, visible: false, wording: 'code' }, runs: [run], copies: [] })
  }
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
    for (const { key, isNamed, keyStart, start, end } of parametersOf(parameters, at)) {
      const isKnown = isNamed ? isKnownName(key, 'parameter') : isBareVocabulary(key)
      if (!isKnown) showName(keyStart, keyStart + source.slice(keyStart, start).trimEnd().length - Number(isNamed))
      if (start === end || isVocabulary(unfolded(source.slice(start, end)), key, 'parameter')) continue
      show(valueRuns(source, start, end, encodeParameter), { name: key.toUpperCase(), visible: false })
    }
    const start = at + parameters.length + 1
    const end = start + value.length
    if (isBinary(unfolded(parameters)) || holdsFile(unfolded(value))) {
      binaries++
      cleaning.push({ start: begun, end: done, text: '' })
      continue
    }
    if (isVocabulary(unfolded(value), bare, 'property')) continue
    if (/^(?:BEGIN|END)$/.test(bare)) {
      showName(start, end)
      continue
    }
    const quoted = isQuoted(unfolded(parameters))
    if (!quoted && identifying.test(bare)) identify(start, end)
    else
      for (const { from, to, column } of partsOf(bare, value, start))
        show(quoted ? [quotedRun(source, from, to)] : valueRuns(source, from, to, encodeValue), {
          name: bare,
          column,
        })
  }
  if (done < source.length) show(valueRuns(source, done, source.length, encodeValue))
  const dropped = binaries > 0 ? [{ what: 'embedded files', count: binaries }] : []
  return { nodes: [...nodes, ...names.values()], cleaning, dropped }
}
