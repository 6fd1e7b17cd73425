import { isMeant } from '../detect/propagation.ts'
import type { Recogniser } from './recogniser.ts'

/** How adjectives for peoples, countries and creeds end in English, where they have a capital. */
const people = '(?:\\p{Lu}\\p{Ll}{2,12}[- ])?\\p{Lu}\\p{Ll}{1,14}(?:ish|an|ese|[td]ch|nch|i|ic|ek|ss|ot|aq|im|sh)'
/** Whom or what such a word stands before. */
const somebody =
  '(?:nationals?|citizens?|nationality|citizenship|origins?|descent|passports?|parents|family|wom[ae]n|m[ae]n|wife|husband|mother|father|son|daughter|girl|boy|students?|immigrants?|refugees?|migrants?|asylum[- ]seekers?|minority|community|activists?|separatists?|army|navy|air force|armed forces|soldiers?|military|politicians?|journalists?|lawyers?|writers?|dancers?|surname|ethnicity|background)'

const profession =
  '(?:[a-z-]{2,20} ){0,2}(?:[a-z-]{2,18}(?:er|or|ist|ian|m[ae]n|wom[ae]n|ant)|nurse|clerk|guard|cook|chef|pilot|judge|midwife|secretary|architect|physician|farmhand|au pair|principal|priest|monk|nun|student|pupil|conscript|mechanic)'
/** What people do, as the last word of what is written below or behind their names. */
const posts =
  `accountant administrator adviser advisor agent analyst architect assistant attendant auditor barista barrister bookkeeper
  buyer carpenter cashier chemist cleaner clerk consultant coordinator counsellor counselor dentist designer developer director
  dispatcher drafter driver economist editor electrician engineer estimator examiner executive firefighter foreman hairdresser
  handler inspector installer instructor interpreter investigator janitor journalist lawyer lecturer librarian lineman machinist
  manager mechanic midwife nurse officer operator optician paralegal paramedic pharmacist photographer physician
  physiotherapist pilot planner plumber principal producer programmer psychologist publicist receptionist recruiter repairer
  reporter representative researcher roofer salesman saleswoman scientist secretary solicitor specialist statistician
  superintendent supervisor surgeon surveyor teacher technician technologist tender therapist trainer translator treasurer tutor
  veterinarian waiter waitress welder worker`
    .split(/\s+/)
    .map(post => `[${post[0]!.toUpperCase()}${post[0]}]${post.slice(1)}`)
    .join('|')
/** A name in two words or more, and what may stand before a line of a quotation or a list. */
const fullName =
  "(?!(?:In|On|At|By|For|From|With|The|And|But) )\\p{Lu}[\\p{L}\\p{M}'’.-]{0,24}(?: (?:\\p{Ll}{2,3} ){0,2}\\p{Lu}[\\p{L}\\p{M}'’.-]{0,24}){1,3}"
const margin = '[ \\t>?*•|-]{0,8}'
/** Words before a post that say of what it is: `Training and development`. */
const fields = '(?:[\\p{L}-]{2,20},? (?:and |of |& )?){0,5}'

/** Of whom it is told what they do. */
const who =
  '(?:[Hh]e|[Ss]he|I|applicant|claimant|patient|who|mother|father|husband|wife|son|daughter|brother|sister|partner)'

const adjective = '[\\p{L}-]{4,24}(?:/[\\p{L}-]{4,24})?'
/** What stands in forms between a label and what is written behind it. */
const leader = ' ?:[ ._…]{0,40}'
const creed =
  '(?:[Rr]öm\\.?[- ]?[Kk]ath|[Rr]zymsko-?katol|[Rr]\\.?[- ]?[Kk](?!\\p{L})|[Ee]v(?=\\.|ang|\\p{Lu}|(?!\\p{L}))|[CcKk]ath?ol|[Kk]ath\\.|[Pp]rot|[Mm]us[lu]|[Ii]slam|[Jj]üd|[Jj]ewish|[Jj]ui[fv]|[Jj]ud|[Żż]yd|[Žž]id|[Ee]brai|[Jj]oods|[Oo]rtho?d|[Pp]rawosł|[Pp]ravosl|[Bb]udd|[Hh]indu|[Ss]ikh|[Aa]lev|[Ss]unn|[Ss]chiit|[Ss]hia|[Ll]uth?er|[Cc]h?rist|[Cc]alvin|[Rr]eform|[Hh]ervormd|[Gg]ereform|[Mm]et(?:h)?odis|[Bb]apti|[Aa]nglic|[Aa]gnost|[AaÁá]t(?:h)?e[iu]|[Kk]onfessionslos|[Nn]eu-?apost|[Zz]eugen? J|[Jj]ehova|[Śś]wiadek J|[Tt]estimon[ei] di G)[\\p{L}.-]{0,24}'
const trade = '[\\p{L}-]{4,30}'

