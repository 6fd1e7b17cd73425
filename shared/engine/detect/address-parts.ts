import { isFormWords } from './form-words.ts'

/** A stretch of a text (UTF-16 offsets, end exclusive). */
type Part = { start: number; end: number }

const setOf = (words: string) => new Set(words.split(/\s+/))

/** What streets are, as words of their own. */
const streets = setOf(
  `street st road rd avenue ave av lane ln drive dr close court crescent gardens way place square terrace boulevard blvd bd
  hill mews row straße strasse str platz weg gasse allee calle c avda avenida plaza paseo camino carrer travesía rua
  travessa largo praça alameda estrada via viale piazza corso vicolo rue chemin route quai impasse allée allées cours straat
  laan plein kade gracht dijk ul ulica ulicy al aleja alei plac pl osiedle os`,
)
const compound = /(?:stra(?:ß|ss)e|str|weg|gasse|platz|allee|ufer|damm|straat|laan|plein|kade|dijk|gracht|singel)$/u
/** Parts of houses, and what links the words of names. */
const small = setOf(
  `bis ter quater n nº no nr núm num number bâtiment bât bat appartement appt app apt apto apartment étage etage floor flat
  unit suite room box piso planta puerta pta escalera esc bajo izq izda izquierda dcha derecha letra interno int scala piano lok
  lokal m mieszkanie huis hs bus bte boîte top stiege stock hinterhaus vorderhaus links rechts andar bloco lote esq dto fte
  frente s de del della delle dei degli di da do das dos des du d la le les los las l el am an der den dem im in bei auf zum
  zur unter vor sur sous op aan het van von y e et i o of the upon ob près lès św im gen ks co w`,
)
const price = /(?<![\d.,])\d{1,6}(?:[.,]\d{3})*[.,]\d{2}(?![\d.,])/
/** Characters of a price that may stand behind what a model took of it. */
const cents = 4
const postcode =
  /(?<![\p{L}\p{N}.,])(?:\d{5}(?:-\d{3,4})?|\d{4}-\d{3}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|[1-9]\d{3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![\p{L}\p{N}])[ ,]*/u

type Word = Part & { text: string }

const wordsOf = (line: string): Word[] =>
  Array.from(line.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }))

const isStreet = (word: string) => streets.has(word) || compound.test(word)
/** A word by which forms name their parts, and that is none of an address. */
const isLabel = ({ text }: Word) => isFormWords(text) && !isStreet(text.toLowerCase()) && !small.has(text.toLowerCase())
/** A word that no address holds in lower case. */
const isProse = ({ text }: Word) => /^\p{Ll}/u.test(text) && !small.has(text) && !isStreet(text)
/** A word that may name a street or a town: no label of a form, and no abbreviation. */
const mayName = ({ text }: Word) =>
  isStreet(text.toLowerCase()) ||
  (/^\p{Lu}/u.test(text) &&
    !/\d/.test(text) &&
    !isFormWords(text) &&
    !/^(?:\p{Lu}{1,3}|[B-DF-HJ-NP-TV-XZ]+)$/u.test(text))

/** Where the words go on that stand behind an address: two that none holds, or the last one, or a label behind its town. */
function endOf(line: string, words: readonly Word[]): number {
  const code = postcode.exec(line)
  const town = code ? words.findIndex(({ start }) => start >= code.index + code[0].length) : -1
  const core = words.findIndex(({ text }) => /\d/.test(text))
  const capital = words.findIndex(({ text }) => /^\p{Lu}/u.test(text))
  const stop = words.findIndex((word, n) => {
    if (core < 0 || n <= core || capital < 0 || n <= capital) return false
    const next = words[n + 1]
    return (isProse(word) && (!next || isProse(next))) || (town >= 0 && n > town && isLabel(word))
  })
  return stop < 0 ? line.length : stop === 0 ? 0 : words[stop - 1]!.end
}

/** Words of an address without any capital. */
const fewestWithout = 4

/** Of one line what may be an address: all of it, its numbers where it names a street or a town no more than a label does, or nothing. */
function partOf(line: string, behind: string, hasMore: boolean): Part | undefined {
  if (price.test(line + behind) && !postcode.test(line)) return undefined
  const words = wordsOf(line)
  const end = endOf(line, words)
  const kept = words.filter(word => word.end <= end)
  const numbers = kept.filter(({ text }) => /\d/.test(text))
  const isShort = kept.every(word => /^[\p{Lu}\d]/u.test(word.text) && !isLabel(word))
  if (kept.some(mayName) || (isShort && kept.length > numbers.length && (numbers.length > 0 || hasMore)))
    return { start: 0, end }
  return numbers.length > 0 ? { start: numbers[0]!.start, end: numbers.at(-1)!.end } : undefined
}

/**
 * What of a stretch of a text that was taken for an address may be one: not the labels before it, nor the words, prices and
 * lines behind it. An address ends with the line of its postcode; what is left of the next one is a part of its own.
 */
