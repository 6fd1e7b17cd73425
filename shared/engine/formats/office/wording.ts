import type { Segment } from '../format.ts'

type Wording = Segment['wording']

/** Words that Office programs name their own styles, layouts and objects with. */
const vocabulary = new Set(
  `accent acronym address anchor and annotation arrow authorities background bad balloon bibliography blank block body book
  bottom box bullet caption cell char character chart check cite classic closing code color colorful column columns comma
  comment comparison connector contemporary content contents continue currency dark date default definition diagram
  document drawing effects elegant emphasis endnote envelope explanatory figures fill first followed font footer footnote
  form frame freeform good graphic graphics grid group header heading html hyperlink image indent index input intense
  internet keyboard latent layout light line link linked list macro map master medium message neutral no normal note notes
  number numbering object objects of office only outline output oval page paragraph percent picture placeholder plain
  preformatted professional quotation quote rectangle reference result return revision row salutation sample section shading
  shape signature simple slide spacing standard straight strong style subject subtitle subtle symbol symbols table text
  textbox theme title toc top total two typewriter user variable vertical visited warning web with without calculation`
    .trim()
    .split(/\s+/),
)

/** The words of an identifier: `Heading_20_1_20_Char`, `HeadingChar` and `heading 1 char` have the same. */
const wordsOf = (name: string) =>
  name
    .replace(/_([0-9a-f]{2})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

/** Whether a name is one that Office programs give: to a style of theirs, a layout, an object. It tells of nobody. */
export const isStandardName = (name: string): boolean =>
  wordsOf(name).every(word => vocabulary.has(word) || word.length === 1)

/** One word that people don't write so, at least not alone: `_Toc123`, `lastRow`, `en-US`, `#a1`, `text/css`, `solid`. */
const identifier = /^(?!\S*\s)(?:\p{Ll}|.*[\d_#{}:;=<>()\\/$%*+@&]|.*\p{Ll}\p{Lu})/u

/** What a hidden text is that may be people's or a program's: a name of an object, an attribute, a key. */
export function nameWording(text: string): Wording {
  const bare = text.trim()
  return identifier.test(bare) || isStandardName(bare) ? 'code' : undefined
}

/** What a hidden text is that is written for people, unless it is markup or settings after all. */
export const spokenWording = (text: string): Wording =>
  /\p{L}/u.test(text) && !/[={}<>]/.test(text) ? undefined : 'code'

/** What a text between tags that no reader shows as one is: a number or an identifier, or what people wrote. */
export const looseWording = (text: string): Wording => (/\p{L}/u.test(text) ? nameWording(text) : 'code')

/**
 * What an address is: a model tells by itself what stands inside of one that begins as addresses do, and reads names of
 * files that have blanks; any other is a path.
 */
export const addressWording = (text: string): Wording =>
  /^[a-z][\w+.-]*:|\s/i.test(text.trim()) ? undefined : 'address'

/** The code of a field: addresses are among its words, or it has none. */
export const fieldWording = (code: string): Wording => (/HYPERLINK|INCLUDE/i.test(code) ? 'address' : 'code')