const row = (name: string, pattern: string, score: number, needs?: RegExp): Recogniser => ({
  name,
  label: 'DEMOGRAPHIC',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}-])${pattern}(?![\\p{L}\\p{N}])`, 'gu'),
  valid: isMeant,
  score,
  source: 'how origins and professions are told in eleven languages',
  ...(needs && { needs }),
})

/** Nationalities, origins and professions by the words that tell them of somebody. */
export const circumstances: Recogniser[] = [
  row('origin.people', `(?<value>${people})(?= ${somebody}(?![\\p{L}]))`, 0.6),
  row(
    'origin.behind',
    `(?:[Nn]ationalité|[Rr]essortissante?s?|[Cc]itoyen(?:ne)?s?|[Nn]acionalidade?|[Cc]iudadan[oa]s?|[Nn]azionalità|[Cc]ittadinanza|[Cc]ittadin[oaie]|[Cc]idad(?:ão|ã|ãos)|[Oo]bywatel(?:ka|a|ki|em|ką|stwo)?|[Nn]arodowo(?:ść|ści)|[Nn]árodnosti?|[Oo]bčan(?:ka|ství)?|[Mm]edborgare i|[Nn]ationaliteit|[Nn]ationality|[Cc]itizenship|[Ss]taatsangehörigkeit|[Ss]taatsang(?:eh)?\\.|[Nn]ationalität|Nat\\.(?= ?:)|[Oo]byw\\.(?= ?:))(?:${leader}| )(?<value>${adjective})`,
    0.6,
  ),
  row(
    'origin.before',
    `(?<value>\\p{L}{3,20}(?:isch|sch|deutsch|se|ische|sche|aanse|e)(?:e|er|en|es|em)?) (?:Staatsangehörige[rnms]?|Staatsbürger(?:in|innen|s|n)?|Staatsangehörigkeit|Nationalität|Herkunft|Abstammung|nationaliteit|afkomst|staatsburger(?:schap)?)`,
    0.6,
    /[Ss]taats|Nationalität|Herkunft|Abstammung|nationaliteit|afkomst/,
  ),
  row(
    'creed.labelled',
    `(?:Konfession|Konf\\.|Bekenntnis|Religion(?:szugehörigkeit|sbekenntnis)?|Religious affiliation|Faith|Confession|Religión|Religião|Religione|Godsdienst|Geloof|Wyznanie|Vyznání|Trossamfund)(?:${leader}|(?<=\\.) | ?:[^\\n]{0,60}?(?:[[(][xX✓✗][\\])]|[☒☑]) ?)(?<value>${creed})`,
    0.6,
    /:|Konf\./,
  ),
  row(
    'profession.as',
    `(?:work(?:s|ed|ing)?|employed|serv(?:es|ed|ing)|practi[sc](?:es|ed|ing)|qualified|trained|(?:job|post|position)) (?:as|of) an? (?<value>${profession})`,
    0.6,
    / (?:as|of) an? /,
  ),
  row(
    'profession.is',
    `${who} (?:is|was|am|had been|has been) an? (?<value>${profession})`,
    0.55,
    /(?:is|was|am|been) an? /,
  ),
  row(
    'profession.als',
    `(?:(?:arbeite(?:t|te|n)?|tätig|beschäftigt|angestellt)(?: \\p{Ll}{2,12}){0,2}|[Ww]erk(?:t|te|zaam)?(?: \\p{Ll}{2,12}){0,2}) als (?:een )?(?<value>${trade})`,
    0.6,
    / als /,
  ),
  row(
    'profession.als-before',
    `[Aa]ls (?<value>(?:\\p{Ll}{3,20}e[rn]? )?\\p{Lu}\\p{Ll}{3,30})(?=(?: \\p{Lu}\\p{Ll}{2,20})?(?: (?:in|im|bei|beim|für|an|am)(?: [\\p{L}.&-]{2,24}){1,4})? (?:tätig|beschäftigt|angestellt|arbeite|gearbeitet))`,
    0.6,
    /[Aa]ls /,
  ),
  row(
    'profession.like',
    `(?:[Tt]ravaill(?:e|ait|é)|[Ee]xerc(?:e|ait)|[Ee]mployée?|[Tt]rabaj(?:a|aba|ó|o|ando)|[Ee]jerce|[Ll]avor(?:a|ava|o|ato)|[Tt]rabalh(?:a|ava|ou|o)|[Pp]rac(?:uje|ował|owała|uję|oval|ovala|uji)|[Aa]rbeta(?:r|de)) (?:comme|como|come|jako|som) (?<value>${trade})`,
    0.6,
  ),
  row(
    'profession.by-trade',
    `(?:von Beruf|de profesión|de profession|di professione|de profissão|z zawodu|van beroep|till yrket|povoláním),? (?<value>${trade})`,
    0.6,
  ),
  row(
    'profession.below-name',
    `(?<=(?:^|[\\n\\r])${margin})${fullName}[ \\t]*\\r?\\n${margin}(?<value>${fields}(?:${posts}))(?=[ \\t]*(?:[\\n\\r]|$))`,
    0.55,
    /\n/,
  ),
  row(
    'profession.behind-name',
    `${fullName}, (?:the|an?) (?<value>${fields}(?:${posts}))(?=[,;)])`,
    0.55,
    /, (?:the|an?) /,
  ),
  row(
    'profession.labelled',
    `(?:(?:Beruf|Profession|Profesión|Professione|Profissão|Beroep|Zawód|Yrke|Povolání|Occupation)(?: (?:der|des|de la|de|du|del|della|da|do|van de|of the)? ?[\\p{L}]{3,12})?|Job title|Ocupación|Puesto(?: de trabajo)?|Mansione|Qualifica|Poste occupé|Emploi|Functie|Stanowisko(?: pracy)?|Befattning|Sysselsättning|Ausgeübte Tätigkeit)${leader}(?<value>\\p{L}[\\p{L}-]{2,30}(?: [\\p{L}-]{2,30}){0,3}?)(?=[ \\t]*(?:[,;.…_\\n\\r|(]| {2}| [–—-] |$))`,
    0.65,
    /:/,
  ),
]
