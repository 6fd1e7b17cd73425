import { isFormWords } from '../detect/form-words.ts'
import { isMeant } from '../detect/propagation.ts'
import { isCommonName, listedName } from './name-lexicon.ts'
import type { Recogniser } from './recogniser.ts'

/** Forms of address before a name: what stands behind them in capitals is a name, unless it is an office. */
const courtesy = [
  '[Pp]í|[Pp]an[íeu]|[Pp]anem|[Pp]anovi|[Hh]err|[Ff]ru|[Ff]röken|Hr|Fr',
  'Mr|Mrs|Ms|Mx|Miss|Mister|Madam|Sir|Rev',
  'Herrn?|Frau|Fräulein',
  'Monsieur|Madame|Mademoiselle|M\\.|MM\\.|Mme|Mlle',
  '[Ss]eñor(?:a|ita)?|Sr|Sra|Srta|Don|Doña|don|doña',
  '[Ss]ignor(?:a|e|ina)?|[Ss]ig\\.(?: ?(?:ra|na))?|[Ss]ig\\.?ra|[Ss]ig\\.?na',
  '[Ss]enhor(?:a)?|Dona|dona',
  '[Dd]e [Hh]eer|[Mm]eneer|[Mm]evrouw|[Dd]hr|[Mm]evr|[Mm]w',
  '[Pp]ani[ąa]?|[Pp]anu|[Pp]anem|Pan(?= (?!Am(?:erican)?\\b|European|African|Asian|Arab|Pacific))',
].join('|')

/** Degrees and professions before a name; small words in a text too, so that a common word behind them is none. */
const academic = [
  '[Dd]octor(?:a)?|[Dd]ottor(?:e|essa)?|[Dd]o[uc]tor(?:a)?|[Dd]octeure?|[Dd]oktor',
  'D[rR]|Dra|Dott(?:\\. ?ssa)?|[Dd]ott(?:\\. ?ssa)?|dr|Pr(?=\\.)',
  '[Pp]rof(?:\\. ?ssa)?|[Pp]rofess(?:or|eur|ora|ore|oressa)|[Pp]rofesora?',
  '[Aa]vv|[Ii]ng|[Rr]ag|[Gg]eom|[Aa]rch|[Nn]ot|[Dd]r\\. ?ssa|[Mm]aître|[Ll]ek|[Mm]gr|[Bb]c|M[UV]Dr|JUDr|PhDr|RNDr|PaedDr|MDDr|ThDr|PharmDr|prim|[Ll]äk|[Ss]t|[Ii]nż|Dr\\.ª|[Dd]rs|Dipl\\.-(?:Ing|Psych|Päd|Soz|Kff?m)|Mag(?=\\.)',
  // Those who care, teach and preach.
  '[Ss]sk|[Uu]sk|[Ss]kolsköterska|[Ss]juksköterska|[Uu]ndersköterska|[Kk]urator|[Mm]agister|ÖL|OA|OÄ|PFK|[Ss]chw(?=\\.)|[Ss]chwester|[Pp]fleger|[Pp]farrer(?:in)?|[Pp]astor(?:in)?|[Dd]ominee|[Dd]s(?=\\.)|[Pp]astoor|[Zz]uster|[Jj]uf|[Mm]eester|[Dd]okter|Revd|Canon|Rabbi|Imam',
].join('|')

/** What leads to the name that somebody was born with. */
const birth =
  'née?|ép\\.|épouse|veuve|vve|geb\\.|(?<=[,(] ?)geborene[rn]?|nata|nato|z domu|de soltera|nacid[ao]|nascid[ao]|meisjesnaam|født|född|o\\.s\\.'

const word = "\\p{Lu}[\\p{L}\\p{M}]+(?:['’]\\p{Lu}[\\p{L}\\p{M}]+)?"
const single = `(?:${word}|[DO]['’]\\p{Lu}[\\p{L}\\p{M}]+)`
/** Double names, but not those of streets: `Dr. Karl-Renner-Ring`. */
const street =
  '(?!\\S{0,40}-(?:[Ss]tr(?:\\.|aße|asse)|[Ww]eg|[Pp]latz|[Aa]llee|[Rr]ing|[Gg]asse|[Uu]fer|[Hh]of)(?!\\p{L}))'
