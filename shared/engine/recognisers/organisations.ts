import type { Recogniser } from './recogniser.ts'

/** A word of a name: none that begins an address, or what stands behind it. */
const word =
  "(?!(?:Ctra|Carretera|Av(?:da?|inguda|enida)?|Pso|Pza|Passeig|Carrera|Glorieta|C(?=\\/)|Calle|Plaza|Paseo|P[ºo]|N[ºo°]|Boulevard|Bulevar|Raval|Ronda|Rambla|Dra?|Tel|Fax|Correo|E-?mail|Via|Rue|Rua|Straße|Telefon|Servicio|Dep)(?![\\p{L}]))\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{0,30}"
const link =
  "(?:&|\\+|und|and|y|e|et|i|en|de|du|des|del|della|do|da|dos|das|van|der|den|im\\.|św\\.|pw\\.|St\\.|[dl][’'])"
const more = `(?: (?:${link} ){0,2}${word})`

const forms =
  'GmbH(?: & Co\\. KG)?|e\\. ?K\\.|e\\. ?U\\.|a\\. ?G\\.|Pty\\.? Ltd\\.?|Pvt\\.? Ltd\\.?|P\\.C\\.|[Ss]półka [Jj]awna|[Ss]półka [Kk]omandytowa|S\\. ?COOP\\.(?: DE CRÉDITO)?|S\\. ?Coop\\.(?: de Crédito)?|LTDA(?: ME)?|Ltda\\.?(?: ME)?|mbH|OHG|UG|gGmbH|e\\.V\\.|eG|Ltd\\.?|Limited|LLC|LLP|Inc\\.?|Incorporated|Corp\\.?|Corporation|Co\\.|plc|PLC|S\\.L\\.U?\\.?|S\\.A\\.U?\\.?|SARL|SASU?|EURL|S\\.r\\.l\\.|S\\.p\\.A\\.|S\\.n\\.c\\.|Lda\\.?|Unipessoal|B\\.V\\.|BV|N\\.V\\.|V\\.O\\.F\\.|sp\\. z o\\. ?o\\.|Sp\\.j\\.|s\\. ?r\\. ?o\\.|a\\. ?s\\.|v\\. ?o\\. ?s\\.|sp\\.k\\.|AB|KB|HB|mbB|PartG(?: mbB)?|E\\.P\\.E\\.|S\\.C\\.'
/** Institutions that people belong to. Courts and authorities are left out: everybody's are the same. */
const first =
  'Bäckerei|Metzgerei|Pflegeheim|Seniorenstift|Kita|Kirchengemeinde|Realschule|Gesamtschule|Mittelschule|Zahnarztpraxis|Gemeinschaftspraxis|Sozialstation|Steuerkanzlei|ZŠ|MŠ|WZC|OBS|RKBS|[Hh]uisartsenpraktijk|[Zz]orggroep|[Vv]erpleeghuis|[Éé]cole|CMPP|[Mm]utuelle|SCI|ASBL|GAEC|EARL|SELARL|SCP|[Pp]asticceria|[Ff]alegnameria|[Tt]abac-presse|Stadtwerke|Sparkasse|Raiffeisenbank|Volksbank|Spedition|Seniorenheim|[Mm]aison (?:médicale|de santé|de retraite)|EHPAD|[Ee]ntreprise|[Cc]abinet|[Bb]oulangerie|[Aa]zienda (?:[Oo]spedaliera|[Ss]anitaria)|AZIENDA (?:OSPEDALIERA|SANITARIA)|[Oo]fficina|[Pp]anificio|[Cc]entro [Hh]ospitalar|CENTRO HOSPITALAR|HOSPITAL|CENTRE HOSPITALIER|[Cc]entre [Hh]ospitalier|[Nn]emocnice|[Aa]utoservis|[Pp]ekárna|[Ll]ékárna|[Mm]ateřská škola|[Aa]dvokátní kancelář|[Vv]årdcentralen|[Aa]dvokatfirman|[Ff]örskolan|[Aa]poteket|[Pp]rzedsiębiorstw[oau]|[Ss]towarzyszeni[ea]|[Ss]zkoła [Pp]odstawowa|SZPITAL|KLINIKUM|Klinikum|Universitätsklinikum|Klinik|Krankenhaus|Apotheke|Hausverwaltung|Reederei|Autohaus|Kanzlei|Rechtsanwälte|Praxis|Grundschule|Gymnasium|[Hh]ôpital|[Cc]linique|[Pp]harmacie|[Ll]ycée|[Cc]ollège|[Uu]niversité|[Mm]enuiserie|[Gg]arage|[Oo]spedale|[Pp]oliclinico|[Pp]oliambulatorio|[Cc]linica|[Ff]armacia|[Tt]rattoria|[Ii]stituto|[Ll]iceo|[Uu]niversità|[Oo]fficine|[Hh]ospital|[Cc]línica|[Cc]olegio|[Ii]nstituto|[Uu]niversidade?|[Bb]ufete|[Tt]alleres|CEIP|IES|[Cc]entro de [Ss]a(?:lud|úde)|[Ee]scola|[Ff]armácia|USF|[Cc]arpintaria|[Zz]iekenhuis|[Aa]potheek|[Bb]asisschool|[Uu]niversiteit|[Aa]dvocatenkantoor|[Ll]oodgietersbedrijf|[Ss]zpital(?:a|u|em)?|[Kk]linika|[Kk]linice|[Pp]rzychodnia|[Pp]rzychodni|[Aa]pteka|[Uu]niwersytet(?:u)?|[Kk]ancelaria|NZOZ|[Hh]urtownia|Akademia'
const last =
  'INFIRMARY|HOSPITAL|SURGERY|CLINIC|närsjukhus|sjukhus|skola|Hospital|Surgery|Infirmary|Clinic|Hospice|Pharmacy|University|College|Academy|Primary School|High School|Solicitors|(?:Dental|Medical) Practice|(?:Medical|Health) (?:Cent(?:re|er)|Ctr)|(?:Residential|Nursing) Home|Children.s Centre|Care Home|Nursery'

const row = (name: string, text: string, words: string, score: number, source: string): Recogniser => ({
  name,
  label: 'ORGANIZATION',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'gu'),
  score,
  source,
  needs: new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'u'),
})

/** Employers, practices, schools and firms by their legal forms and by what they call themselves. */
export const organisations: Recogniser[] = [
  row('organisation.form', `${word}${more}{0,6},? (?:${forms})`, forms, 0.75, 'legal forms of companies, by country'),
  row(
    'organisation.first',
    `(?:${first})${more}{1,7}(?! ${word}|,? (?:s/n|\\d{1,4}(?![\\p{L}\\p{N}.])))`,
    first,
    0.6,
    'kinds of institutions before their names',
  ),
  row(
    'organisation.last',
    `${word}(?:['’]s)?(?: ${word}){0,3} (?:${last})(?! (?:de|del|di|da|\\p{Lu}))`,
    last,
    0.6,
    'kinds of institutions behind their names',
  ),
]