export function addressParts(text: string, from: number, to: number): Part[] {
  const value = text.slice(from, to)
  // Who writes without capitals gives nothing to tell the words of an address from others by.
  if (!/\p{Lu}/u.test(value) && /\d/.test(value) && wordsOf(value).length >= fewestWithout)
    return [{ start: from, end: to }]
  const parts: Part[] = []
  let isOpen = false
  for (const { 0: line, index } of value.matchAll(/[^\n\r\u2028\u2029]+/g)) {
    const start = from + index
    const end = start + line.length
    const part = partOf(line, end === to ? text.slice(to, to + cents) : '', line.length < value.length)
    if (!part) {
      isOpen = false
      continue
    }
    const last = parts.at(-1)
    if (isOpen && last) last.end = start + part.end
    else parts.push({ start: start + part.start, end: start + part.end })
    isOpen = part.end === line.length && !postcode.test(line)
  }
  return parts.map(part => ({ ...part, end: withoutStop(text, part.end) }))
}

/** Where a part ends: before the full stop of its sentence. */
const withoutStop = (text: string, end: number) =>
  text[end - 1] === '.' && /^[\s.]?$/.test(text[end] ?? '') ? end - 1 : end

const number = '(?:nr?\\.? ?)?(?:\\d{1,4}(?:[-/]?[a-z](?!\\p{L}))?|[a-h](?= ?(?:[,.;)\\n\\r]|$)))(?![\\p{L}\\p{N}])'
const side =
  '(?: ?(?:links|rechts|li\\.|re\\.|mitte|gauche|droite|dcha|izda|izq|derecha|izquierda|esq|dto|fte|left|right|front|rear|th\\.|tv\\.|mf\\.|[a-h](?= ?(?:[,.;)\\n\\r]|$)))\\.?(?![\\p{L}\\p{N}]))?'
/** Parts of houses by what they are called and their number, by their floor, and by the words for them alone. */
const numbered =
  '(?:flat|apt\\.?|apartment|unit|suite|room|whg\\.?|wohnung|wg|aufg(?:ang|\\.)|top|tür|stiege|appt\\.?|app\\.?|appartement|bât(?:iment|\\.)?|esc(?:alier|alera|\\.)?|porte|étage|bte\\.?|boîte|bus|portal|bloque|piso|pta\\.?|puerta|planta|casa|interior|torre|módulo|int(?:erno|\\.)|scala|piano|bloco|apto\\.?|lote|sala|andar|lok\\.?|kl(?:atka|\\.)|m\\.|lgh|uppg(?:ång|\\.)|vchod|byt)'
const floors =
  '(?:[1-9]\\d?(?:\\.|er?|ème|de|ste|st|nd|rd|th)? ?(?:og|stock|etage|ét(?:age|\\.)|verdieping|floor|tr|sal|patro|p\\.|andar)|[1-9]\\d?\\.?[ºª](?: andar)?|[1-9]\\. (?=th\\.|tv\\.|mf\\.)|st\\. (?=th\\.|tv\\.|mf\\.)|[ivx]{1,4} p(?:\\.|iętro)|(?:ground|first|second|third|top) floor|(?:primo|secondo|terzo|quarto) piano|piano terra)'
const named =
  '(?:vh|hh|eg|dg|hinterhaus|hinterh\\.|vorderhaus|seitenflügel|gartenhaus|baghuset|bakgården|agterhuis|(?:citofono|campanello|interphone|sonnette|timbre|klingel) \\p{L}{2,20}|rez-de-chaussée|rdc|bajo|entresuelo|ático|fundos|top bell|(?:2|two|1|one) hs)'
/** Parts of a house that stand right behind its street. */
const houseParts = new RegExp(
  `(?:,? {0,2}(?:${numbered} ?${number}|(?:${named} )?${floors}${side}(?! ?\\p{Ll}{4})|(?:,|(?<=[,(])) ?${named}${side}(?= ?(?:[,;.)\\n\\r/]|$)))){1,5}`,
  'iuy',
)
/** The same right before a street. */
const unitBefore = /(?<![\p{L}\p{N}])(?:flat|apt\.?|apartment|unit|suite|lot|plot|shop|bldg\.?) ?#?\d{1,4}[a-z]?, $/iu

/** An address with the parts of its house right before and behind it: `Flat 2, | 14 Mill Lane |, 2nd floor`. */
export function withHouseParts<T extends Part>(text: string, address: T): T {
  houseParts.lastIndex = address.end
  const [behind = ''] = houseParts.exec(text) ?? []
  const [before = ''] = unitBefore.exec(text.slice(Math.max(0, address.start - 20), address.start)) ?? []
  if (behind === '' && before === '') return address
  return { ...address, start: address.start - before.length, end: address.end + behind.length }
}

/** A Spanish postcode, with the marks around it; `E-` stands for the country. */
const spanishPostcode = /(?:^|[\s,.–-]+)(?<code>(?:E-)?\d{5})(?![\p{L}\p{N}-])(?=(?<gap>[\s,.–-]*))/gu

/** The street, the postcode and the town of a Spanish address, which its documents name by themselves as well. */
export function spanishParts(text: string, { start, end }: Part): Part[] {
  const value = text.slice(start, end)
  const found = Array.from(value.matchAll(spanishPostcode)).at(-1)
  if (!found) {
    const [country = ''] = /^[- ]\d{5}(?!\d)/.test(text.slice(end, end + 7)) ? (/[\s,-]+E$/.exec(value) ?? []) : []
    return [{ start, end: end - country.length }]
  }
  const { code = '', gap = '' } = found.groups!
  const from = start + found.index
  const to = from + found[0].length
  const parts = [
    { start, end: from },
    { start: to - code.length, end: to },
    { start: to + gap.length, end },
  ]
  return parts.filter(part => part.start < part.end)
}
