import { isFormWords } from '../detect/form-words.ts'
import type { Found } from '../models/model.ts'
import { wordsFor } from './heading-words.ts'
import { type HeadingWords, headingWords, withoutAccents } from './headings.ts'
import { isCommonName, listedName } from './name-lexicon.ts'

/** What the cells of a column are, each as a whole, and which of them are that. */
export type Kind = { name: string; label: string; score: number; cell: RegExp }

/** A capital and words without a digit; what stands for nothing is no name. */
const nameCell =
  /^(?!(?:N\/?A|[Nn]one|NONE|[Nn]ull|NULL|[Uu]nknown|[Uu]nbekannt|[Ii]nconnue?|[Dd]esconocid[oa]|Other|Yes|No|True|False)$)\p{Lu}[\p{L}\p{M}.'’() /-]{1,60}$/u

/** The same for persons, whose names may stand in parts: `Weiß, Anna`, and in cards `Weiß;Anna;;Dr.;`. */
const personCell = new RegExp(nameCell.source.replace('() /-', '() /;,-'), 'u')

const places = headingWords(
  `city|town|village|home ?town|birth ?place|place of (?:birth|residence)|(?:wohn|geburts)?ort|ortschaft|stadt|ville|commune|lieu de naissance|ciudad|localidad|municipio|población|lugar de nacimiento|citt[àa]|comune|luogo di nascita|cidade|município|localidade|naturalidade|local de nascimento|stad|(?:woon|geboorte)?plaats|miasto|miejscowość|msc|twn|wpl|^cty$|miejsce urodzenia|${wordsFor('place')}`,
)
const persons = headingWords(
  `(?:first|given|last|middle|maiden|family|full|patient|customer|client|contact|employee|person|author|guest|member|user|recipient|sender|holder|owner) ?names?|(?:kunde|kundin|patient|patientin|mitarbeiter|mitarbeiterin|arzt|ärztin|ansprechpartner|person|mandant|mieter|cliente|paciente|paziente|client|klant|klient|pacjent) ?(?:name|nom|nome|nombre|naam|nazwisko)|fore ?name|surname|(?:vor|nach|familien|zu|geburts|ruf)name|pr[ée]nom|nom (?:de famille|de naissance|d’usage|d'usage)|apellidos?|cognome|sobrenome|apelido|(?:voor|achter)naam|nazwisko|imi[ęe]|[flm] ?name|(?:cust(?:omer)?|client|emp|pat|member|contact|first|last) ?nm|attn|^(?:pay |card |account |policy )?holder$|vname|nname|^[vn]n$|f ?namn|e ?namn|cogn(?: e nome)?|apell?(?: y nom(?:bre)?)?|voorl|${wordsFor('person')}`,
)
const streets = headingWords(
  `(?<!(?:e-?mail|ip|mac|web|internet|url|host|server|memory|bitcoin|wallet) ?)address(?: ?line)?|addr|adr|street(?: ?(?:name|address))?|adresse|anschrift|(?:wohn|post|privat|liefer|rechnungs)?(?:adresse|anschrift)|straße|strasse|str|hausnummer|dirección|domicilio|calle|indirizzo|residenza|morada|endereço|rua|rue|(?:gatu|post|bost|hem|besöks|wohn|liefer|rechnungs|street|home|mailing|billing|shipping|delivery) ?add?r|adres|straat(?:naam)?|ulica|zamieszkania|${wordsFor('street')}`,
)
/** What may be where somebody lives: a letter and a number, or a word with a capital. */
const streetCell = /^(?!https?:)(?=.*\p{L})(?:(?=.*\d)|(?=\p{Lu}\p{L}{2}))[^@]{4,160}$/su
const postcodes = headingWords(
  `plz|postleitzahl|postal ?code|post ?code|zip(?: ?code)?|cap|codice (?:di avviamento )?postale|código ?postal|code postal|kod pocztowy|cep|pcd|(?:^|(?:to|addr) )pc$|${wordsFor('postcode')}`,
)
const postcodeCell = /^(?=.{4,10}$)(?:\p{Lu}{1,2}-)?[\p{Lu}\d]{2,6}(?:[ -]?[\p{Lu}\d]{2,4})?$/u
const births = headingWords(
  `b ?day|birth ?da(?:y|te)|date ?of ?birth|do ?b|^born$|geburts(?:datum|tag)|geb ?dat(?:um)?|f(?:ec(?:ha)?)? ?(?:de )?nac(?:imiento)?|(?:data|dt) ?(?:de )?nasc(?:imento)?|data (?:di )?nascita|date (?:de )?naissance|geboorte(?:datum|dag)|data urodzenia|${wordsFor('birth')}`,
)
const birthCell =
  /^(?:-?-?\d{2,4}[-./ ]?\d{1,2}(?:[-./ ]?\d{1,4})?(?:[T ]\d[\d:.Z+-]{1,24}(?: [A-Z]{2,4})?)?|\d{1,2}\.? \p{L}{3,12}\.? \d{2,4}|\p{L}{3,12}\.? \d{1,2},? \d{2,4})$/u
const ageUnit = '(?:in )?(?:years?|yrs?|y|months?|jahren?|j|ans|años|anni|anos|jaar|lat|let|år)'
const agesOf =
  'age|alter|lebensalter|edad|âge|età|idade|leeftijd|wiek|ålder|alder|ikä|věk|vek|életkor|vârsta|yaş|ηλικία|возраст|вік|възраст'
const ages = headingWords(
  `^(?:${agesOf})(?:[ ,/]*[([]?${ageUnit}\\.?[)\\]]?)?$|^(?:patient|customer|client|member|child|student|employee|driver)(?:['’]?s)? age$|^(?:patienten|kunden|mitglieds)alter$`,
)
const ageCell =
  /^(?:1[01]\d|\d{1,2})(?:[.,]\d| ?½)?(?: ?(?:years?|yrs?|[yJ]|months?|mths?|mo|Jahren?|J\.|ans|años|anni|anos|jaar|lat|let|år))?\.?$/u
const contacts = headingWords(
  'tele(?:ph|f)on(?:e|o|u|i|nummer)?|tel|phone|mobile|mobil|cell|handy|tlf|gsm|puhelin|e-?mail|mail|correo|courriel|posta|komórka|teléfono|téléphone|telefone|móvil|cellulare|τηλέφωνο|телефон',
)
const companies = headingWords(
  `organi[sz]ation|company(?: ?name)?|employer|firma|unternehmen|arbeitgeber|empresa|empleador|azienda|datore di lavoro|entreprise|employeur|werkgever|bedrijf|pracodawca|${wordsFor('company')}`,
)
const companyCell = /^\p{Lu}[^@\n]{1,100}$/u
/** Senders of messages, also by the names of their accounts. */
const senders = headingWords('sender ?name')
const senderCell =
  /^(?!(?:user|assistant|system|bot|tool|human|ai|agent|customer|support|admin|model|function|me|you|null|none|unknown)$)(?=.*\p{L})@?[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’()# _-]{1,60}$/iu
/** What people log in by, and with. */
const accounts = headingWords(
  "^(?:user[ -]?name|s ?am ?account ?name|login(?:[ -]?name)?|log-in|screen[ -]?name|benutzer(?:name|kennung)|anmeldename|nombre de usuario|nome (?:de|do) (?:usuário|utilizador)|nom d[’']utilisateur|nome utente|gebruikersnaam|nazwa użytkownika|användarnamn|brugernavn|brukernavn|käyttäjä(?:tunnus|nimi)|uživatelské jméno)$",
)
const accountCell =
  /^(?!(?:success|succeeded|failed|failure|enabled|disabled|required|optional|yes|no|true|false|ok|none|null|unknown|never|today|yesterday|n\/a)$)(?=.*\p{L})@?[\p{L}\p{N}][\p{L}\p{M}\p{N}.'_@+-]{1,60}$/iu
const passwords = headingWords(
  '^(?:(?:initial|temp(?:orary)?|start|default|wifi|wlan)?[ -]?(?:passwor[dt]|passwd)|kennwort|contraseña|mot de passe|senha|palavra[ -]passe|wachtwoord|lösenord|adgangskode|passord|salasana|jelszó|lozinka|şifre|пароль)$',
)
const passwordCell = /^(?=.*[\d\p{P}\p{S}])[^\s/]\S{3,63}$/u
/** Letters and a number, as organisations count those whom they deal with. */
const code = /^\p{Lu}{1,6}[-_/ ]?\d{4,12}$/u
const records = headingWords(
  'id|mrn|pid|nhc|pat|patients?|patienten?(?:nummer|nr)?|paciente|paziente|pacjent|case|fall(?:nummer|nr)?|akte|aktenzeichen|kunden?(?:nummer|nr)?|customers?|clients?|members?|employees?|mitarbeiter|policy|claim|expediente|historia|dossier',
)

/** What numbers are given to, and how languages write "number": both name a column of the numbers of persons and their files. */
const counted =
  'pat(?:ient(?:en|in)?)?|patiënt|paciente|paziente|pacjenta|utente|doente|kunden?|kd|cust(?:omer)?|client|cliente|klant|klienta|mitgl(?:ieds?)?|member|adh(?:érent)?|tess(?:era)?|anst(?:ällnings)?|socio|sócio|lid|personal|mitarbeiter|emp(?:loyee)?|staff|matricule|empleado|dipendente|pracownika|werknemer|versicherten|insured|fall|akten?|dossier|expediente|pratica|processo|sprawy'
const recordNumbers = headingWords(
  `(?:${counted}|pers)[ .-]{0,2}(?:n[or]|nummer|number|num|numero|número|numéro|numer|n[º°]|id)\\.?|(?:nr|numer|número|numero|numéro|n[º°]|id|n)\\.?(?: (?:de|di|do|del|della|van))? (?:${counted})|mrn|nhc|ipp|^pnr$`,
)
const numberCell = /^(?=.*\d.*\d)[\p{Lu}\d](?:[\p{Lu}\d]|[ ./_-](?=[\p{Lu}\d])){1,24}$/u
const houses = headingWords(
  'numero civico|n[º°.]? civico|house ?(?:number|no)|haus(?:nummer|nr)|huisnummer|numer domu|nr domu|número de (?:casa|porta)|numéro de (?:rue|voie)',
)
const houseCell = /^\d{1,4}(?: ?\p{L}|[-/]\d{1,4})?$/u
/** Parts that people have in something: columns called so may hold their names, and numbers or words about them as well. */
const roles = headingWords(
  'guest|patient|contact|tenant|employee|parent|child|driver|student|pupil|teacher|attendee|participant|passenger|resident|player|volunteer|donor|runner|rider|gast|patient(?:in)?|mieter(?:in)?|mitarbeiter(?:in)?|ansprechpartner(?:in)?|kind|teilnehmer(?:in)?|fahrer(?:in)?|schüler(?:in)?|eltern|lehrer(?:in)?|bewohner(?:in)?|klient(?:in)?|spieler(?:in)?|mitglied|spender(?:in)?|invitad[oa]|alumn[oa]|participante|jugador(?:a)?|soci[oa]|conductor(?:a)?|invitée?|élève|enfant|joueu(?:r|se)|participant|ospite|alunn[oa]|bambin[oa]|giocator?e|partecipante|leerling|deelnemer|speler|bewoner|gość|uczeń|uczestnik|zawodnik|dziecko|alun[oa]|convidad[oa]|jogador(?:a)?|deltagare|elev|gäst|spelare|deltager|gæst|deltaker|gjest|žák|host|účastník|hráč|dítě',
)
/** Headings that leave open whose name it is. */
const anyName = /^(?:name|nom|nome|nombre|naam|navn|namn|nimi|nev|nume|isim|ad)$/iu

const kinds = {
  place: { name: 'column.place', label: 'LOCATION', score: 0.8, cell: nameCell },
  person: { name: 'column.person', label: 'PERSON', score: 0.8, cell: personCell },
  street: { name: 'column.address', label: 'ADDRESS', score: 0.8, cell: streetCell },
  house: { name: 'column.house', label: 'ADDRESS', score: 0.8, cell: houseCell },
  postcode: { name: 'column.postcode', label: 'LOCATION', score: 0.8, cell: postcodeCell },
  birth: { name: 'column.birth', label: 'DATE_OF_BIRTH', score: 0.8, cell: birthCell },
  age: { name: 'column.age', label: 'AGE', score: 0.8, cell: ageCell },
  company: { name: 'column.company', label: 'ORGANIZATION', score: 0.7, cell: companyCell },
  sender: { name: 'column.sender', label: 'USERNAME', score: 0.7, cell: senderCell },
  account: { name: 'column.account', label: 'USERNAME', score: 0.7, cell: accountCell },
  secret: { name: 'column.secret', label: 'SECRET', score: 0.8, cell: passwordCell },
  record: { name: 'column.record', label: 'ID', score: 0.8, cell: code },
  number: { name: 'column.number', label: 'ID', score: 0.8, cell: numberCell },
} satisfies Record<string, Kind>

/** Values that must be there where the heading doesn't say what they are, and the shares that decide. */
const fewest = 5
const most = 0.8
const half = 0.5
/** Names that must be there before a column called `name` is one of persons. */
const fewestNames = 2
const nearlyAll = 0.95

/** Labels of what columns hold. */
export const kindLabels: readonly string[] = Object.values(kinds).map(({ label }) => label)

/** Headings that say what their cells are, the more certain first. */
const named: readonly [HeadingWords, Kind][] = [
  [births, kinds.birth],
  [persons, kinds.person],
  [senders, kinds.sender],
  [accounts, kinds.account],
  [passwords, kinds.secret],
  [postcodes, kinds.postcode],
  [places, kinds.place],
  [houses, kinds.house],
  [streets, kinds.street],
  [companies, kinds.company],
  [ages, kinds.age],
  [recordNumbers, kinds.number],
]

/** Whether a text says no more than what the cells of a column are. */
export const isHeading = (text: string): boolean => isFormWords(text) || named.some(([words]) => words.isAll(text))

/** Whether some values are the names of persons, as far as the lists of names tell. */
function areListed(values: readonly string[]): boolean {
  const isListed = (word: string) => !isCommonName(word, undefined) && (listedName(word, undefined)?.given ?? 0) !== 0
  const listed = values.filter(value =>
    value
      .toLowerCase()
      .split(/[ \u00a0,-]+/)
      .some(isListed),
  )
  return values.length >= fewestNames && listed.length >= values.length * half
}

/** What stands in a cell that has no value. */
const nothing = /^(?:[-–—.?*/]*|n\.?\/?a\.?|none|null|nil|k\. ?A\.|unknown|unbekannt)$/i

/** Whether columns are those of persons by their names: parts of these or births, or ages beside what somebody is reached or logs in by. */
function areOfPersons(headings: readonly string[]): boolean {
  const has = (...words: readonly HeadingWords[]) => headings.some(name => words.some(one => one.isIn(name)))
  return has(persons, births) || (has(ages) && has(contacts, accounts))
}

/** What all cells of a column are, by its heading, its first values, and the headings of the others of its table. */
export function kindOf(
  heading: string,
  values: readonly string[],
  beside: () => readonly string[] = () => [],
): Kind | undefined {
  const told = values.map(text => text.trim()).filter(text => !nothing.test(text))
  const share = (cell: RegExp) => told.filter(text => cell.test(text)).length / Math.max(1, told.length)
  for (const [words, kind] of named) if (words.isIn(heading) && share(kind.cell) >= most) return kind
  if (
    anyName.test(withoutAccents(heading)) &&
    share(personCell) >= most &&
    (areOfPersons(beside()) || areListed(values))
  )
    return kinds.person
  // Columns of a table without a row of headings have numbers, of which no words are left.
  if (heading === '' && new Set(told).size >= fewest && share(personCell) >= nearlyAll && areListed(told))
    return kinds.person
  if (roles.isAll(heading) && share(personCell) >= half && areListed(values)) return kinds.person
  if (share(code) < nearlyAll) return undefined
  const isDistinct = values.length >= fewest && new Set(values).size >= values.length * most
  return isDistinct || records.isIn(heading) ? kinds.record : undefined
}

/** The whole of a cell, where it is what its column holds. */
export function wholeCell({ name: pattern, label, score, cell }: Kind, text: string): Found[] {
  const value = text.trim()
  if (!cell.test(value)) return []
  const start = text.indexOf(value)
  return [{ start, end: start + value.length, label, score, evidence: { by: 'pattern', pattern } }]
}
