import { isFormWords } from '../detect/form-words.ts'

/** A stretch of a text (UTF-16 offsets, end exclusive) and what it is. */
type Entity = { start: number; end: number; label: string; score: number }
type Line = { start: number; end: number }

/** What stands before the lines of a letter that is quoted, listed or set in a box. */
const mark = /^[\s>?*|•·-]*/u
/** Titles and forms of address, which are on the line of a name and no part of it. */
const titles =
  /(?:^|[\s,])(?:(?:herrn?|frau|mrs?|ms|miss|mx|dr|prof|dipl|ing|med|phd|md|dds|dvm|jr|sr|esq|mme|mlle|m|sig|sig\.ra|dott|dott\.ssa|srta?|sra?|dhr|mevr|mw|pan[iaí]?|an|to|à|att|attn|z\.? ?hd)[.:]?(?=[\s,]|$))+/giu
/** Characters and words of a line that names an institution, and lines between a name and its street, at most. */
const longest = 60
const mostBetween = 2
const mostWords = 6

/** The line around a place of a text, without what marks it as quoted. */
function lineAt(text: string, at: number): Line {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const to = text.indexOf('\n', at)
  const line = text.slice(from, to < 0 ? text.length : to).trimEnd()
  return { start: from + mark.exec(line)![0].length, end: from + line.length }
}

/** Whether names and their titles are all that a line says. */
function isName(text: string, line: Line, entities: readonly Entity[]): boolean {
  const inside = entities.filter(one => one.start < line.end && one.end > line.start)
  if (inside.length === 0 || inside.some(({ label }) => label !== 'PERSON')) return false
  let rest = ''
  let at = line.start
  for (const { start, end } of inside) {
    rest += text.slice(at, start)
    at = Math.max(at, end)
  }
  rest += text.slice(at, line.end)
  return !/[\p{L}\p{N}]/u.test(rest.replace(titles, ' '))
}

const places = new Set(['ADDRESS', 'LOCATION'])
/** Whether a line belongs to the address itself. */
const isPlace = (line: Line, entities: readonly Entity[]) =>
  entities.some(({ start, end, label }) => places.has(label) && start < line.end && end > line.start)

/** What stands on letters beside addresses, and numbers of other things than places. */
const remarks =
  /^(?:(?:streng |strictly |private (?:and|&) )?(?:persönlich|vertraulich|confidential|personal|private|urgent|eilig|eilt|einschreiben|confidenti?el|riservata|personale|confidencial|persoonlijk|vertrouwelijk|poufne|důvěrné|konfidentiellt|by hand|by post|registered|recommandée?|raccomandata|certificado)(?: .*)?|(?:ticket|auftrag|order|build|room|raum|zimmer|version|extension|durchwahl|case|fall|model|modell|port|code|pin|ref|referenz|id|no|nr|nummer|number|dossier|page|seite)\.? .*\d+)$/iu

/** A word that a name holds in lower case. */
const small =
  /^(?:and|of|the|for|und|der|die|das|für|im|et|de|des|du|la|le|les|y|e|en|del|da|do|dos|di|i|w|van|voor|och|för|a|v)$/u

/**
 * Whether a line may name an institution or a place: a few words with capitals, unless what stands beside it has none either, no
 * label and no sentence.
 */
function mayName(value: string, beside: string): boolean {
  if (value.length > longest) return false
  const words = value.match(/[\p{L}\p{M}\p{N}'’&-]+/gu) ?? []
  if (words.length > mostWords || /[!?:;@,]|\p{Ll}{4}\.$/u.test(value)) return false
  const isWritten = (word: string) => /^[\p{Lu}\p{N}&]/u.test(word) || small.test(word) || !/\p{Lu}/u.test(beside)
  return (
    /\p{L}/u.test(value) && words.every(isWritten) && !isFormWords(value.replace(/\d+/g, '')) && !remarks.test(value)
  )
}

/** The lines between the name of a person and a line of an address, or none where anything else stands there. */
function linesAbove(text: string, street: Entity, entities: readonly Entity[]): Line[] {
  const lines: Line[] = []
  let line = lineAt(text, street.start)
  if (/\p{L}/u.test(text.slice(line.start, street.start))) return []
  while (lines.length <= mostBetween) {
    const above = text.lastIndexOf('\n', line.start - 1)
    if (above < 0) return []
    line = lineAt(text, above)
    if (isName(text, line, entities)) return lines
    if (line.start >= line.end || isPlace(line, entities)) return []
    lines.push(line)
  }
  return []
}

/**
 * The entities, and what stands on lines of their own between a person and the street of an address: where that person
 * works, however unlikely its name looks by itself (`Ida Brandt`, `Factset`, `Hafenweg 3`).
 */
export function withInstitutions<E extends Entity>(text: string, entities: readonly E[]): E[] {
  const more = entities
    .filter(({ label }) => label === 'ADDRESS')
    .flatMap(street =>
      linesAbove(text, street, entities)
        .filter(line => mayName(text.slice(line.start, line.end), text.slice(street.start, street.end)))
        .map(line => ({ ...street, ...line, label: 'ORGANIZATION' })),
    )
  return entities.filter(one => !more.some(line => one.start >= line.start && one.end <= line.end)).concat(more)
}

/** A line of a town or a country with its postcode behind, and the number of a house that begins a line before its street. */
const withCode = /^\p{L}[\p{L}\p{M}'’. -]{1,40} (?!(?:19|20)\d\d$)\d{4,6}(?:-\d{3,4})?$/u
const numberBefore = /^\d{1,4}[a-z]?,? $/iu

/** The lines below a street up to the one that ends with a postcode, where nothing but places and parts of a house are between. */
function linesBelow(text: string, street: Entity): Line[] {
  const lines: Line[] = []
  let line = lineAt(text, street.end)
  while (lines.length <= mostBetween + 1 && line.end < text.length) {
    const below = text.indexOf('\n', line.end)
    line = lineAt(text, below < 0 ? text.length : below + 1)
    const value = text.slice(line.start, line.end)
    if (below < 0 || !mayName(value, text.slice(street.start, street.end))) return []
    lines.push(line)
    if (withCode.test(value)) return lines
  }
  return []
}

/** Streets with the numbers before them, and the towns and countries below those that end with a postcode (`Suite 4`, `Yerevan 0010`). */
export function withPlaces<E extends Entity>(text: string, entities: readonly E[]): E[] {
  const more: E[] = []
  const kept = entities.map(one => {
    if (one.label !== 'ADDRESS') return one
    more.push(...linesBelow(text, one).map(line => ({ ...one, ...line })))
    const { start } = lineAt(text, one.start)
    return numberBefore.test(text.slice(start, one.start)) ? { ...one, start } : one
  })
  return kept.filter(one => !more.some(line => one.start >= line.start && one.end <= line.end)).concat(more)
}
