import { isFormWords } from '../detect/form-words.ts'
import { isStopWord } from '../detect/stop-words.ts'
import { pushAll } from '../lists.ts'
import type { Found } from '../models/model.ts'
import { bitOf, isCommonName, type ListedName, listedName } from './name-lexicon.ts'

/** Letters that a name in lower case has at least; shorter ones are words too often. */
const fewest = 4

/** What stands before somebody who is greeted, thanked or spoken of, in any case: what follows is a name where the lists have it. */
const cues =
  'hi|hey|hello|dear|hallo|liebe[rs]?|moin|hola|querid[oa]|ciao|car[oa]|salut|coucou|bonjour|cher|chère|olá|oi|hoi|hej|cześć|ahoj|čau|thanks|danke|bedankt|dzięki|díky|oma|opa|tante|onkel|ma(?:ri| femme| fille)|mon (?:mari|fils|copain)|(?:mein|seine|ihre)(?:e|em|en|er)? (?:mann|frau|sohn|tochter|freund(?:in)?)|(?:my|his|her|our) (?:son|daughter|husband|wife|partner|friend|boss)|(?:mi|su) (?:hij[oa]|marido|mujer|amig[oa])|(?:mi[oa]|su[oa]) (?:figli[oa]|marito|moglie)|(?:meu|minha) (?:filh[oa]|marido|mulher)|mijn (?:zoon|dochter|man|vrouw)|min (?:son|dotter|man|fru|sambo)'
/** What stands before who calls or is told of by name; also before other words, so that the lists must have the name, and no language the word. */
const presented =
  "(?:his|her|their) name(?:['’]s| is| was)|this is|hier (?:ist|spricht)|(?:sein|ihr) name (?:ist|war)|u telefonu|z tej strony|u spreekt met|son nom est|su nombre es|il suo nome è|(?:zijn|haar) naam is"
/** Forms of address, behind which a surname stands as well. */
const titles = 'frau|herrn?|señora?|signora?|senhora?|mevrouw|meneer|fru|mrs?\\.?|ms\\.?|dr\\.?'
/** Words behind which people say what somebody is called, whatever that is. */
const said =
  "my name(?: is|['’]?s)|mein name ist|ich heiße|mon nom est|je m['’]appelle|mi nombre es|me llamo|se llama|il mio nome è|mi chiamo|si chiama|o meu nome é|chamo-me|mijn naam is|ik heet|mam na imię|nazywam się|jmenuj[iu] se|jag heter"
/** Forms of address that nothing but a name follows, and others in a greeting. */
const addressed =
  'mr\\.?|mrs\\.?|mme|mlle|(?:hallo|hi|guten (?:tag|morgen|abend)|liebe[rs]?|moin|servus|bonjour|hola|ciao|hoi|hej|dag|beste|dear|hello) (?:frau|herr|madame|monsieur|señora?|signora?|mevrouw|meneer|fru|mrs?\\.?|ms\\.?|miss)'
const word = '\\p{Ll}[\\p{Ll}\\p{M}]{2,20}'
const behind = (lead: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?i:${lead}),? (?<value>${word}(?:[ -]${word})?)(?![\\p{L}\\p{N}@_]|[.-]\\p{L})`, 'gu')
const cued = behind(cues)
const presenting = behind(presented)
const titled = behind(titles)
const introduced = behind(said)
const greeted = behind(addressed)
const lowerWord = /(?<![\p{L}\p{M}\p{N}_@#&/.’'-])\p{Ll}[\p{Ll}\p{M}]{2,20}(?![\p{L}\p{M}\p{N}_@]|[-.]\p{L})/gu

const isWord = (text: string, language: string | undefined) =>
  isStopWord(text) || isFormWords(text) || isCommonName(text, language)

/** What the lists have of a word in lower case that is nothing else; as it is, because verbs look like inflected names. */
const listed = (text: string, language: string | undefined): ListedName | undefined =>
  text.length < fewest || isWord(text, language) ? undefined : listedName(text, undefined)

const isGiven = (text: string, language: string | undefined) => (listed(text, language)?.given ?? 0) !== 0
const isOwnGiven = (text: string, language: string | undefined) =>
  ((listed(text, language)?.given ?? 0) & bitOf(language)) !== 0

type Name = { start: number; value: string }

/** Who is greeted or introduced in lower case. */
function* spokenTo(text: string, language: string | undefined): Generator<Name> {
  const kinds: [RegExp, (word: string) => boolean][] = [
    [cued, word => isGiven(word, language)],
    [presenting, word => isGiven(word, language) && !isCommonName(word, undefined)],
    [titled, word => listed(word, language) !== undefined],
    [introduced, word => !isWord(word, language)],
    [greeted, word => word.length >= fewest && !isWord(word, language)],
  ]
  for (const [pattern, isName] of kinds) {
    for (const { groups, index, 0: whole } of text.matchAll(pattern)) {
      const [first = '', second] = groups!.value!.split(' ')
      const value = second && listed(second, language) ? groups!.value! : first
      if (isName(first)) yield { start: index + whole.length - groups!.value!.length, value }
    }
  }
}

/** Whom people in a conversation mention in lower case: those who speak in it, and given names of its language. */
function* mentioned(text: string, language: string | undefined, speaking: ReadonlySet<string>): Generator<Name> {
  for (const { 0: value, index } of text.matchAll(lowerWord))
    if (speaking.has(value) || isOwnGiven(value, language)) yield { start: index, value }
}

/** The words in lower case by which those who speak in a conversation may be mentioned in it. */
function speakingOf(text: string, speakers: readonly Found[]): Set<string> {
  const words = speakers.flatMap(
    ({ start, end }) =>
      text
        .slice(start, end)
        .toLowerCase()
        .match(/[\p{L}\p{M}]{4,}/gu) ?? [],
  )
  return new Set(words.filter(one => !isWord(one, undefined)))
}

/** Names of persons in lower case, as people write them in chats: where something says so, and all that are in conversations. */
export function namesInLowerCase(text: string, language: string | undefined, speakers: readonly Found[]): Found[] {
  const names = [...spokenTo(text, language)]
  if (speakers.length > 0) pushAll(names, mentioned(text, language, speakingOf(text, speakers)))
  return names.map(({ start, value }) => ({
    start,
    end: start + value.length,
    label: 'PERSON',
    score: 0.55,
    evidence: { by: 'pattern', pattern: 'person.lower-case' },
  }))
}
