import type { Recogniser } from './recogniser.ts'

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|' +
  'jänner|feber|januar|februar|märz|mai|juni|juli|oktober|dezember|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|' +
  'januari|februari|mars|maj|augusti|desember|marts|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|' +
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|maart|mei|augustus|' +
  'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|' +
  'janv|févr?|avr|juill|déc|dez|okt|mrt|febr|ene|abr|dic|gen(?=\\.? (?:19|20)\\d\\d)|giu|lug|ott|' +
  'ledna|února|března|dubna|května|června|července|srpna|října|listopadu|prosince'
const day = '(?:0?[1-9]|[12]\\d|3[01])'
const plainYear = '(?:19[2-9]\\d|20[0-4]\\d)'
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
  'narozen',
  'narozená',
  'narozený',
  'datum narození',
  'nar',
  'syntymäaika',
  'syntynyt',
]

/** A year of two digits behind its apostrophe or dash (`12 feb -24`), or one of four. */
const anyYear = `(?:${year}|['’]\\d\\d|-\\d\\d(?!\\.? ?(?:${months})(?!\\p{L})))`
const roman = '(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})'
/** Days of months in Roman numerals: `8-XI-1957`, `2/II/1996`, `3 V 1984`. */
const romanMonth = new RegExp(
  `(?<![\\p{L}\\p{N}./-])${day}(?:([-./])${roman}\\1(?:${year}|\\d\\d)|\\.? ${roman} ${year})(?![\\p{L}\\p{N}/]|[.-]\\d)`,
  'gu',
)
const numeric = new RegExp(
  `(?<![\\p{L}\\p{N}./-])(?:(?:${year}|1[34]\\d\\d)([-/.])(?:0?[1-9]|1[0-2])\\1${day}|${day}([-/.])(?:0?[1-9]|1[0-2])\\2(?:${year}|['’]?\\d\\d)|${day}/(?:0?[1-9]|1[0-2]) (?:['’]|-(?=2\\d(?:[,;)\\n\\r]|\\.(?!\\d)|$| (?:kl|i|på|av|hos|och|vid|med)(?!\\p{L}))))\\d\\d|(?:0?[1-9]|1[0-2])([-/])${day}\\3(?:${year}|\\d\\d))(?:[T ](?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?![\\p{L}\\p{N}/]|[.-]\\d)`,
  'gu',
)
const named = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${day}(?:\\.|º|er|st|nd|rd|th)?(?:\\s|-)(?:(?:de|of|day of|d[ií]as? del? mes de|dias? do mês de|(?:del )?mese di|del mes de|jour de|jour du mois de|du mois de)\\s|d['’])?(?:${months})(?:[.º]{0,2}(?:,?\\s|-)(?:de\\s|of\\s)?(?:${anyYear}|[0-4]\\d(?=[.,;)\\n\\r]|$)))?|(?:${months})\\.?\\s${day}(?:st|nd|rd|th)?(?:,?\\s${year})?|(?:${months})\\.?,?\\s(?:de\\s|of\\s)?${year})(?![\\p{L}\\p{N}])`,
  'giu',
)
const range = new RegExp(
  `(?<![\\p{L}\\p{N}])${day}\\.? ?(?:au|al|bis(?: zum)?|tot(?: en met)?|t/m|to|do|a|y|e|i|und|and|et|en|[-–])(?: the)? ${day}\\.? ?(?:de )?(?:${months})(?:\\.?,? (?:de )?(?:${year}|[0-4]\\d(?=[.,;)\\n\\r]|$)))?(?![\\p{L}\\p{N}])`,
  'giu',
)
const weekday =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|(?:segunda|terça|quarta|quinta|sexta)-feira|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedział(?:ek|ku)|wtor(?:ek|ku)|środ[aę]|czwart(?:ek|ku)|piąt(?:ek|ku)|sobot[aęu]|niedziel[aęi]|(?:mån|tis|ons|tors|fre|lör|sön)dag(?:en)?|ponděl[íe]k?|úterý|střed[au]|čtvrtek|pátek|sobot[au]|neděl[eiy]|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|gio|sab'
/** Days of the week before a date. */
const dayOfWeek = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${weekday}|út|čt|pá|śr|czw|ndz|tis|ons|tors|fre|lör|sön)\\.?(?=,? (?:(?:den|dem|the|le|el|il|dnia|op|a) )?(?:${day}(?:\\.|º|er|st|nd|rd|th)? (?:de |of )?(?:${months})|(?:${months}) ${day}|${day}[./-]\\d{1,2}(?:[./-]\\d{2}|(?![\\d:]))))`,
  'giu',
)
/** Days and months in digits behind a word for a day, or for what is done by then: `am 24.12.`, `vrijdag 26/4`, `le 22/02`. */
const dayMonth = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${weekday})\\.?,? (?:den |dem |the |le |il |op )?|(?:[Dd]en|[Aa]m|[Vv]om|[Zz]um|[Bb]is|[Ss]eit|[Ll]e|[Dd]u|[Aa]u|[Ii]l|[Dd]al|[Aa]l|[Ee]l(?: día)?|[Dd]ia|[Oo]p|[Dd]n(?:ia|e)|[Oo]d|[Dd]o) )(?<value>(?:0[1-9]|[12]\\d|3[01])[./-](?:0?[1-9]|1[0-2])|${day}\\. ?(?:0?[1-9]|1[0-2])\\.(?! ?\\d)|[1-9]/(?:0[1-9]|1[0-2]))(?![\\p{L}\\p{N}%]|[./:,-]\\d|[ ](?:\\p{Sc}|%|[km]?[gml](?!\\p{L})))`,
  'gu',
)
/** Days and months in digits before the lines of statements, histories and notes. */
const dayOfLine =
  /(?<=(?:^|[\n\r])[ \t•*[-]{0,6})(?:0[1-9]|[12]\d|3[01])[/-](?:0[1-9]|1[0-2])(?=\]?(?:[ \t]{1,3}(?:\d{2}:\d{2}[ \t]|[-–:][ \t])|:[ \t]|[ ]{2}[ ]{0,8}\p{L}|\t))/gu
