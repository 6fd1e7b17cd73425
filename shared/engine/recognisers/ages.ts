import type { Recogniser } from './recogniser.ts'

const years = '(?:1[01]\\d|[1-9]\\d?)'

/** Of whom ages are told: otherwise the same words are a duration. */
const whose =
  '[Vv]ar[óo]n|[Mm]ujer|[Hh]ombre|[Pp]acientes?|[Nn]iñ[oa]|[Ss]eñora?|[Mm]asculino|[Ff]emenino|[Pp]atiente?|[Hh]omme|[Ff]emme|[Mm]onsieur|[Mm]adame|[Ff]ille|[Gg]arçon|[Ee]nfant|[Dd]oente|[Uu]tente|[Hh]omem|[Mm]ulher|[Mm]enin[oa]|[Pp]aziente|[Uu]omo|[Dd]onna|[Bb]ambin[oa]|[Mm]adre|[Pp]adre|[Hh]ij[oa]'

const row = (name: string, pattern: string, score: number): Recogniser => ({
  name,
  label: 'AGE',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}.,/-])${pattern}(?![\\p{L}\\p{N}])`, 'gu'),
  score,
  source: 'how ages are written in English, German, Spanish, French, Italian, Dutch, Portuguese and Polish',
  needs: /\d/,
})

/** Ages of persons; durations (`für 5 Jahre`, `desde hace 10 años`) are none. */
export const ages: Recogniser[] = [
  row('age.adjective', `${years}[- ](?:year|yr|y)s?[- ](?:old|o)s?`, 0.8),
  row('age.jährig', `${years}[- ]?jährige[rnms]?`, 0.8),
  row('age.letni', `${years}[- ]?letni(?:ej|ego|emu|m|ą|a|e)?`, 0.8),
  row('age.jarig', `${years}[- ]jarige?`, 0.8),
  row('age.enne', `${years}enne`, 0.8),
  row(
    'age.words',
    `(?:[Aa]ged|[Aa]ge|[Aa]lter:?|[Ee]dad:?|[Ll]at|[Ww]iek:?|[Ll]eeftijd:?|[Ii]dade:?|[Ee]tà:?|[ÂA]ge|[âa]gée? de|im Alter von) (?<value>${years}(?: (?:Jahren?|años|ans|anni|anos|jaar|years))?)`,
    0.7,
  ),
  row('age.of', `(?:${whose})[^.\\n\\d]{0,24} (?:de|of|di|von|d’|a) (?<value>${years} (?:años|ans|anos|anni))`, 0.6),
  row('age.apposition', `(?<=, )${years} (?:ans|anni|jaar|años|anos|lat|Jahre(?: alt)?)(?=,|\\.|\\n|$)`, 0.7),
]
