import { type LabelGroup, labelGroup } from '../models/label-groups.ts'
import { wordsFor } from '../recognisers/heading-words.ts'
import { type HeadingWords, headingWords } from '../recognisers/headings.ts'
import { programField } from './program-fields.ts'
import { vocabularyOf } from './vocabulary.ts'

/** What the cells of a column are, where only its heading tells: what they must look like, and what they say of a person. */
export type Heading = { words: HeadingWords; cell: RegExp; label?: string; role: LabelGroup | 'sensitive' }

const cells = {
  anything: /^.{1,200}$/su,
  answer: /^(?:\d\.? )?(?:y|n|t|f|yes|no|true|false|none|ja|nein|oui|non|s[ií]|sim|não|nee|tak|nie)$/i,
  phrase: /^.{1,80}$/u,
  withLetter: /^(?=.*\p{L}).{1,80}$/u,
  name: /^\p{Lu}[\p{L}\p{M}.'’&() ,-]{1,60}$/u,
  /** The same where the heading leaves no doubt. */
  nameInAnyCase: /^\p{L}[\p{L}\p{M}.'’&() ,-]{0,60}$/u,
  /** A word with a digit: what numbers of papers, vehicles and devices look like. */
  code: /^(?=.*\d)[\p{L}\d][\p{L}\d ./_-]{0,39}$/u,
  letterAndDigit: /^(?=.*\d)(?=.*\p{L})[\p{L}\d][\p{L}\d ./_-]{0,39}$/u,
  number: /^\d{1,12}(?:\.0)?$/,
  key: /^['{]?[\p{L}\d][\p{L}\d@._:/-]{0,63}\}?$/u,
  login: /^(?=.*\p{L})\S{2,64}$/u,
  card: /^(?=(?:\D*\d){4})[\dx*•. -]{4,25}$/i,
  account: /^(?:[A-Z]{2} ?)?\d(?:[ -]?\d){5,27}$/u,
  phone: /^['(+\d][\d\s()/.+-]{5,24}$/,
  mac: /^[\dA-F]{12}$/i,
  address: /^(?=.*\p{L}{2})[^@]{3,160}$/su,
  postcode: /^'?(?=.*\d)[\p{L}\d][\p{L}\d -]{2,9}$/u,
  /** In years, or a range of them. */
  years:
    /^(?:(?:[<>≤≥]=?|less than|more than|greater than|under|over|below|above|up to) ?)?(?:1[01]\d|\d{1,2})(?:[.,]\d+)?(?: ?(?:-|–|to|bis|a|à) ?1?\d{1,2})?(?: ?\+| (?:and|or) (?:over|older|more|above|under|younger))?(?: (?:years|yrs))?$/i,
  yearOfLife: /^(?:18|19|20)\d\d(?:\D.{0,25})?$/u,
  path: /^(?=.*[./])\S{4,200}$/u,
  degrees: /^[-+]?(?:180|1[0-7]\d|\d{1,2})[.,]\d{1,15}$/,
  amount:
    /^[^\p{L}]{0,4}[-+]?\d[\d.,' ]{0,20}[^\p{L}\d]{0,4}\p{L}{0,3}$|^[<>=]+ ?\d[\d.,]*\p{L}?$|^[^\p{L}\d]{0,4}\d[\d.,' ]{0,15}(?:-|–|to) ?[^\p{L}\d]{0,4}\d[\d.,' ]{0,15}\p{L}{0,3}$/u,
  date: /^'?(?:\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}(?:[T ,].{0,30})?|(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4,6})?|\d{1,2}[-. ]\p{L}{3,10}[-. ,]+\d{2,4}(?: .{0,15})?|\p{L}{3,10} \d{1,2},? \d{4}(?: .{0,15})?|(?:18|19|20)\d\d|1[0-9]{9}(?:\d{3})?)$/u,
} as const

const row = (label: string, cell: keyof typeof cells, ...words: string[]): Heading => ({
  words: headingWords(words.join('|')),
  cell: cells[cell],
  label,
  role: labelGroup(label)!,
})

/** What the cells of a program's own field look like, by its label. */
const fieldCells: Readonly<Record<string, keyof typeof cells>> = {
  PERSON: 'withLetter',
  USERNAME: 'login',
  ID: 'key',
  DATE: 'date',
  DATE_OF_BIRTH: 'date',
  ADDRESS: 'address',
  PHONE: 'phone',
  TAX_ID: 'code',
  BANK_ACCOUNT: 'account',
  ORGANIZATION: 'withLetter',
  QUANTITY: 'amount',
}

/** What a field is whose name is a program's own. */
function fieldOf(name: string): Omit<Heading, 'words'> | undefined {
  const label = programField(name)
  if (label === undefined) return undefined
  if (label === '*') return { cell: cells.phrase, role: 'sensitive' }
  return { cell: cells[fieldCells[label] ?? 'phrase'], label, role: labelGroup(label)! }
}

/** Headings in the languages of the recognisers, the more certain first. */
const headings: readonly Heading[] = [
  row(
    'COORDINATES',
    'degrees',
    'lat(?:itude?|itud|itudine)?|lon(?:g(?:itude?|itud|itudine)?)?|lng|(?:breiten|langen)grad',
  ),
  row(
    'SECRET',
    'anything',
    vocabularyOf('password'),
    'pass ?(?:word|phrase|wd)|pwd|pin ?code|secret|(?:access|api|refresh|auth|session|reset) ?(?:token|key)|token|salt',
    'passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|hasło|lösenord|adgangskode|passord|salasana|heslo|parola|jelszó|şifre',
  ),
  row(
    'AGE',
    'years',
    vocabularyOf('age'),
    'age|(?:lebens)?alter|edad|âge|età|idade|leeftijd|wiek|ålder|alder|ikä|věk|vârst[aă]|életkor|yaş',
  ),
  row(
    'DATE_OF_BIRTH',
    'date',
    wordsFor('birth'),
    'birth\\p{L}*|born|dob|yob|geb(?:urts?)?(?:dat\\p{L}*|tag|jahr)?|gbdat|nac(?:im\\p{L}*)?|naiss\\p{L}*|nascita|nasc(?:im\\p{L}*)?',
    'geboorte\\p{L}*|urodz\\p{L}*|födelse\\p{L}*|fødsels?\\p{L}*|syntymä\\p{L}*|narozen\\p{L}*|nașter\\p{L}*|születés\\p{L}*|doğum\\p{L}*',
  ),
  row('MAC_ADDRESS', 'mac', '\\p{L}*mac(?: ?addr\\p{L}*)?'),
  row(
    'DEVICE_ID',
    'key',
    '(?:device|android|hardware|install(?:ation)?) ?(?:id|uuid|serial)|serial(?: ?(?:no|number))?|imei|imsi|udid|seriennummer',
  ),
  row(
    'USERNAME',
    'login',
    vocabularyOf('username'),
    '(?:user|log[io]n|logon|screen|account|display) ?(?:name|id)|log[io]n|nick(?: ?name)?|handle|facebook|twitter|instagram|linkedin|tiktok|youtube|skype|telegram|mastodon|sam ?account ?name|uid|user(?!.?agent)',
    'benutzer(?:name|kennung)?|anmeldename|usuario|utilisateur|identifiant|gebruikersnaam|użytkownik|användarnamn|brugernavn|brukernavn|käyttäjä(?:tunnus)?',
  ),
  row('DEMOGRAPHIC', 'phrase', '(?:job|contact|position) ?(?:title|role)|title ?of ?courtesy'),
  row(
    'PERSON',
    'nameInAnyCase',
    '^(?:first|last|middle|given|family)$|[flm] ?name|m(?:iddle)? ?init(?:ial)?|(?:first|last|middle|family|given|maiden|full) ?names?|(?:sur|fore|vor|nach|familien)name|prénoms?|apellidos?|cognome|sobrenome|(?:voor|achter)naam|(?:för|efter)namn|(?:for|efter|etter)navn|etunimi|sukunimi|příjmení|priezvisko|prenume',
  ),
  row(
    'PERSON',
    'name',
    wordsFor('person'),
    'first|last|maiden|middle|family|given|(?:preferred|display|search|host|card|nick|legal|known|middle|guest|passenger|student|pupil|parent|child|player|artist|primary|caller|donor|tenant|visitor|attendee|driver|billing|shipping) ?(?:first |last )?names?',
    '(?:account|card|policy) ?holder(?: ?name)?|requester|requestor|assignee|reporter|(?:lead|account|deal|task|vehicle|pet) ?owner|doctor|physician|surgeon|nurse|attending|referr(?:er|ed ?by)|author|teacher|manager|agent|spouse|partner|mother|father|guardian|next ?of ?kin|(?:emergency )?contact(?! ?(?:relation\\p{L}*|type|method))|assigned ?to|respons[aá]vel|responsable|verantwortliche\\p{L}*|witness|signatory|supervisor|creator',
    '(?:vor|nach|familien|zu|geburts|ruf)namen?|sachbearbeiter(?:in)?|ansprechpartner(?:in)?|kontoinhaber(?:in)?|versicherungsnehmer(?:in)?|titular|alumn[oa](?: ?a)?|tutor|nombres?(?: .*)?|apellidos?(?: .*)?|titulaire|(?<!(?:departement|ville|produit|commune|entreprise|societe|region|pays|article|rue) )nom|prenoms?|intestatario|contraente|nome|^nm$|nm (?:pac\\p{L}*|mae)|rekeninghouder|naam|imie|imion\\p{L}*|nazwisk\\p{L}*',
    '(?:för|efter)namn|namn|(?:for|efter|fulde)navn|navn|etunimi|sukunimi|nimi|jmeno|prijmeni|prenume|nume|vezeteknev|keresztnev|nev|ad(?:i)?|soyad(?:i)?|name ?\\d|full ?name',
  ),
  row(
    'DRIVING_LICENCE',
    'code',
    vocabularyOf('drivingLicence'),
    'driv(?:er|ing)s?(?: ?licen[cs]e)?(?: ?(?:no|number|id))?|führerschein(?:nummer|nr)?|permis de conduire|patente|rijbewijs|prawo jazdy',
  ),
  row(
    'PASSPORT',
    'code',
    vocabularyOf('passport'),
    'passport(?: ?(?:no|number|id))?|reisepass(?:nummer|nr)?|pasaporte|passeport|passaporto|passaporte|paspoort|paszport',
  ),
  row(
    'VEHICLE_ID',
    'letterAndDigit',
    vocabularyOf('vehicle'),
    'vin|(?:licen[cs]e|number|registration) ?plate|plate(?: ?(?:no|number))?|kennzeichen|fahrgestellnummer|matrícula|targa|telaio|kenteken|rejestrac\\p{L}*',
  ),
  row(
    'NATIONAL_ID',
    'code',
    vocabularyOf('nationalId'),
    'ssn|sin|soc(?:ial)? ?sec(?:urity)?(?: ?(?:id|no|num|number))?|national ?(?:id|insurance)(?: ?(?:no|number))?|id ?card(?: ?(?:no|number))?|(?:seriennummer )?personalausweis(?:nummer)?|ausweis(?:nummer|nr)?|dni|nie|carte d.?identité|carta d.?identità|dowodu?(?: osobistego)?|pesel|cpf|personnummer|cpr(?: ?(?:nr|nummer))?|fødselsnummer|henkilötunnus|hetu|rodne cislo|cnp|tc ?kimlik(?: ?no)?',
  ),
  row(
    'TAX_ID',
    'code',
    vocabularyOf('taxId'),
    'tax ?(?:id|no|number)|steuer(?:id|nummer|identifikationsnummer|nr)|vat ?(?:id|no|number|reg\\p{L}*)|stceg|ust ?id\\p{L}*|nif|cif|nip|partita iva|codice fiscale|tin',
  ),
  row(
    'HEALTH_ID',
    'code',
    vocabularyOf('healthId'),
    'nhs(?: ?(?:no|number))?|cns|health ?(?:card|id|care)? ?(?:no|number|id)|medicare ?(?:no|number|id)|versichertennummer|versicherten ?(?:nr|nummer|id)|kvnr|ehic',
  ),
  row('PAYMENT_CARD', 'card', '(?:credit|debit|payment|bank)? ?card ?(?:no|num|number|last)|pan|kartennummer'),
  row(
    'BANK_ACCOUNT',
    'account',
    vocabularyOf('bankAccount'),
    '(?:bank ?)?account ?(?:no|num|number)|konto(?:nummer|nr)|rachunk\\p{L}*|cuenta|compte|conto|rekening(?:nummer)?|kontonr|tilinumero',
  ),
  row(
    'PHONE',
    'phone',
    vocabularyOf('phone'),
    '\\p{L}*(?:phone|fax)|tel(?:efon\\p{L}*|f\\d?)?|mobile?|mobil\\p{L}*|movil|cell|handy|gsm|telp|puh\\p{L}*|tlf|(?:caller|called|calling) ?(?:no|num|number|party)|(?:a|b) ?number|msisdn|from|to',
  ),
  row('ID', 'code', vocabularyOf('id')),
  row('ID', 'number', 'cid'),
  row(
    'ID',
    'key',
    '(?:emp|employee|passenger|person|subject|student|pupil|staff|user|mem(?:ber)?|patient|pat|player|athlete|winner|loser|buyer|prospect(?:ive ?buyer)?|seller|bidder|cand(?:idate)?|customer|cust|client|contact|donor|driver|tenant|visitor|participant|respondent|host|manager|creator|owner|author|reviewer|account|profile|voter|subscriber|borrower|guest|worker|payroll|policy ?holder|resident|claimant|requester|assignee|agent|submitter|guardian|partner) ?(?:alternate ?|alt ?)?(?:id|uuid|no|nr|num|number|key|code)|(?:created|edited|updated|modified|last edited|recommended|referred|invited|recruited|registered|approved) ?by(?: ?id)?|reports ?to|patient|uniquepid|creator|idnumber|t[ií]tulo (?:de )?eleit\\p{L}*',
    'kunnr|pernr|lifnr|matricola|matricule|matrikelnummer|personal(?:nummer|nr)|legajo|nr ewidencyjny|n[rº]? ?id\\.? escolar|medlem(?:snummer|s ?nr)|kundnummer|kunde(?:nummer|nr)|jäsennumero|anställningsnummer|membership ?(?:no|number|id)|loyalty ?(?:no|number|id)|voter ?(?:id|number)|library ?card(?: ?(?:no|number))?',
  ),
  {
    words: headingWords(
      `${vocabularyOf('sensitive')}|diagn\\p{L}*|\\p{L}*dx|icd(?: ?(?:9|10|code))?|disease|illness|condition|krankheit|enfermedad|maladie|malattia|doença|ziekte|choroba|sjukdom|sygdom|agravo|allerg\\p{L}*|medicat\\p{L}*|medikament\\p{L}*|drugs?|vaccin\\p{L}*|vacc? ?stat(?:us)?|impf\\p{L}*|symptom\\p{L}*|cause ?of ?death|hiv(?: ?status)?|disabilit\\p{L}*|behinderung|adverse ?(?:event|reaction)|complaint|procedure|test ?(?:name|result)|result|blood ?(?:type|group)|religi\\p{L}*|konfession|godsdienst|wyznanie|race|raca|ethnic\\p{L}*(?: ?group)?|rasse|raza|etni\\p{L}*|ethnie|orientation|politic\\p{L}*|party(?: ?affiliation)?|(?:militant|religious) ?affiliation|tribe|caste|partei(?:zugehörigkeit)?|partido|partito|partij|parti(?: politique)?|(?:doc(?:tor)?|hosp(?:ital)?) ?vis(?:it)?s?|union ?member\\p{L}*|gewerkschaft|smok\\p{L}*(?: ?status)?|pregnan\\p{L}*|gestant\\p{L}*|dietary\\p{L}*|race ?ethn\\p{L}*|ethn|hispanic\\p{L}*|latino|^cause$|^health$|^union$|vote(?:d ?for)?|drug ?use|^arrest\\p{L}*$|charge ?degree|recid\\p{L}*|priors(?: ?count)?|parole|probation|felon\\p{L}*|misdemeano\\p{L}*|dead|results|treat(?:ment)?|trt|^arms?$|dose|dosage|baseline|radiolog\\p{L}*|h[ae]?emo\\p{L}*|infra[cç][aã]o`,
    ),
    cell: cells.phrase,
    role: 'sensitive',
  },
  row(
    'DEMOGRAPHIC',
    'phrase',
    vocabularyOf('sex'),
    vocabularyOf('status'),
    vocabularyOf('nationality'),
    'sex|gender|^(?:fe)?male(?:$|,)|geschlecht|gesch|sexo|sexe|genre|género|sesso|genere|gênero|geslacht|płeć|kön|køn|kjønn|sukupuoli|pohlavi|cinsiyet|nem|marital(?: ?status)?|maritl|married|partner|spouse|personal ?status|civil ?(?:status|stånd)|familienstand|famst|estado civil|situation familiale|stato civile|burgerlijke staat|stan cywilny|relationship',
    'nationality|citizenship|foreign(?:er| ?born| ?worker)|nationalität|natio|staatsangehörigkeit|nacionalidad|nationalité|nazionalità|nacionalidade|nationaliteit|obywatelstwo|medborgarskap|native ?language|mother ?tongue|lang(?:uage)?s?|other ?languages|sprache|muttersprache|spras|språk|langue',
    'educ(?:at(?:e|ion))?(?: ?(?:num|level|years))?|ed ?level|grau (?:de )?instru[cç][aã]o|ocupa[cç][aã]o|self ?employed|bildung|schulabschluss|degree|occupation|profession\\p{L}*|beruf|job|titel|profesión|métier|emploi|fonction|professione|profissão|cargo|puesto|beroep|functie|zawód|stanowisko|yrke|stilling|ammatti|meslek|(?:work|job) ?class|position ?(?:id|code)|industry',
    'salutation|anrede|anred|civ(?:ilité)?|tratamiento|insurance|health ?(?:plan|ins\\p{L}*)|(?:payer|payor) ?(?:group|class|type)|krankenkasse|versicherung|mutuelle|mutua|assicurazione|children|kids|household ?size|dependents',
  ),
  row('DEMOGRAPHIC', 'years', '(?:years? ?of ?)?school(?:ing)?'),
  row('DEMOGRAPHIC', 'withLetter', 'prefix|suffix', vocabularyOf('occupation')),
  row('ADDRESS', 'phrase', 'suite|^building$|apt|addr(?:ess)? ?line'),
  row('ADDRESS', 'code', '(?:street|house) ?(?:number|no|nr)|apartment|flat ?(?:number|no)'),
  row(
    'ADDRESS',
    'address',
    wordsFor('street'),
    'stra(?:ß|ss)e|stras|street(?: ?\\d)?|addr(?:ess)?(?: ?(?:line)? ?\\d)?|adresse?|anschrift|domicilio|dirección|calle|indirizzo|endereço|morada|logrado\\p{L}*|rua|rue|straat|ulica|gatuadress|gade|osoite|lähiosoite|ulice|strad[aă]|cím|adres',
  ),
  row(
    'LOCATION',
    'postcode',
    wordsFor('postcode'),
    'post ?(?:al)? ?codes?|zip(?: ?code)?|plz|postleitzahl|pstlz|code postal|codigo postal|cap|cep|kod pocztowy|postnummer|postnr|postinumero|psc|cod postal|iranyitoszam|posta kodu',
  ),
  row(
    'LOCATION',
    'code',
    '(?:state|county|tract|place|region|province|commune|country) ?(?:fp|fips|ce)|fips(?: ?code)?|geo ?id|county(?: ?(?:id|code|no))?$|departement ?(?:code|no|num\\p{L}*)|circo(?:nscription)?|c[oó]d(?:igo)? (?:do |de )?munic\\p{L}*|id municip\\p{L}*',
  ),
  row(
    'LOCATION',
    'withLetter',
    wordsFor('place'),
    vocabularyOf('country'),
    'country(?: ?(?:name|code|region|of ?\\p{L}+))?|land1?|state(?: ?(?:province|name|code))?$|(?:shipping|billing|home|mailing) ?(?:state|city|country)|province|region|county|district|suburb|bundesland|kreis|país|provincia|pays|département|paese|regione|^estado|região|provincie|kraj|województwo|gmina|territory|location|place|hometown|born(?: ?(?:in|at))?|unidade federativa|uf|residence|geography|airport(?: ?name)?|neighbou?rhood|native ?country|municip\\p{L}*|constituency|precinct',
    'city|town|ort ?\\d*|wohnort|stadt|ville|commune(?: .*)?|ciudad|localidad|poblacion|citta|comune|cidade|stad|plaats|miasto|miejscowosc|postort|by|poststed|kommune|kaupunki|kunta|mesto|obec|oras|localitate|varos|sehir|ilce|il',
  ),
  row(
    'ORGANIZATION',
    'withLetter',
    wordsFor('company'),
    'company(?: ?name)?|organi[sz]ation(?: ?name)?|institution|employer|hospital|clinic|school ?name|university|bank(?: ?name)?|firma|unternehmen|arbeitgeber|krankenhaus|klinik|empresa|hôpital|entreprise|azienda|ospedale|bedrijf|ziekenhuis|provider|payer|carrier|insurer|facility(?: ?name)?|site ?name|contractor(?: ?name)?|owner ?/ ?operator|\\p{L}*agency|airline|(?:aircraft|airline|network|telecom) ?(?:airline )?operator',
  ),
  row('QUANTITY', 'phrase', 'bmi(?: ?(?:class|category|group))?'),
  row(
    'QUANTITY',
    'amount',
    vocabularyOf('income'),
    'salary(?: ?class)?|income|hh\\p{L}?inc(?:ome)?|(?:log|ln)? ?wages?|gehalt|einkommen|lohn|sueldo|salario|salaire|revenu|stipendio|reddito|renda|salaris|inkomen|wynagrodzenie|lön|løn|lønn|palkka|maaş|brutto\\p{L}*|netto\\p{L}*|\\p{L}*(?:weight|height)(?: ?(?:kg|lbs?|cm|in))?|wt ?(?:kg|lbs?)|(?:b|birth|body) ?wt|gewicht|größe|peso|altura|poids|taille|altezza|hourly ?rate|pay ?rate|base ?pay|credit ?limit|balance|kontostand|saldo',
  ),
  row(
    'URL',
    'path',
    'url|web ?(?:site|page|address)|home ?page|webseite|internetadresse|site ?web|sitio ?web|sito ?web',
  ),
  row(
    'DATE',
    'date',
    vocabularyOf('date'),
    '\\p{L}*(?:date|time|datum|year)(?: ?(?:time|utc))?|(?:created|updated|modified|registered|ordered|opened|closed|resolved|started|ended|joined|admitted|discharged|issued|paid|shipped|due|expires?)(?: ?(?:on|at))?|(?:hire|start|end|admission|discharge|death|visit|registration) ?(?:day|on)|last ?(?:update|login|seen|access|visit)|lastaccess|dod|timestamp|when|dt|dat|fecha|data|date|zeitpunkt|jahr|day|dato|pvm|päivämäärä|dátum|tarih',
  ),
]

/** What the heading of a column tells of its cells, where most of the cells look like it. `words` is the heading as words. */
export const toldBy = (
  name: string,
  words: string,
  fits: (cell: RegExp) => boolean,
): Omit<Heading, 'words'> | undefined => {
  const field = fieldOf(name)
  if (field && fits(field.cell)) return field
  if (ofMany.test(words)) return undefined
  const areAnswers = fits(cells.answer)
  return headings.find(one => (!areAnswers || isAnswered(one)) && one.words.isIn(words) && fits(one.cell))
}

/** What begins the headings of figures of many persons. */
const ofMany = /^(?:share|percent(?:age)?|pct|median|mean|average|avg|per capita) /i

/** Whether yes or no may say what it is: only traits of a person are told so, no names or numbers. */
const isAnswered = ({ label, role }: Heading) => role === 'sensitive' || label === 'DEMOGRAPHIC'

/** What names of persons look like, and where the heading says that they are names. */
export const [nameCell, nameInAnyCase] = [cells.name, cells.nameInAnyCase]

/** Headings of names, of persons where the table is one of persons. */
export const ownName = headingWords('^(?:name|nom|nombre|nome|naam|namn|navn)$')

/** Headings of what a person does or is called, in a table of persons. */
export const ownTitle = headingWords('^(?:title|function|role|rank|grade)$')

/** Words for "number" and "key", as they stand behind what they are given to. */
const key = '(?:id|no|nr|num|number|nummer|key|code)\\.?'

/** Headings of keys of what is no person, though persons may be named beside them. */
const keyOfThing = headingWords(
  `(?:order|check|cheque|invoice|ticket|transaction|payment|charge|booking|reservation|event|visit|encounter|occurrence|stay|admission|appointment|issue|task|lot|batch|item|product|article|part|row|line|message|comment|post|session|request|shipment|tracking|document|contract|loan|sample|specimen|test|result|listing|trip|call|log|job|position|department|school|organi[sz]ation|company|location|store|contest|auftrags?|bestell|rechnungs?|buchungs?|artikel|vertrags?|commande|facture|réservation|bestelling|factuur) ?${key}$|(?:n ?[º°]?|num(?:ero|éro)?|número|id|cod(?:igo|ice)?) ?(?:de |do |da |di )?(?:pedido|factura|fatura|fattura|ordine|reserva|réservation|prenotazione|commande|facture|lote|lotto)$`,
)
const keyOfRow = headingWords('id$|^ids? .*')
const keyOfPart = headingWords(
  '(?:case|claim|serial|file|account|address|identifier|relationship|attribute|name|vehicle|device) id$',
)

/** Whether a heading names the key of something that is no person: an order, an article, a visit. */
export const isKeyOfThing = (words: string): boolean => keyOfThing.isIn(words)

/** Whether a key that is another in each row of a table of persons is that of a person, by its heading. */
export const mayBeOwnKey = (words: string): boolean =>
  keyOfRow.isIn(words) && !keyOfThing.isIn(words) && !keyOfPart.isIn(words)

/** Headings of keys that are a person's where the table is one of persons. */
export const ownKey = headingWords(
  '^(?:id|identifier|guid|uuid|key|row ?id|entity ?id|record ?id|contact ?key|object ?id)$',
)

/** Whether a text is a number and no more. */
export const isNumber = (text: string): boolean => /^[-+]?\d{1,12}(?:[.,]\d+)?$/.test(text)
