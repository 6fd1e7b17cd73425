import type { Recogniser } from './recogniser.ts'

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|' +
  'januar|februar|märz|mai|juni|juli|oktober|dezember|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|' +
  'januari|februari|mars|maj|augusti|desember|marts|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|' +
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|maart|mei|augustus|' +
  'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia'
const day = '(?:0?[1-9]|[12]\\d|3[01])'
const year = '(?:1[89]\\d\\d|20\\d\\d)'
const birth = [
  'born',
  'dob',
  'd.o.b',
  'date of birth',
  'birth date',
  'birthdate',
  'birthday',
  'birth',
  'geboren',
  'geborene',
  'geborener',
  'geburtsdatum',
  'geburtstag',
  'geb',
  'nacido',
  'nacida',
  'nació',
  'nacer',
  'fecha nac',
  'f. nac',
  'f. de nac',
  'nacimiento',
  'fecha de nacimiento',
  'nasceu',
  'nascido',
  'nascida',
  'nascimento',
  'data de nascimento',
  'dt. nasc',
  'data nasc',
  'född',
  'föddes',
  'fødselsdag',
  'födelsedatum',
  'født',
  'fødselsdato',
  'né',
  'née',
  'né(e)',
  'nés',
  'nées',
  'naquit',
  'naissance',
  'date de naissance',
  'nato',
  'nata',
  'nato/a',
  'nati',
  'nacque',
  'nascita',
  'data di nascita',
  'geboortedatum',
  'geboortedag',
  'geb.datum',
  'geb.dat',
  'geb.-datum',
  'urodzony',
  'urodzona',
  'urodzonego',
  'urodzonej',
  'urodzony/a',
  'urodził',
  'urodziła',
  'urodzenia',
  'ur.',
  'data urodzenia',
  'syntymäaika',
  'syntynyt',
]

const numeric = new RegExp(
  `(?<![\\p{L}\\p{N}./-])(?:${year}([-/.])(?:0?[1-9]|1[0-2])\\1${day}|${day}([-/.])(?:0?[1-9]|1[0-2])\\2(?:${year}|\\d\\d)|(?:0?[1-9]|1[0-2])([-/])${day}\\3(?:${year}|\\d\\d))(?:[T ](?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?![\\p{L}\\p{N}/]|[.-]\\d)`,
  'gu',
)
const named = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${day}(?:\\.|º|er|st|nd|rd|th)?(?:\\s|-)(?:(?:de|of|day of)\\s)?(?:${months})(?:\\.?(?:,?\\s|-)(?:de\\s|of\\s)?${year})?|(?:${months})\\.?\\s${day}(?:st|nd|rd|th)?(?:,?\\s${year})?|(?:${months})\\.?,?\\s(?:de\\s|of\\s)?${year})(?![\\p{L}\\p{N}])`,
  'giu',
)
const range = new RegExp(
  `(?<![\\p{L}\\p{N}])${day}\\.? ?(?:au|al|bis(?: zum)?|tot(?: en met)?|t/m|to|do|a|y|e|i|und|and|et|en|[-–])(?: the)? ${day}\\.? ?(?:de )?(?:${months})(?:\\.?,? (?:de )?${year})?(?![\\p{L}\\p{N}])`,
  'giu',
)
const needs = /\d/

/** Dates of birth are dates that context names so; a date without such a word is a plain one. */
export const dates: Recogniser[] = [
  {
    name: 'birth.numeric',
    label: 'DATE_OF_BIRTH',
    pattern: numeric,
    score: 0.05,
    near: 0.95,
    context: birth,
    source: 'ISO 8601 and national order',
    needs,
  },
  {
    name: 'birth.named',
    label: 'DATE_OF_BIRTH',
    pattern: named,
    score: 0.05,
    near: 0.95,
    context: birth,
    source: 'CLDR month names of eleven languages',
    needs,
  },
  { name: 'date.numeric', label: 'DATE', pattern: numeric, score: 0.65, source: 'ISO 8601 and national order', needs },
  { name: 'date.range', label: 'DATE', pattern: range, score: 0.8, source: 'days of one month', needs },
  {
    name: 'date.named',
    label: 'DATE',
    pattern: named,
    score: 0.8,
    source: 'CLDR month names of eleven languages',
    needs,
  },
]