/**
 * Days and months in digits with full stops: at the beginning of a line, before more of a sentence or another one, so that no number
 * at the end of a sentence is one; with strokes at the beginning of a line, before a time.
 */
const written = new RegExp(
  `(?:(?<=^|[\\n\\r]) {0,4}(?<value>(?:0[1-9]|[12]\\d|3[01])\\. ?(?:0[1-9]|1[0-2])\\.(?=[ \\t]|$)|${day}/(?:0?[1-9]|1[0-2])(?=[ \\t]{1,4}(?:kl\\.? ?)?(?:[01]?\\d|2[0-3])[:.][0-5]\\d(?!\\d)))|(?<![\\p{L}\\p{N}./,-]|\\d )(?:0[1-9]|[12]\\d|3[01])\\. ?(?:0[1-9]|1[0-2])\\.(?=[,;)]| (?:\\p{Ll}|[-–] ?\\d))|(?<![\\p{L}\\p{N}./,-]|\\d )${day}\\. ?(?:0?[1-9]|1[0-2])\\.(?= ?[-–] ?${day}\\. ?(?:0?[1-9]|1[0-2])\\.))`,
  'gu',
)
/** Days of a month that is not said, behind a day of the week or with the ending of an ordinal number: `Fri 15th`, `den 15:e`. */
const dayAlone = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${weekday})\\.?,? (?:(?:the|den|dem) )?|den )(?<value>${day}(?:(?<!den \\d{1,2})(?:st|nd|rd|th)|:[ae]|(?<=(?:${weekday})\\.?,? de[nm] \\d{1,2})\\.(?! ?\\d| ?(?:${months})(?!\\p{L}))))(?![\\p{L}\\p{N}])`,
  'giu',
)
/** Days and months in digits before a time of day, or behind a day of the week: `29.8 02:30`, `14-7 9u10`, `vr 3-11`, `Mittwoch 4.9.` */
const besideTime = new RegExp(
  `(?<![\\p{L}\\p{N}.,/-])${day}[./-](?:0?[1-9]|1[0-2])(?![\\p{L}\\p{N}%/-]|[.:,]\\d)(?:(?=\\.?,? (?:kl\\.? |um |om |à |a las |alle |ore |h )?(?:[01]?\\d|2[0-3])(?:[:hu]|\\.(?=[0-5]\\d (?:Uhr|uur)))[0-5]\\d(?![\\d.,]))|(?<=(?<![\\p{L}\\p{N}])(?:${weekday})\\.?,? (?:den |dem |the |le |il |op )?\\d{1,2}[./-]\\d{1,2})(?<!(?:so|do|mi|mo|ma|me|sat|sun|mar) [1-9][-/][1-9])(?! (?:\\p{Sc}|%|[km]?[gml](?!\\p{L}))))`,
  'giu',
)
/** Months and years in digits: `09/2018`. */
const monthYear = new RegExp(`(?<![\\p{L}\\p{N}./,-])(?:0?[1-9]|1[0-2])/${plainYear}(?![\\p{L}\\p{N}/]|[.-]\\d)`, 'gu')
/** The first of two days with one month: `19 et 26/03/2024`. */
const firstOfTwo = new RegExp(
  `(?<![\\p{L}\\p{N}.,/-])${day}\\.?(?= (?:et|und|and|&|y|e|en|och|a|i) ${day}[./]\\d{1,2}[./]\\d{2}(?:\\d{2})?(?!\\d))`,
  'gu',
)
/** Six or eight digits that may be a date of birth, where a word says so. */
const compact =
  /(?<![\p{L}\p{N}./,-])(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)?\d{2}(?![\p{L}\p{N}]|[./,-]\d)/gu
/** The same with blanks or the lines of boxes between, as on forms: `04 | 17 | 1966`, `22 07 1991`. */
const boxed =
  /(?<![\p{L}\p{N}./,|-]|\d )(?:0[1-9]|[12]\d|3[01])(?<mark> ?\| ?| )(?:0[1-9]|[12]\d|3[01])\k<mark>(?:19[0-9]|20[0-4])\d(?![\p{L}\p{N}]|[./,-]\d| \d)/gu
/** Days, months and years in one: `11Jun1990`, `04MAR2024`. */
const joined =
  /(?<![\p{L}\p{N}./-])(?:0?[1-9]|[12]\d|3[01])(?:J(?:an|AN|un|UN|ul|UL)|F(?:eb|EB)|M(?:ar|AR|ay|AY)|A(?:pr|PR|ug|UG)|S(?:ep|EP)|O(?:ct|CT)|N(?:ov|OV)|D(?:ec|EC))(?:19[2-9]|20[0-4])\d(?![\p{L}\p{N}])/gu
/** Years behind what says that somebody was born in them. */
const yearOfBirth =
  /(?<![\p{L}\p{N}])(?:b\.|[Bb]orn(?: in)?|[Uu]r\.|[Uu]rodzon[yae](?: w(?: roku)?)?|[Gg]eb\.|[Gg]eboren(?: in| im Jahre?)?|[Jj]ahrgang|[Jj]g\.|[Nn]ar\.|[Nn]arozen[áýa]?(?: v roce)?|[Ff]ödd|f\.|[Nn]ée?s? en|[Nn]acid[oa] en|[Nn]ascid[oa] em|[Nn]at[oa] nel|[Cc]lasse|[Rr]ocznik|[Rr]očník) ?(?<value>(?:18[89]|19\d|20[0-4])\d)(?![\p{L}\p{N}]|[./-]\d)/gu
/** Numbers of days, and of years, in words: `zwölften`, `third`, `doce`, `deux mille vingt-quatre`. */
const dayWord =
  '(?:(?:twenty|thirty)-?)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|' +
  'ersten?|zweiten?|dritten?|vierten?|fünften?|sechsten?|siebten?|achten?|neunten?|zehnten?|elften?|zwölften?|(?:drei|vier|fünf|sech|sieb|acht|neun)zehnten?|(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig)sten?|' +
  'uno|primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\\p{L}{3,6}|veinte|veinti\\p{L}{3,7}|treinta(?: y uno)?|' +
  'deuxième|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième|(?:on|dou|trei|quator|quin|sei)zième|(?:dix-(?:sept|hui|neuv)|vingt|vingt(?:-| et )\\p{L}{2,6}|trent|trente(?:-| et )un)ième|premier|deux|trois|quatre|cinq|six|sept|huit|neuf|dix(?:-(?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize|vingt(?:(?:-| et )\\p{L}{2,6})?|trente(?: et un)?|' +
  'primo|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|dicia\\p{L}{4,7}|diciotto|venti\\p{L}{0,7}|trent(?:a|uno)|' +
  'primeiro|dois|três|quatro|sete|oito|dez|doze|treze|catorze|dezasseis|dezassete|dezoito|dezanove|vinte(?: e \\p{L}{2,6})?|trinta(?: e um)?|' +
  'eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|elfde|twaalf|twaalfde|(?:der|veer|vijf|zes|zeven|acht|negen)tiende|(?:(?:een|twee|drie|vier|vijf|zes|zeven|acht|negen)[eë]n)?twintigstedertigste|een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|dertien|veertien|vijftien|zestien|zeventien|achttien|negentien|twintig|' +
  'pierwszego|drugiego|trzeciego|czwartego|piątego|szóstego|siódmego|ósmego|dziewiątego|dziesiątego|(?:jede|dwu|trzy|czter|pięt|szes|siedem|osiem|dziewięt)nastego|dwudziestego(?: \\p{L}{5,10}ego)?|trzydziestego(?: pierwszego)?'
const yearWord =
  '(?:dos mil|deux mille|dois mil|due ?mila|zweitausend|tweeduizend|two thousand|nineteen|twenty|neunzehnhundert|mil novecientos|mille neuf cent|mil novecentos|millenovecento|negentienhonderd)(?:[ -]?(?:and |y |et |e |en )?\\p{L}{2,22}){0,4}?'
/** Days of months whose number is a word. */
const spelt = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${dayWord}|um)(?: \\(\\d{1,2}(?:er?|[ºª.])?\\))?\\s(?:(?:de|of|van|day of|d[ií]as? del? mes de|dias? do mês de|(?:del )?mese di|del mes de|jour de|jour du mois de|du mois de)\\s|d['’])?(?:${months})(?![\\p{L}])(?:,?\\s(?:de\\s|of\\s)?(?:${year}|${yearWord}(?=[.,;)\\n\\r]|$)))?(?![\\p{L}\\p{N}])`,
  'giu',
)
/** Full names of days of the week, behind which a number is a day of the month. */
const longWeekday =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|(?:segunda|terça|quarta|quinta|sexta)-feira|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedziałek|wtorek|środ[aę]|czwartek|piątek|sobot[aęu]|niedziel[aę]|(?:mån|tis|ons|tors|fre|lör|sön)dag(?:en)?|pondělí|úterý|čtvrtek|pátek'
/** A day of the week with the day of a month that is not said: `lunes 22`, `mercredi 3 à 14 h`, `zaterdag de tiende`. */
const weekdayAndDay = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${longWeekday}),? (?:(?:the|den|de|el|le|il|op|dia|día|dnia) )?(?:${day}(?![\\p{L}\\p{N}]|[.,:/-]\\d|º| ?=| ?(?:h|uhr|u|am|pm|a\\.m|p\\.m|uur|ore|horas?|heures?|euros?|kr|zł|%|€|\\p{Sc}|x)(?!\\p{L})| \\p{L}{2,3}\\p{Ll}{4,})|(?:${dayWord})(?=[ ]?(?:[,.;)\\n\\r]|$)))`,
  'giu',
)
/** A part of a month: `mi-mars`, `half maart`, `Ende April`. */
const partOfMonth = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:mi-|mid[- ]|half |midden |eind |begin |anfang |mitte |ende |début |fin |metà |inizio |mediados de |meados de |principios de |finales de |połow[ayę] |pocz(?:ątek|ątku) |koni?ec |końcu |začátk(?:em|u) |polovin[ayě] |konc(?:em|e) |början av |mitten av |slutet av |early |late |end of )(?:${months})(?! \\d|[\\p{L}\\p{N}])`,
  'giu',
)
/** Whether the month is none of the English words that are spelt like one: `who arrive late may`. */
const isMonth = (text: string) => !/[ -](?:may|march)$/u.test(text)
/** A season and its year: `najaar van 2021`, `Herbst 2019`. */
const season = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:spring|summer|autumn|(?<=the )fall|winter|frühjahrs?|frühlings?|sommers?|herbst(?:es)?|winters|printemps|(?<=(?:l['’]|cet |en |d['’]))été|automne|hiver|primavera|verano|otoño|invierno|(?<=(?:l['’]|nell['’]|dell['’]|in |d['’]))estate|autunno|inverno|verão|outono|voorjaar|lente|zomer|najaar|herfst|wiosn[aąęy]|lat[oae]m?|jesie(?:ń|ni|nią)|zim[aąęyě]|jar[oau]|jaře|lét[oaě]|podzim(?:u|em)?|vår(?:en)?|sommar(?:en)?|höst(?:en)?|vinter(?:n|en)?|forår(?:et)?|efterår(?:et)?) (?:(?:de|van|du|del|di|do|of|roku|r\\.) )?${plainYear}(?![\\p{L}\\p{N}]|[.,]\\d)`,
  'giu',
)
/** Feasts that are one day of each year, and others with their year. */
const feast = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:Dreikönig(?:stag)?|Allerheiligen|Aschermittwoch|(?:la )?Toussaint|(?:[Dd][ií]a de )?Todos (?:os Santos|los Santos)|Domingo de Ramos|Ognissanti|Wszystkich Świętych|[Tt]łust(?:y|ego) [Cc]zwart(?:ek|ku)|MDŽ|[Tt]jugondag [Kk]nut|[Kk]risti ?himmelsfärd(?:sdag)?|(?:[Ee]erste|[Tt]weede) [Kk]erstdag|Hogmanay|Ash Wednesday|Heiligabend|[Hh](?:eiliger|l\\.) Abend|Silvester|Neujahrstag|Karfreitag|Oster(?:sonn|mon)tag|Pfingst(?:sonn|mon)tag|(?:[Dd]ía de )?Reyes(?= )|(?<=[Dd]ía de )Reyes|Nochebuena|Nochevieja|Epifania|Ferragosto|Pasquetta|Koningsdag|Sinterklaas(?:avond)?|[Tt]rettondagen|[Mm]idsommarafton|(?<= )Trzech Króli|Sylwester|Tři krále|Štědrý den|Silvestr|Christmas (?:Eve|Day)|Boxing Day|New Year['’]s (?:Eve|Day)|Good Friday|Easter (?:Sunday|Monday)|[Ll]undi de (?:Pâques|Pentecôte)|(?:Christmas|Easter|Weihnachten|Ostern|Pfingsten|Pâques|Noël|Navidad|Pascua|Pasqua|Natale|Páscoa|Natal|Kerst|Pasen|Wielkanoc|Velikonoce|Vánoce|[Jj]ul|[Pp]åsk)(?= (?:(?:19|20)\\d\\d|['’]\\d\\d)))(?: (?:${plainYear}|['’]\\d\\d))?(?![\\p{L}\\p{N}])`,
  'gu',
)
/** Years by what stands before them: `since 2012`, `im Jahr 1998`, `desde 2004`. */
const yearBehind = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:[Ii]n(?: the year)?|[Ss]ince|[Ff]rom|[Uu]ntil|[Bb]efore|[Aa]fter|[Bb]y|[Ii]m Jahre?|[Ss]eit|[Bb]is|[Aa]b|[Vv]on|[Dd]esde|[Hh]asta|[Ee]n(?: el año)?|[Aa]ño|[Dd]epuis|[Jj]usqu['’]en|[Ee]n|[Dd]al|[Nn]el|[Ff]ino al|[Dd]el|[Ee]m|[Dd]e|[Aa]té|[Ss]inds|[Ss]edert|[Vv]anaf|[Tt]ot|[Ww]|[Oo]d|[Dd]o|[Rr]oku|[Rr]ok|[Ss]edan|[Åå]r|[Vv] roce|[Rr]oce|[Ss]ummer|[Ww]inter|[Ss]pring|[Aa]utumn|Frühjahr|Frühling|Sommer|Herbst|[Zz]omer|[Vv]oorjaar|[Nn]ajaar|[Hh]erfst|été|printemps|automne|hiver|verano|primavera|otoño|invierno|(?<=(?:l['’]|nell['’]|dell['’]|in |d['’]))estate|autunno|inverno|verão|outono|lat[oa]|wiosn[aęąy]|zim[aęąy]|jesie(?:ń|ni|nią)|[Ss]ommaren|[Hh]östen|[Vv]åren|[Vv]intern|lét[oaě]|podzimu?|[Dd]iagnosed|©) (?<value>${plainYear})(?!\\d|[.,/]\\d|[-–]\\d|[ -]?(?:\\p{Sc}|%|km|kg|[km]?g|m|ml|EUR|USD|GBP|CHF|PLN|zł|euros?|Euro|\\p{Ll}*(?:personas|people|personen|personnes|persone|pessoas|osób))(?!\\p{L}))`,
  'gu',
)
/** Two years, and what lies between them (`2014–2018`, `1998/99`); one that goes on until now. */
const until =
  '[Pp]resent|[Nn]ow|[Tt]oday|[Hh]eute|[Jj]etzt|[Aa]ctualidad|[Pp]resente|[Aa]ctualmente|[Hh]oy|[Aa]ujourd|[Pp]résent|[Oo]ggi|[Aa]tualidade|[Aa]tual|[Hh]eden|[Nn]u|[Dd]ziś|[Oo]becnie|[Nn]uvarande|[Dd]osud'