const double = `${street}${single}(?:[-–](?:(?:de|van(?: de[nr]?)?|von|ter|ten|el|al) )?${single}){0,2}`
/** Small words inside of names. Those of the Romance languages (`de`, `del`) mean places as often and are left to models. */
const particle = "(?:(?:van|El|Al|Abu|Ben|Bin|von|vom|zu|zur|ter|ten|der|den|di|da|dos|das|bin|al|el|’t|'t) ){0,2}"
const leading =
  "(?:(?:van(?: (?:de[nr]?|het|’t|'t))?|vd|v\\.d\\.|von(?: de[mnr])?|vom|zu[mr]?|te[nr]|op de[nr]?|in ’t|’t|'t) )?"
/** Words in capitals that begin what stands behind a name: a department, an address, the next line or sentence. */
const next =
  '(?!(?:Serv|Depart|Dept|Unidad|Unit|Sección|Correo|E-?mail|Hospital|[CK]l[ií]ni[ck]|Cent(?:ro|re|er)|Zentrum|Institut|Universi|Fa[ck]ult|Abteilung|Chef|Jefe|Tel|Fax|Calle|Avda|Apartado|Paseo|Pla?za|Ctra|Carretera|(?:Onco|Uro|Neuro|Cardio|Nefro|Dermato|Oftalmo|Gineco|Traumato|Radio|Hemato|Neumo)log|Cirug|Pediatr|Psiquiatr|Stra[ßs]|Fundaci|Geburt|Diagnos|Termin|Datum|Patient|Pacient)|(?:IBAN|BIC|TEL|FAX|SWIFT|ID|DOB|NHS|BSN|PESEL|DNI|NIF|CPF|IČO?)(?!\\p{L})|(?:The|An|And|At|By|For|Further|In|On|Of|He|She|It|They|We|This|Der|Die|Das|Und|El|La|Los|Las|En|Il|Le|Les|Av)(?!\\p{L}))'
const initials = `(?:(?:\\p{Lu}\\.[ -]?){1,3}${next})?`
const called = `(?:\\(${single}\\) )?`
const name = `${initials}${called}${leading}${double}(?: ${particle}(?:\\p{Lu}\\. )?${next}${double}(?![\\p{L}\\p{M}]|[ ]?:)){0,3}`
const title = (words: string) => `(?:(?:${words})(?![\\p{L}\\p{M}])\\.?[ \\u00a0])`

const office =
  /^(?:(?:vice-?)?pr[eäé]sid|(?:prime|first|premier)|minist|chair|speaker|justice|judge|secretar|ambassador|mayor|chancellor|kanzler|bundes|direc?t|direk|doctor|doktor|professor|prof|dra?$|kolleg|colleague|richter|staatsanw|bürgermeist|landrat|juge|juez|giudice|sindaco|rector|rektor|governor|commissioner|commissaire|comisario|fiscal|hospital|klinik|clinic|universi|(?:sirs?|mesdames)$|med$|rer$|phil$|jur$|hab$|habil)/iu

const row = (row: Pick<Recogniser, 'name' | 'pattern' | 'valid' | 'score'>): Recogniser => ({
  label: 'PERSON',
  source: 'forms of address, degrees and words for names at birth in nine languages',
  ...row,
})

/** What firms call themselves behind their names in letters with full stops. */
const firm =
  /(?:SA|SL|SLU|SAU|SRL|SPA|SNC|SAS|BV|NV|VOF|EV|EK|LLC|LTD|INC|PLC|AG|KG|UK|US|USA|EU|UE|SS|SC|SJ|SK|EPE|IP|AS|PO)$/iu

