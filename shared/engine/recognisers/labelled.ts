import { addressParts } from '../detect/address-parts.ts'
import { isFormWords } from '../detect/form-words.ts'
import type { Found } from '../models/model.ts'
import { listedName } from './name-lexicon.ts'
import { nameParts, personLabels } from './person-labels.ts'
import { kindOf, wholeCell } from './whole-cells.ts'

/** A label with its colon, and what follows on its line up to the next one: a stop, or two blanks. */
const fields =
  /(?<=^|[\n\r\t|•;]|[ \u00a0]{2})[ \u00a0]{0,8}(?<label>\p{L}[\p{L}\p{M} .'’()/-]{0,40})[ \u00a0]?:[ \u00a0\t]{0,8}(?<value>[^\s:;|][^\n\r\t|;]{0,119}?)(?=[ \u00a0]{2}|[\n\r\t|;]|$)/gu

const particles =
  /^(?:de|da|do|dos|das|del|della|di|du|des|la|le|el|al|van|von|vom|der|den|ter|ten|zu|zur|y|e|i|bin|ibn|af|av|of|’t|'t|mr|mrs|ms|dr|med|n|jur|mag|prof|dhr|mevr|mw|sr|sra|sig|dott|pan|pani)\.?$/iu
const firms =
  /(?<!\p{L})(?:GmbH|mbH|AG|KG|OHG|UG|e\.? ?V|e\.? ?K|Ltd|Limited|LLC|LLP|Inc|Corp|plc|S\.?L\.?U?|S\.?A\.?S?|S\.?[Rr]\.?[Ll]|S\.?p\.?A|SARL|SASU?|Lda|Unipessoal|B\.?V|N\.?V|V\.?O\.?F|sp\. ?z ?o\.? ?o|spółka|Sp\.k)(?![\p{L}])/u
const capital = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u

/** A name of two words or more, with capitals and the small words between them; after a label for names one word will do. */
function isName(value: string, fewest: number): boolean {
  const words = value.split(/[ \u00a0]+/)
  if (words.length > 6 || /\d/.test(value) || isFormWords(value)) return false
  const names = words.filter(word => capital.test(word) && !particles.test(word))
  return names.length >= fewest && words.every(word => capital.test(word) || particles.test(word))
}

/** What may be another label within a line: up to four words and their colon. */
const followers =
  /[ \u00a0](?<words>(?:\p{L}[\p{L}\p{M}.'’()/-]{0,30}[ \u00a0]){0,3}\p{L}[\p{L}\p{M}.'’()/-]{0,30})[ \u00a0]?:(?![\d/])/gu

type Field = { label: string; value: string; start: number }

/** The label and value of a line, and those that stand behind them: `Name: Ida Weiß Ward: 7B`. */
function* parted({ label, value, start }: Field): Generator<Field> {
  for (const { groups, index, 0: whole } of value.matchAll(followers)) {
    const words = groups!.words!.split(/[ \u00a0]/)
    const known = words.findIndex((word, n) => /^\p{Lu}/u.test(word) && isFormWords(words.slice(n).join(' ')))
    const first = known < 0 ? words.length - 1 : known
    if (!/^\p{Lu}/u.test(words[first]!)) continue
    const next = words.slice(first).join(' ')
    const end = index + 1 + groups!.words!.length
    const begin = index + whole.length + /^[ \u00a0\t]*/.exec(value.slice(index + whole.length))![0].length
    yield { label, value: value.slice(0, end - next.length).trimEnd(), start }
    return yield* parted({ label: next, value: value.slice(begin), start: start + begin })
  }
  yield { label, value, start }
}

/** What stands within the quotes of a value that is in quotes. */
function unquoted(field: Field): Field {
  const [, inner] = /^["“„«‘'](.+)["”“»’']$/.exec(field.value) ?? []
  return inner === undefined ? field : { ...field, value: inner, start: field.start + 1 }
}

/** The words with capitals, and the small ones between them, that a value begins with; no label of a form among them. */
function leadingName(value: string): string {
  const words = value.split(/(?=[ \u00a0])/)
  const stop = words.findIndex((word, n) => {
    const bare = word.trim()
    return n > 0 && ((/^\p{Ll}/u.test(bare) && !particles.test(bare)) || isFormWords(bare))
  })
  const kept = stop < 0 ? words : words.slice(0, stop)
  while (kept.length > 1 && particles.test(kept.at(-1)!.trim())) kept.pop()
  return kept.join('')
}

/** Labels behind which one word is a name. */
const oneWord = new RegExp(
  `^(?:name|nombre|nom|nome|naam|${nameParts}|patient(?:in|e)?|paziente|paciente|doente)$`,
  'iu',
)

/** What of a value may be what its label says, where the line goes on behind it. */
function bounded(label: string, value: string): string {
  if (label === 'ADDRESS') return value.slice(0, addressParts(value, 0, value.length)[0]?.end)
  return label === 'LOCATION' ? leadingName(value) : value
}

/** Forms of address and degrees that a value begins with, which are no part of a name. */
const titles =
  /^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Madame|Monsieur|Mme|Mlle|M|Frau|Herrn?|Hr|Fr|Mw|Mevr|Dhr|Bc|Mgr|Ing|MUDr|JUDr|Sra?|Dra|D|Dña|Dott|Sig|lek|med)(?:\. ?| ))+(?=\p{Lu})/u

/** What only all cells of a column show; behind a label other patterns look for log-ins and passwords. */
const ofColumns = new Set(['column.record', 'column.account', 'column.secret'])

/** What a label says of its value; of a value with more behind a comma or a bracket, of its beginning. */
function* readings(label: string, value: string): Generator<{ value: string; label: string; pattern: string }> {
  const head = value.split(/[,(]| [–-] /, 1)[0]!.trimEnd()
  for (const whole of new Set([value, head].map(text => text.replace(/[\s.,]+$/, '')))) {
    const kind = kindOf(label, [whole])
    const part = kind ? bounded(kind.label, whole) : leadingName(whole)
    const [found] = kind && !ofColumns.has(kind.name) && part.length <= 80 ? wholeCell(kind, part) : []
    if (found && !isFormWords(part)) return yield { value: part, label: found.label, pattern: 'labelled' }
    if (!personLabels.test(label)) continue
    if (firms.test(whole) && /^\p{Lu}/u.test(whole))
      return yield { value: whole, label: 'ORGANIZATION', pattern: 'labelled' }
    const fewest = oneWord.test(label) ? 1 : 2
    if (isName(part, fewest)) return yield { value: part.replace(titles, ''), label: 'PERSON', pattern: 'labelled' }
  }
}

/** Where a part of a value stands that begins at `start`. */
function placed(start: number, value: string, part: string): { start: number; end: number } {
  const from = start + value.indexOf(part)
  return { start: from, end: from + part.length }
}

/** Values that a label on their line says what they are: `Name: Ida Weiß`, `Anschrift: Am Graben 5`. */
export function* labelled(text: string): Generator<Found> {
  if (!text.includes(':')) return
  for (const { groups, index, 0: whole } of text.matchAll(fields)) {
    const line = { label: groups!.label!, value: groups!.value!, start: index + whole.length - groups!.value!.length }
    for (const { label, value, start } of parted(line).map(unquoted)) {
      for (const found of readings(label.trim(), value)) {
        const evidence = { by: 'pattern' as const, pattern: found.pattern, context: label.trim().toLowerCase() }
        yield { ...placed(start, value, found.value), label: found.label, score: 0.75, evidence }
      }
    }
  }
}

/** What a conversation notes before who speaks: `[09:41]`, `12/03/2024, 09:41 -`, `09:41:07`. */
const date = '(?:\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4},? )?'
const time = `(?:\\[[^\\]\\n]{3,25}\\] ?|${date}\\d{1,2}[:.]\\d{2}(?::\\d{2})?(?: ?[AaPp]\\.?[Mm]\\.?)? ?[-–]? ?)`
const speaker = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,20}(?: \\p{Lu}[\\p{L}\\p{M}'’.-]{0,20})?"
/** In lower case, as people are called in chats; known by a mark, a digit or `<>`, so that no `error:` of a log is one. */
const nickname = '[a-z](?=[a-z]{0,20}[._\\d])[a-z\\d._-]{1,30}'
/** The same without a time, where a sentence follows: an entry of settings or data is none. */
const freely =
  '(?!\\p{L}{1,4}[._]?\\d{1,2}:|(?:step|section|part|page|item|app|server|button|spring)[._])\\p{L}(?=\\p{L}{0,20}[._\\d])[\\p{L}\\d._-]{1,30}'
const sentence = '(?=\\S+ \\S+ )(?=[^\\n"{}\\[\\]=<>|:]{8,400}$)'
/** In lower case without any: names that the lists have, and who else speaks again in a conversation with others. */
const lowly = '\\p{Ll}[\\p{L}\\p{M}]{2,15}(?: \\p{L}[\\p{L}.]{0,14}){0,2}'
/** Somebody as a telephone shows them behind a time: several words, perhaps with pictures. */
const shown = "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’. /-]{1,35}(?: ?\\p{Extended_Pictographic}\\ufe0f?){0,3}"
/** Lines of a conversation: who speaks, perhaps when. */
const turns = new RegExp(
  `^(?:> (?=[\\p{L}.-]{0,30}[_\\d]))?(?:(?:${time}|[—–] ?)?(?:(?<name>${speaker}|${lowly}): ?|(?<free>${freely}): ${sentence})|${time}(?:(?<shown>${shown}): |(?<nick>${nickname}): |<[@+~ ]?(?<irc>[\\p{L}_][\\p{L}\\d_.|\\[\\]-]{1,30})> ))\\S|^(?<above>${speaker}|[a-z][a-z\\d._-]{1,30})[ \\t]{1,4}\\d{1,2}:\\d{2}(?: ?[AaPp][Mm])?[ \\t]*$(?=\\r?\\n(?![^\\n]{0,200}\\d:\\d{2}(?: ?[AaPp][Mm])?[ \\t]*$)\\S)`,
  'gmu',
)
/** What programs put before their lines, and people before messages of changes. */
const levels =
  /^(?:errors?|warn(?:ing)?|info|debug|trace|fatal|crit(?:ical)?|severe|verbose|todo|fixme|fix|feat|chore|docs?|refactor|tests?|perf|build|revert|caused by|system|user|assistant)(?: .*)?$/iu

/** What somebody is in a conversation whose names are not told, perhaps with a number: `Agent`, `Speaker 2`. */
const roles = new RegExp(
  `^(?:${[
    'agents?|callers?|operator|interviewe[re]|moderator|host|guest|speaker|therapist|counsell?or|advis[eo]r|support|bot|chatbot|dispatcher|officer|detective|teacher|student|pupil|narrator|doctor|nurse|patient|chair|clerk|judge|counsel|witness|examiner|candidate|participant|customer|client|rep|representative|call handler|reporter|voice|mother|father|mum|dad',
    'anrufer(?:in)?|berater(?:in)?|mitarbeiter(?:in)?|moderator(?:in)?|interviewer(?:in)?|sprecher(?:in)?|befragte[r]?|proband(?:in)?|therapeut(?:in)?|patient(?:in)?|kund(?:e|in)|leitstelle|disponent(?:in)?|richter(?:in)?|zeug(?:e|in)|lehrer(?:in)?|schüler(?:in)?|vorsitzende[r]?|arzt|ärztin|stimme|reporter(?:in)?',
    'appelante?|conseill(?:er|ère)|opérat(?:eur|rice)|cliente?|intervieweu(?:r|se)|enquêt(?:eur|rice)|témoin|juge|médecin|patiente?|animat(?:eur|rice)|modérat(?:eur|rice)|locut(?:eur|rice)|professeur|élève|voix',
    'agente|operadora?|cliente|llamante|entrevistador[a]?|entrevistad[oa]|moderadora?|locutora?|médic[oa]|paciente|juez|jueza|testigo|profesora?|alumn[oa]|asesora?|atendente|juiz|juíza|testemunha|professora?|alun[oa]|voz',
    'operat(?:ore|rice)|chiamante|intervistat(?:ore|rice|o|a)|moderat(?:ore|rice)|medico|paziente|giudice|testimone|insegnante|alunn[oa]|voce',
    'beller|medewerk(?:er|ster)|klant|geïnterviewde|spreker|arts|patiënt|rechter|getuige|leraar|lerares|leerling|stem',
    'konsultant(?:ka)?|klient(?:ka)?|dzwoniąc[ya]|rozmówc[ay]|prowadząc[ya]|ankieter(?:ka)?|lekarz|lekarka|pacjent(?:ka)?|sędzia|świadek|nauczyciel(?:ka)?|uczeń|uczennica',
    'operátor(?:ka)?|volající|tazatel(?:ka)?|respondent(?:ka)?|moderátor(?:ka)?|lékař(?:ka)?|pacient(?:ka)?|soudce|soudkyně|svědek|svědkyně|učitel(?:ka)?|žák(?:yně)?',
    'operatör|kund|uppringare|intervjuare|talare|läkare|domare|vittne|lärare|elev|röst',
  ].join('|')})(?: ?(?:\\d{1,2}|[A-Z]))?$`,
  'iu',
)

/** Whether who speaks is told by their name alone, in lower case, and the lists don't have it. */
const isWeak = (value: string, isName: boolean) =>
  isName && /^\p{Ll}/u.test(value) && !listedName(value.split(' ', 1)[0]!, undefined)?.given

/** A line of a conversation: who speaks, and where that stands. */
type Turn = { value: string; isName: boolean; isRole: boolean; start: number; end: number }

/** The lines of a text that may be some of a conversation. */
function turnsOf(text: string): Turn[] {
  const found: Turn[] = []
  for (const { groups, index, 0: whole } of text.matchAll(turns)) {
    const name = groups!.name ?? groups!.shown ?? groups!.above
    const value = (name ?? groups!.nick ?? groups!.free ?? groups!.irc)!.replace(
      /(?: |\p{Extended_Pictographic}|\ufe0f)+$/u,
      '',
    )
    const isRole = roles.test(value)
    if ((isFormWords(value) && !isRole) || levels.test(value)) continue
    const start = index + whole.lastIndexOf(value)
    const isName = name !== undefined && !/^[a-z]+[._\d]/.test(value)
    found.push({ value, isName, isRole, start, end: start + value.length })
  }
  return found
}

/** A line with a label that another one follows, and one that follows another. */
const [labelsBefore, labelsBehind] = [/(?:^|\n)[^\n:]{1,40}: ?[^\n]+\n[^\n]*$/, /^[^\n]*\n[^\n:]{1,40}: ?\S/]
/** Characters around a place that are looked at for the lines before and behind its own. */
const around = 400

/**
 * The lines from the first to the last one of those who speak again, with that of somebody else directly before and behind them, unless
 * it stands among lines with labels, as those of a form.
 */
function conversation(text: string, all: readonly Turn[], speaksAgain: (turn: Turn) => boolean): Turn[] {
  const first = all.findIndex(speaksAgain)
  const last = all.findLastIndex(speaksAgain)
  if (first < 0) return []
  const isOneParagraph = (one: Turn, next: Turn) => !/\n\s*\n/.test(text.slice(one.end, next.start))
  const [opener, closer] = [all[first - 1], all[last + 1]]
  const isOpened =
    opener !== undefined &&
    isOneParagraph(opener, all[first]!) &&
    !labelsBefore.test(text.slice(Math.max(0, opener.start - around), opener.start))
  const isClosed =
    closer !== undefined &&
    isOneParagraph(all[last]!, closer) &&
    !labelsBehind.test(text.slice(closer.end, closer.end + around))
  return all.slice(isOpened ? first - 1 : first, last + (isClosed ? 2 : 1))
}

/** The names of those who speak in a conversation: two or more of them, one of whom speaks again. */
export function speakers(text: string): Found[] {
  if (text.indexOf(':') === text.lastIndexOf(':')) return []
  const all = turnsOf(text)
  const times = new Map<string, number>()
  for (const { value } of all) times.set(value, (times.get(value) ?? 0) + 1)
  const speaksAgain = ({ value }: Turn) => times.get(value)! > 1
  const said = conversation(text, all, speaksAgain).filter(
    turn => speaksAgain(turn) || !isWeak(turn.value, turn.isName),
  )
  const names = new Set(said.map(({ value }) => value))
  const again = said.filter(speaksAgain)
  const isTalk = names.size >= 2 && names.size <= 12 && new Set(again.map(({ value }) => value)).size * 2 >= names.size
  if (!isTalk || again.every(({ value, isName }) => isWeak(value, isName))) return []
  const named = said.filter(({ isRole }) => !isRole)
  return named.map(({ start, end, isName }) => ({
    ...{ start, end, label: isName ? 'PERSON' : 'USERNAME', score: 0.75 },
    evidence: { by: 'pattern', pattern: isName ? 'person.speaker' : 'username.speaker' },
  }))
}