const years = new RegExp(
  `(?<![\\p{L}\\p{N}.,/-])${plainYear}(?: ?[-–—/] ?(?:${plainYear}|['’]?\\d{2})(?![\\p{L}\\p{N}/]|[.-]\\d)|(?= ?[-–—] ?(?:${until})(?!\\p{L})))`,
  'gu',
)
/** A year alone before the line of a course of life. */
const yearOfLine = new RegExp(`(?<=^|[\\n\\r][ \\t•*-]{0,6})${plainYear}(?=[ \\t]*(?:[:–—|\\t]|-[ \\t]| {2}))`, 'gu')
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
  { name: 'year.birth', label: 'DATE', pattern: yearOfBirth, score: 0.7, source: 'words for births', needs },
  {
    name: 'birth.roman',
    label: 'DATE_OF_BIRTH',
    pattern: romanMonth,
    score: 0.05,
    near: 0.95,
    context: birth,
    source: 'months in Roman numerals',
    needs,
  },
  { name: 'date.roman', label: 'DATE', pattern: romanMonth, score: 0.7, source: 'months in Roman numerals', needs },
  { name: 'date.day-month', label: 'DATE', pattern: dayMonth, score: 0.6, source: 'words before days', needs },
  {
    name: 'date.line',
    label: 'DATE',
    pattern: dayOfLine,
    score: 0.55,
    source: 'days and months at the beginnings of lines of statements and notes',
    needs,
  },
  { name: 'date.written', label: 'DATE', pattern: written, score: 0.6, source: 'days and months in digits', needs },
  { name: 'date.day-alone', label: 'DATE', pattern: dayAlone, score: 0.55, source: 'ordinal numbers of days', needs },
  {
    name: 'date.beside-time',
    label: 'DATE',
    pattern: besideTime,
    score: 0.55,
    source: 'times, days of the week',
    needs,
  },
  {
    name: 'date.month-year',
    label: 'DATE',
    pattern: monthYear,
    score: 0.6,
    source: 'months and years in digits',
    needs,
  },
  { name: 'date.first-of-two', label: 'DATE', pattern: firstOfTwo, score: 0.6, source: 'two days of one month', needs },
  {
    ...{ name: 'birth.compact', label: 'DATE_OF_BIRTH', pattern: compact, score: 0.05, near: 0.8, context: birth },
    ...{ source: 'days, months and years in digits without marks', needs: /\d{6}/ },
  },
  {
    ...{ name: 'birth.boxed', label: 'DATE_OF_BIRTH', pattern: boxed, score: 0.05, near: 0.9, context: birth },
    ...{ source: 'days, months and years in the boxes of forms', needs: /\d{2}[ |]/ },
  },
  {
    ...{ name: 'birth.joined', label: 'DATE_OF_BIRTH', pattern: joined, score: 0.05, near: 0.95, context: birth },
    ...{ source: 'days, months and years without marks, as systems of laboratories write them', needs },
  },
  {
    ...{ name: 'date.joined', label: 'DATE', pattern: joined, score: 0.8 },
    ...{ source: 'days, months and years without marks, as systems of laboratories write them', needs },
  },
  { name: 'date.range', label: 'DATE', pattern: range, score: 0.8, source: 'days of one month', needs },
  {
    name: 'date.named',
    label: 'DATE',
    pattern: named,
    score: 0.8,
    source: 'CLDR month names of eleven languages',
    needs,
  },
  {
    name: 'date.spelt',
    label: 'DATE',
    pattern: spelt,
    valid: text => !/ (?:march|may)$/.test(text),
    score: 0.8,
    source: 'numbers of days in words, CLDR month names',
  },
  {
    name: 'date.weekday',
    label: 'DATE',
    pattern: dayOfWeek,
    score: 0.6,
    source: 'days of the week before dates',
    needs,
  },
  {
    name: 'date.weekday-and-day',
    label: 'DATE',
    pattern: weekdayAndDay,
    score: 0.55,
    source: 'days of the week with one of the month',
  },
  {
    name: 'date.part-of-month',
    label: 'DATE',
    pattern: partOfMonth,
    valid: isMonth,
    score: 0.55,
    source: 'parts of months',
  },
  { name: 'date.season', label: 'DATE', pattern: season, score: 0.6, source: 'seasons, in eleven languages', needs },
  { name: 'date.feast', label: 'DATE', pattern: feast, score: 0.55, source: 'feasts, in eleven languages' },
  { name: 'year.behind', label: 'DATE', pattern: yearBehind, score: 0.55, source: 'words before years', needs },
  { name: 'year.span', label: 'DATE', pattern: years, score: 0.6, source: 'spans of years', needs },
  { name: 'year.line', label: 'DATE', pattern: yearOfLine, score: 0.6, source: 'lines of a course of life', needs },
]

/** Those of {@link dates} that are bare years, which in a cell may be any number. */
export const bareYears: readonly Recogniser[] = dates.filter(({ name }) => name.startsWith('year.'))