/** Whether the first word of some is a given name in a list and no common word. */
const isGivenName = (value: string) => {
  const [word = ''] = value.toLowerCase().split(/[ ’'.]/)
  return !isCommonName(word, undefined) && (listedName(word, undefined)?.given ?? 0) !== 0
}

const isNobodysOffice = (value: string) => isMeant(value) && !isFormWords(value) && !office.test(value)

const behind = (lead: string, more = '') =>
  new RegExp(`(?<![\\p{L}\\p{N}.-])(?:${lead})(?<value>${more}${name})(?![\\p{L}\\p{M}\\p{N}@])`, 'gu')
const degrees = `${title(academic)}(?:(?:n|med|jur|phil|rer|nat|hab|habil|arch|spec|h|c)\\. ?){0,4}`

/** How letters and messages begin and end. */
const greeting =
  '[Dd]ear|[Hh](?:i|ey|ello|iya)|[Hh]allo|[Ll]iebe[rs]?|[Hh]ola|[Oo]ye|[Qq]uerid[oa]|[Ee]stimad[oa]|[Cc]iao|[Cc]ar[oa]|[Cc]arissim[oa]|[Gg]entile|[Ss]alut|[Cc]her|[Cc]hère|[Bb]onjour|[Cc]oucou|[Oo]lá|[Oo]i|[Pp]rezad[oa]|[Bb]este|[Hh]oi|[Ll]ieve|[Gg]eachte|[Cc]ześć|[Hh]ej|[Dd]rog[ia]|[Ww]itaj'
const closing =
  '[Yy]ours(?: sincerely| faithfully| truly)?|(?:[Kk]ind|[Bb]est|[Ww]arm)(?:est)? (?:regards|wishes)|[Rr]egards|[Ss]incerely|[Mm]it (?:freundlichen|freundlichem|besten|herzlichen|lieben) Gr(?:ü|ue)(?:ß|ss)(?:en)?|(?:[Vv]iele|[Ll]iebe|[Bb]este|[Hh]erzliche|[Ff]reundliche) Grü(?:ß|ss)e|MfG|[Cc]dlt|[Bb]ien cordialement|[ÀA] bientôt|[Mm]vh|(?:[Mm]ed )?[Vv]änlig(?:a)? hälsning(?:ar)?|[Ss] pozdravem|[Uu]n abrazo|LG|Hochachtungsvoll|[Aa]tentamente|[Uu]n (?:cordial )?saludo|[Ss]aludos(?: cordiales)?|[Cc]ordialement|[Bb]ien à vous|[^\\n]{0,60}salutations (?:distinguées|les meilleures)|[Cc]ordiali saluti|[Dd]istinti saluti|[Uu]n caro saluto|[Mm]et (?:vriendelijke|hartelijke) groet(?:en)?|[Hh]oogachtend|[Gg]roetjes|[Zz] (?:poważaniem|wyrazami szacunku)|[Pp]ozdrawiam(?: serdecznie)?|[Aa]tenciosamente|(?:[Cc]om os )?[Mm]elhores cumprimentos|[Cc]umprimentos'
/** Members of a family and the like, before whom a word says whose they are. */
const relation =
  '(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Yy]our) (?:late |elder |younger |ex-?)?(?:son|daughter|husband|wife|mother|father|brother|sister|mum|mom|dad|partner|uncle|aunt|grandson|granddaughter|grandmother|grandfather|cousin|nephew|niece|friend|neighbour|neighbor|boss|colleague)|(?:[Mm]ein|[Ss]ein|[Ii]hr|[Uu]nser|[Dd]ein)(?:e|en|em|er|es)? (?:Sohn|Tochter|Mann|Ehemann|Frau|Ehefrau|Gattin|Mutter|Vater|Bruder|Schwester|Onkel|Tante|Enkel|Enkelin|Oma|Opa|Lebensgefährt(?:e|in)|Partner(?:in)?|Nachbar(?:in)?|Kolleg(?:e|in)|Chef(?:in)?|Freund(?:in)?)|(?:[Mm]i|[Ss]u|[Nn]uestr[oa]) (?:hij[oa]|marido|mujer|esposa|esposo|madre|padre|hermano|hermana|tío|tía|niet[oa]|abuel[oa]|pareja|vecin[oa]|compañer[oa]|amig[oa])|(?:[Mm]on|[Mm]a|[Ss]on|[Ss]a|[Nn]otre|[Vv]otre) (?:fils|fille|mari|épouse|époux|femme|mère|père|frère|sœur|oncle|tante|compagnon|compagne|voisine?|collègue|amie?)|(?:(?:[Ii]l|[Ll]a) )?(?:[Mm]i[oa]|[Ss]u[oa]|[Nn]ostr[oa]) (?:figli[oa]|marito|moglie|madre|padre|fratello|sorella|zi[oa]|nonn[oa]|nipote|compagn[oa]|vicin[oa]|colleg[ao]|amic[oa])|(?:[Ii]l|[Ll]a) (?:marito|moglie|figli[oa]|madre|padre)|(?:[Mm]ijn|[Zz]ijn|[Hh]aar|[Oo]nze|[Uu]w) (?:zoon|dochter|man|echtgenoot|echtgenote|vrouw|moeder|vader|broer|zus|oom|tante|kleinzoon|partner|buurman|buurvrouw|collega|vriend(?:in)?)|(?:[OoAa] )?(?:[Mm]eu|[Mm]inha|[Ss]eu|[Ss]ua|[Nn]oss[oa]) (?:filh[oa]|marido|mulher|esposa|mãe|pai|irmã|irmão|ti[oa]|net[oa]|avó|avô|companheir[oa]|vizinh[oa]|coleg[ao]|amig[oa])|[OoAa] (?:filh[oa]|marido|esposa|mãe|pai)|(?:[Mm]ó[jm]|[Mm]oj(?:a|ego|ej|ą|emu)|[Jj]ego|[Jj]ej|[Nn]asz(?:a|ego|ej)?|[Pp]ani|[Pp]ana) (?:syn(?:a|owi|em)?|córk(?:a|i|ę|ą)|mąż|męża|żon(?:a|y|ę)|matk(?:a|i|ę)|ojc(?:iec|a)|brat(?:a)?|siostr(?:a|y|ę)|wuj(?:ek)?|cioci?a|wnuk|wnuczka|koleg(?:a|i)|koleżank[ai]|sąsiad(?:ka)?)'

/** Members of a family as those who are theirs call them, before a name. */
const family =
  '[Oo]ma|[Oo]pa|[Tt]ante|[Oo]nkel|[Uu]ncle|[Aa]unt(?:ie|y)?|[Gg]rand(?:ma|pa|ad)|[Mm]ormor|[Ff]armor|[Mm]orfar|[Ff]arfar|[Bb]abičk[ayu]|[Dd]ěd[ay]|[Ss]trejd[ay]|tonton|tata|[Mm]amie|[Pp]apy|[Ww]ujek|[Cc]iocia|[Dd]ziadek|[Bb]abcia'

/** Who belongs to somebody, before a name in brackets. */
const kin =
  '(?:Ehe)?[Mm]ann|(?:Ehe)?[Ff]rau|[Ss]ohn|[Tt]ochter|[Mm]utter|[Vv]ater|[Bb]ruder|[Ss]chwester|[Nn]ichte|[Nn]effe|[Ee]nkel(?:in)?|[Ff]reund(?:in)?|[Pp]artner(?:in)?|[Nn]achbar(?:in)?|[Ll]ebensgefährt(?:e|in)|son|daughter|husband|wife|mother|mum|mom|father|dad|brother|sister|uncle|aunt|niece|nephew|(?:boy|girl)?friend|neighbour|carer|fils|fille|mari|épouse|époux|femme|mère|père|frère|sœur|oncle|neveu|nièce|compagn(?:on|e)|voisine?|amie?|hij[oa]|marido|mujer|espos[oa]|madre|padre|herman[oa]|tí[oa]|niet[oa]|abuel[oa]|pareja|vecin[oa]|amig[oa]|sobrin[oa]|figli[oa]|marito|moglie|fratello|sorella|zi[oa]|nonn[oa]|nipote|zoon|dochter|echtgeno(?:ot|te)|vrouw|man|moeder|vader|broer|zus|oom|schoon(?:zoon|dochter)|buur(?:man|vrouw)|vriend(?:in)?|filh[oa]|mulher|mãe|pai|irmão?|net[oa]|av[óô]|vizinh[oa]|syna?|córk[aię]|mąż|męża|żon[aęy]|ojciec|ojca|brata?|siostr[ay]|dcer[ayu]|manžel(?:k[ayu])?|otec|otce|sestr[ay]|bratr|vnu[kc]|vnučk[ay]|son(?:en)?|dotter(?:n)?|make[n]?|mamman?|pappan?|bror|syster|sambon?|grannen?'

/** What leads to a name in English where somebody is introduced, or credited. */
const introduction =
  '[Mm]y (?:full |first |last )?name is|(?:people|friends|family|everyone|everybody|they) calls? (?:me|him|her)|goes by|directed by|starring'

/** What leads to the name that somebody goes by. */
const alias =
  'alias|a\\.?k\\.?a\\.?|also known as|known(?: \\p{Ll}{3,12})? as|nicknamed|genannt|v\\/o|känd som|kallad|přezdívan[ýá]|zvan[ýá]|kóta|sog\\.|bekannt als|dite?|surnommée?|apodad[oa]|conocid[oa] como|vulgo|conhecid[oa] (?:como|por)|apelidad[oa]|dett[oa]|soprannominat[oa]|bijgenaamd|zwan[ya]|przezwisko|ps\\.'

const person = "\\p{Lu}[\\p{L}\\p{M}’'.-]{1,24}"
/** What people do, behind their names in signatures and lists. */
const roles =
  `nurse staff therapist physiotherapist doctor physician surgeon lawyer solicitor barrister attorney teacher manager
  director accountant assistant secretary midwife paramedic pharmacist psychologist consultant engineer
  anwalt anwältin rechtsanwalt rechtsanwältin arzt ärztin krankenschwester krankenpfleger pfleger pflegerin lehrer lehrerin
  leiter leiterin geschäftsführer geschäftsführerin sachbearbeiter sachbearbeiterin hebamme notar notarin steuerberater
  abogado abogada enfermero enfermera médico médica fisioterapeuta profesor profesora notario directora gerente secretaria
  advogado advogada enfermeiro enfermeira professor professora notária diretor diretora secretária
  avocat avocate infirmier infirmière médecin notaire professeur directeur directrice secrétaire kinésithérapeute sage-femme
  avvocato avvocata infermiere infermiera medico notaio insegnante direttore direttrice segretaria fisioterapista
  advocaat verpleegkundige huisarts arts notaris docent directeur secretaresse fysiotherapeut
  adwokat radca pielęgniarka pielęgniarz lekarz lekarka notariusz nauczyciel nauczycielka dyrektor sekretarka księgowa`
    .split(/\s+/)
    .map(role => `[${role[0]!.toUpperCase()}${role[0]}]${role.slice(1)}`)
    .join('|')

/** Ranks and offices of the police, and of witnesses, before a name. */
const ranks =
  '(?:PC|DC|DS|DCI|WPC|Sgt|Det|Insp|POM|PHM|PK|POK|PHK|KOK|KHK|Cst)(?:\\.? \\d{2,6})?|[Cc]onstable|[Ss]ergeant|[Ii]nspector|[Oo]fficer|Polizei(?:ober|haupt)?(?:meister|kommissar)(?:in)?|Zeug(?:e|in|en)|[Gg]endarme|[Bb]rigadier(?:-chef)?|[Aa]djudant(?:-chef)?|[Cc]apitaine|[Ll]ieutenant|[Tt]émoin|[Nn]otaire|[Aa]gente|[Ss]argento|[Cc]abo(?: 1\\.º)?|[Gg]uardia|[Ii]nspectora?|[Tt]estig[oa]|[Tt]estemunha|[Tt]estimone|[Mm]aresciallo|[Aa]ppuntato|[Bb]rigadiere|[Ii]spettore|[Hh]oofdagent|[Vv]erbalisant(?:e|en)?|[Gg]etuige|[Aa]sp\\.|[Ss]ierż\\.|[Pp]odkom\\.|[Śś]wiad(?:ek|ka|kowie)|[Ss]věd(?:ek|kyně)|[Vv]ittnet'
/** A name in initials alone, which a form of address makes one: `Mme P.`, `Herr S.-Y.`. */
const initialsAlone = '\\p{Lu}\\p{Ll}?\\.(?:[ -]?\\p{Lu}\\.){0,2}(?! ?(?:\\p{Lu}|\\p{L}{1,4}\\.))'

/** Names of persons behind a title, a form of address, or a word for the name at birth. */
export const names: Recogniser[] = [
  row({
    name: 'person.courtesy',
    pattern: behind(`${title(courtesy)}(?:${degrees}){0,2}`, '(?:de )?'),
    valid: value => !office.test(value),
    score: 0.75,
  }),
  row({
    name: 'person.initials-alone',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.-])(?:Mr|Mrs|Ms|Miss|Herrn?|Frau|Monsieur|Madame|M\\.|Mme|Mlle|[Ss]eñora?|Sra?\\.|D\\.ª?|[Ss]ignora?|[Ss]ig\\.(?:ra)?|[Ss]enhora?|[Dd]e [Hh]eer|[Mm]evrouw|[Dd]hr\\.|[Mm]evr\\.|[Mm]w\\.|[Pp]ani?|[Pp]aní)\\.? (?<value>${initialsAlone})`,
      'gu',
    ),
    score: 0.65,
  }),
  row({ name: 'person.rank', pattern: behind(`(?:${ranks}) `), valid: isNobodysOffice, score: 0.65 }),
  row({
    name: 'person.behind-initials',
    pattern: new RegExp(
      `(?<=^|[\\n\\r\\t:|(,;] {0,3})(?<value>\\p{Lu}[\\p{L}\\p{M}'’-]{2,24}(?: ${particle}\\p{Lu}[\\p{L}\\p{M}'’-]{2,24})?,? (?:\\p{Lu}\\.[ -]?){2,3})(?=[ ]*(?:[,;:)\\n\\r|]|$|[ ]{2}))`,
      'gu',
    ),
    valid: value => isNobodysOffice(value) && !firm.test(value.replace(/[ .-]/g, '')),
    score: 0.55,
  }),
  row({
    name: 'person.academic',
    pattern: behind(`${degrees}(?:${degrees}){0,2}`, "(?:\\p{Lu} (?=\\p{Lu}[\\p{L}’'-])){0,2}"),
    valid: value => !office.test(value) && isMeant(value),
    score: 0.75,
  }),
  row({
    name: 'person.greeting',
    pattern: new RegExp(
      `(?<=^|[\\n>"“„.!?:][ \\t]{0,3})(?:${greeting}) (?<value>${name})(?=[ \\t]*(?:[,!:.?\\n\\r–-]|$))`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.75,
  }),
  row({
    name: 'person.closing',
    pattern: new RegExp(
      `(?<=^|[\\n.] ?)(?:${closing})[,.!]?[ \\t]*(?:\\r?\\n[ \\t]*){1,5}(?<value>${name})(?=[ \\t]*(?:[,\\n\\r(]|$|[ ]{2}))`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.75,
  }),
  row({
    name: 'person.role',
    pattern: new RegExp(
      `(?<=^|[\\n\\r•|][ \\t]{0,8})(?<value>${person}(?: ${particle}${person}){1,3})(?=, (?:${roles})(?![\\p{L}\\p{M}]))`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.7,
  }),
  row({
    name: 'person.alias',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.-])(?:${alias}):? ["“„«‘'] ?(?<value>${person}(?: ${person}){0,2}?)(?= ?["”“»’'])`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.7,
  }),
  row({
    name: 'person.nickname',
    pattern: new RegExp(
      `(?<=(?<![\\p{L}\\p{N}])${person} ["“„«‘] ?)(?<value>${person}(?: ${person})?)(?= ?["”“»’] ${person})`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.55,
  }),
  row({
    name: 'person.mailbox',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.-])(?<value>${person}(?:,? ${particle}${person}){1,3})["'”’]? ?(?=<[^@\\s<>]{1,64}@)`,
      'gu',
    ),
    valid: isNobodysOffice,
    score: 0.75,
  }),
  row({
    name: 'person.named',
    pattern: behind(
      "(?:[Aa]ttn?\\.?:?|z\\. ?H(?:d|ä)n?\\.(?: von)?|à l['’]attention de|a la atención de|alla c\\.a\\. (?:di|del|della)|t\\.a\\.v\\.|[Aa]/C(?: de)?|do rąk|namens|de nombre|di nome|prénommée?|dénommée?|(?:un|il) tale|niejaki(?:ego|m)?|o imieniu|jménem|vid namn|a (?:nombre|nome) de|en nombre de|au nom de|em nome de|intestat[oa] a|auf den Namen|na nazwisko|op naam van|in the name of) ",
    ),
    valid: value =>
      isNobodysOffice(value) &&
      !/^(?:Frau|Herrn?|Mrs?|Ms|Mme|Mlle|M|Sra?|Sig|Pani?|Doña|Dona|Don|Dr|la|le|el|il|God|Gott|Dieu|Dios|Deus|Bóg|Allah|Jesus|República|État)(?!\p{L})/iu.test(
        value,
      ),
    score: 0.6,
  }),
  row({ name: 'person.introduced', pattern: behind(`(?:${introduction}) `), valid: isNobodysOffice, score: 0.7 }),
  row({ name: 'person.relation', pattern: behind(`(?:${relation}),? `), valid: isNobodysOffice, score: 0.7 }),
  row({ name: 'person.family', pattern: behind(`(?:${family}) `), valid: isNobodysOffice, score: 0.65 }),
  row({
    name: 'person.kin',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}-])(?:${kin}) \\((?:["“„«‘'] ?)?(?<value>${person}(?: ${person})?)(?=(?: ?["”“»’'])?[,;)†])`,
      'gu',
    ),
    valid: value => isNobodysOffice(value) && isGivenName(value),
    score: 0.65,
  }),
  row({
    name: 'person.mark',
    pattern:
      /(?<![\p{L}\p{N}])(?:[Ss]ign\.|[Ss]ignatur|(?:[Dd]ictated by|[Tt]yped by|[Tt]ranscribed by)(?=:? (?:\p{Lu}{2}|\p{L}{1,4}[/.-]\p{L}))|(?<=[Dd]ictated by [^\n]{1,20}[,;/] ?)typed|[Dd]ikt\.|[Gg]eschr\.|[Gg]etypt(?: door)?|Hdz\.|Handz(?:\.|eichen)|[Kk]ürzel|[Pp]araaf|[Pp]araphe|[Ii]nitials|[Dd]iktat(?:zeichen)?|[Pp]rotokoll|(?:ut)?skrivet (?:\S{1,12} )?av|[Zz]apsala?)(?: ?:)? (?<value>\p{L}{2,4}(?:[/.-]\p{L}{2,4})?)(?=[ \t]*(?:[.,;)\n\r]|$))/gu,
    valid: isNobodysOffice,
    score: 0.6,
  }),
  row({
    name: 'person.birth-name',
    pattern: behind(`(?:${birth})(?:\\(e\\))?:?[ \\u00a0]`),
    valid: isMeant,
    score: 0.75,
  }),
]
