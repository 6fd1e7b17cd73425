import type { Recogniser } from './recogniser.ts'
import { isSomebody } from './shells.ts'

/**
 * Marks that the RFC allows in addresses but that in texts delimit them (`* / ? ^ | { }` and the backtick) are left out. A
 * quote belongs to an address between letters alone (`o'brien`), unless they are the prefix of a string; an equals sign only
 * behind what programs of mailing lists put before it (`bounce-7-anna=b.example@list.example`).
 */
const atom = "(?:[\\p{L}\\p{N}\\p{M}_+~%!#$&-]|(?<=\\p{L})'(?=\\p{L}))"
const forwarded =
  '(?:(?:prvs|srs[01]|bounces?|return|verp|owner)\\b[\\p{L}\\p{N}_+.=-]{0,100}|(?=[^=@\\s]{0,128}[+\\d])[\\p{L}\\p{N}_.-]{1,64}[+-][\\p{L}\\p{N}_+.-]{1,64})='
const host = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?'
const email = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}._+~%-])(?:${forwarded})?(?![ubfr]{1,2}'|n'[^'\\s]{1,200}'|[!#$&])${atom}{1,64}(?:\\.${atom}{1,64}){0,8}@(?:${host}\\.){1,8}(?:xn--[a-z0-9-]{2,59}|\\p{L}[\\p{L}\\p{M}]{1,23})(?![\\p{L}\\p{N}\\p{M}])`,
  'giu',
)

/** What stands for the signs of an address where it is said, or written so that no program reads it. */
const saidAt =
  '(?: ?[([{<] ?(?:at|ät|arroba|arobase|chiocciola|małpa|zavináč|snabel-?a) ?[)\\]}>] ?| (?:arroba|arobase|chiocciola|ma[łl]pa|zavin[áa][čc]|snabel-?a|apenstaartje|klammeraffe|kr[øo]llalfa|alfakr[øo]ll) )'
const saidDot = '(?: ?[([{<] ?(?:dot|punkt) ?[)\\]}>] ?| (?:dot|punkt|punto|point|ponto|punt|kropka|te[čc]ka) )'
const saidPart = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}._+-]{0,40}[\\p{L}\\p{N}])?'
const saidHost = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,40}[\\p{L}\\p{N}])?'
/** `anna.k arroba correo punto es`, `anna (at) posteo.de`; the English word alone says so only with `dot` behind it. */
const said = new RegExp(
  `(?<![\\p{L}\\p{N}@._+-])${saidPart}(?:${saidDot}${saidPart}){0,2}(?:${saidAt}${saidHost}(?:(?:${saidDot}|\\.)${saidHost}){0,2}(?:${saidDot}|\\.)|(?: (?:at|ät) )${saidHost}(?:${saidDot}${saidHost}){0,2}(?: ?[([{<] ?(?:dot|punkt) ?[)\\]}>] ?| (?:dot|punkt) ))\\p{L}{2,24}(?![\\p{L}\\p{N}@])`,
  'giu',
)

/** What programs write behind an @, each followed or preceded by what tells that it is no name of a user. */
const wordsOfPrograms = [
  // JSON-LD: the whole of a string.
  `(?<=(?:^|["'])@)(?:base|container|context|direction|graph|id|import|included|index|json|language|list|nest|none|prefix|propagate|protected|reverse|set|type|value|version|vocab)(?=$|["'])`,
  // Rules of style sheets.
  String.raw`(?:container|counter-style|font-face|font-feature-values|keyframes|media|mixin|page|property|supports)\b[^@{};\n\r]{0,200}\{`,
  String.raw`(?:apply|extend|include|layer|tailwind)\b[^@{};\n\r]{0,200}[{;]`,
  String.raw`(?:charset|forward|import|namespace|use)\s{1,9}(?:["']|url\()`,
  // Packages of npm with a scope: in quotes, behind a command, or of a scope that everybody knows.
  String.raw`(?<=(?:^|["'\x60]|(?:npm|pnpm|yarn|bun|npx)\b[^\n\r]{0,100} )@)[a-z0-9][\w.-]{0,60}\/[a-z0-9]`,
  String.raw`(?:angular|aws-cdk|aws-sdk|babel|emotion|eslint|fortawesome|mui|nestjs|reduxjs|sveltejs|tanstack|testing-library|types|typescript-eslint|vitejs|vue)\/[a-z]`,
  // Decorators and annotations: at the beginning of a line or of what is passed, with a bracket behind them or known.
  String.raw`(?<=(?:^|[\n\r(])[ \t]{0,60}@)(?:[A-Za-z_][\w.]{0,60}\(|(?:Override|Deprecated|FunctionalInterface|SafeVarargs|Test|Autowired|Inject|Nullable|NonNull|NotNull|Entity|Id|Bean|Configuration|Controller|RestController|Repository|Service|Transactional|Before(?:All|Each)?|After(?:All|Each)?|Getter|Setter|Slf4j|abstractmethod|classmethod|dataclass|override|property|staticmethod|(?:functools|pytest)\.\w{1,30})[ \t]*(?=$|[\n\r]))`,
  // Tags of documentation in comments.
  String.raw`(?<=(?:^|[\n\r])[ \t]{0,60}(?:\/?\*{1,2}[ \t]*|\/\/[ \t]*)@|\{@)(?:author|deprecated|example|exception|inheritDoc|link|module|param|private|property|returns?|see|since|template|throws|todo|typedef|type|version)(?![\w.-])`,
]
const handle = new RegExp(
  String.raw`(?<![\p{L}\p{N}._@/-])@(?!${wordsOfPrograms.join('|')})[A-Za-z0-9_](?:[A-Za-z0-9_.-]{1,38}[A-Za-z0-9_])(?![\p{L}\p{N}@])`,
  'gu',
)

export const contact: Recogniser[] = [
  {
    name: 'email.said',
    label: 'EMAIL',
    pattern: said,
    score: 0.8,
    source: 'words for the signs of addresses in eleven languages',
    needs:
      /(?:at|ät|arroba|arobase|chiocciola|ma[łl]pa|zavin[áa][čc]|snabel-?a|apenstaartje|klammeraffe|kr[øo]ll)[\s)\]}>]/iu,
  },
  {
    name: 'username.folder',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}._-])(?:[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings)[\\/]{1,2}|\\\\[\w.-]{1,60}\\{1,2}(?:[Hh]omes?|HOME|[Uu]sers|USERS|[Pp]rofiles?)\$?\\{1,2}|\/(?:home|Users)\/)(?<value>[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}])?(?:(?: [\p{L}\p{N}._-]{1,30}){1,3}(?=\\))?)(?![\p{L}\p{N}])/gu,
    valid: isSomebody,
    score: 0.7,
    source: 'folders of users of Windows, macOS and Linux, and their shares',
    needs: /users|home|settings|profile/i,
  },
  {
    name: 'email',
    label: 'EMAIL',
    pattern: email,
    score: 0.99,
    source: 'RFC 5321 section 4.1.2 and RFC 6531, without quoted local parts, address literals and marks that delimit',
    needs: /@/,
  },
  {
    name: 'url',
    label: 'URL',
    pattern: /(?<![\p{L}\p{N}])(?:https?|ftps?|sftp):\/\/[^\s<>"'`{}|\\^]{3,2000}(?<![.,;:!?)\]])/giu,
    score: 0.8,
    source: 'RFC 3986',
    needs: /:\/\//,
  },
  {
    name: 'url.www',
    label: 'URL',
    pattern:
      /(?<![\p{L}\p{N}./@-])www\.(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?:\/[^\s<>"'`{}|\\^]{0,2000}(?<![.,;:!?)\]]))?/giu,
    score: 0.8,
    source: 'RFC 1035 names that begin with www',
    needs: /www\./i,
  },
  {
    name: 'profile',
    label: 'URL',
    pattern:
      /(?<![\p{L}\p{N}@/-])(?:[a-z]{2,3}\.|www\.)?(?:linkedin\.com\/(?:in|pub)|xing\.com\/profile|facebook\.com|fb\.com|instagram\.com|twitter\.com|x\.com|tiktok\.com|github\.com|gitlab\.com|t\.me|wa\.me|youtube\.com|orcid\.org|researchgate\.net\/profile|threads\.net|mastodon\.social|bsky\.app\/profile|snapchat\.com\/add)\/@?[\p{L}\p{N}_.%-]{2,100}(?<![.,;:!?])\/?(?![\p{L}\p{N}])/giu,
    score: 0.85,
    source: 'addresses of profiles in social networks, without https://',
    needs: /\.(?:com|me|org|net|app|social)\//i,
  },
  {
    name: 'handle',
    label: 'USERNAME',
    pattern: handle,
    score: 0.6,
    source: 'user names of public networks: letters, digits, _ . - after @; no words of programs',
    needs: /@/,
  },
  {
    name: 'username.labelled',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:user ?name|user ?id|login|screen ?name|benutzername|benutzer|nombre de usuario|usuario|nom d['’]utilisateur|identifiant|nome utente|utilizador|gebruikersnaam|użytkownik|nazwa użytkownika|uživatel|användare|användarnamn)\s{0,2}(?:is|ist|es|è|est|:|=)\s{0,3}(?<value>[\p{L}\p{N}_.-]{3,64}[\p{L}\p{N}])/giu,
    // What servers of mail and files write behind `LOGIN:`.
    valid: value => !/^(?:log-?in|client)$/iu.test(value),
    score: 0.7,
    source: 'a value named as a user name',
  },
  {
    name: 'username.command',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:[Uu]ser|[Bb]enutzer|[Uu]suario|[Uu]tilisateur|[Uu]tente|[Uu]tilizador|[Gg]ebruiker) (?<value>(?=[a-z]{1,20}[._\d])[a-z][a-z0-9._-]{2,40}[a-z0-9])(?![\p{L}\p{N}@.])/gu,
    score: 0.6,
    source: 'a word in lower case with a mark or a digit behind the word for users',
  },
  {
    name: 'username.said',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:user|account|skype|telegram|discord|insta(?:gram)?|snapchat|nick(?:name)?|steam|gamertag)(?: name| id| handle)?\s{0,2}(?:is|ist|es|è|:|=)\s{0,3}(?<value>(?=[\p{L}._-]{0,40}[\d._])[\p{L}][\p{L}\p{N}_.-]{2,40}[\p{L}\p{N}])/giu,
    score: 0.6,
    source: 'a value with a digit or a mark that is said to be an account',
  },
  {
    name: 'username.place',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:log-?in|inlog|portaal|portal|wi-?fi|wlan|ssid|chat|handl\.?)(?:[ -][\p{L}-]{1,14}){0,3}(?: ?[:=]| (?:is|ist|es|heißt|się)) ?["“„«']?(?<value>(?!(?:web|gpt|wpa|wep|base|top|two|mp|utf|sha|md|ipv|win|html|css|php|sql|py|node|v)[\d_]?\d*\p{L}{0,6}\d{0,4}(?![\p{L}\p{N}_]))(?=[a-z]{0,30}[\d_])[a-z][a-z\d_]{3,30}|\p{Lu}\p{Ll}{2,15}(?:_\p{L}{2,15}){1,3})(?![\p{L}\p{N}@:/_-]|\.[\p{L}\p{N}])/giu,
    score: 0.6,
    source: 'a word with a digit or a low line behind where somebody logs in, or whose network it is',
    needs: /[a-z][\d_]|_\p{L}/u,
  },
  {
    name: 'username.device',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}._-])(?:(?=[A-Z\d-]{0,30}\d)(?:[A-Z]{2,8}-){1,2}(?:PC|LT|NB|WS|DESK|LAPTOP|NTB)-?\d{1,4}|(?:PC|LT|NB|WS|LAPTOP|DESKTOP|NTB)-(?=[A-Z\d-]{0,20}[A-Z])[A-Z\d]{3,15}(?:-[A-Z\d]{1,10})?(?<=[\d-][A-Z\d]{0,10})|[A-Z]{2,8}-(?:PC|LT|NB|WS|NTB)-[A-Z\d]{3,15})(?![\p{L}\p{N}]|[-.][\p{L}\p{N}])/gu,
    score: 0.55,
    source: 'names of computers: capitals, with a part that says what they are',
    needs: /(?:PC|LT|NB|WS|DESK|DESKTOP|LAPTOP|NTB)-?[A-Z\d]/,
  },
  {
    name: 'username.of-device',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:[Hh]ost(?:name)?|[Ll]aptop|[Nn]otebook|[Cc]omputer(?:name)?|[Rr]echner|PC|[Ww]orkstation|[Pp]oste|[Oo]rdinateur|[Ee]quipo|[Pp]ortátil|[Kk]omputer|[Dd]ator(?:namn)?|[Pp]očítač|[Gg]erätename)(?:[:?]| –|\? –)? (?:[–-] )?(?:is |ist |heißt |heisst )?["„«]?(?<value>(?=[A-Z\d-]{0,30}\d)[A-Z]{2,10}(?:-[A-Z\d]{2,12}){1,3})(?![\p{L}\p{N}]|[-.][\p{L}\p{N}])/gu,
    score: 0.55,
    source: 'what a computer is called, behind the word for it',
    needs: /[A-Z]-[A-Z\d]/,
  },
  {
    name: 'phone.labelled',
    label: 'PHONE',
    pattern:
      /(?<![\p{L}\p{N}])(?:tel|tél|mob|gsm|natel|fone|utenza|telephone|phone|mobile|cell|fax|teléfono|tfno|móvil|telefon|telefono|tlf|handy|mobil|téléphone|telefone|celular|puhelin|sími)(?:\p{L}{0,3}| number| no)?\.?\s{0,2}(?:is|:|=|\.)?\s{0,3}(?<value>\+?\(?\d(?:[ ()./x-]{0,2}\d){5,14})(?!\d)/giu,
    score: 0.85,
    source: 'digits named as a telephone number (ITU-T E.164: at most 15)',
    needs: /\d/,
  },
  {
    name: 'username.upi',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:UPI|VPA|BHIM|GPay|PhonePe|Paytm)(?! ?[\p{L}\p{N}._-]{0,40}@[^\s]*\.)[^\n\r@]{0,30}?(?<![\p{L}\p{N}._-])(?<value>[A-Za-z0-9][A-Za-z0-9._-]{1,60}@[a-z]{3,12})(?![\p{L}\p{N}@.-]|\.\p{L})/gu,
    score: 0.75,
    source: 'India, NPCI, virtual addresses of payment: a name and the handle of a bank, without a full stop',
    needs: /@/,
  },
  {
    name: 'phone.extension',
    label: 'PHONE',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:App\.|Apparat|Durchwahl|Nebenstelle|DW|[Ee]xt(?:\.|ension)?|[Pp]oste|[Ii]nterno|int\.|tst\.|[Tt]oestel|wewn?\.|[Aa]nkn(?:ytning|\.)|klapka|[Rr]amal|[Aa]nexo|[Bb]leep|[Bb]usca|[Pp]ager) ?:? ?-?|[Ff]ax:? ?-)(?<value>\d{2} \d{2}|\d{2,6})(?![\p{L}\p{N}]|[.,]\d| \d)/gu,
    score: 0.6,
    source: 'inner numbers by the words for them in nine languages, and those that follow the number of a telephone',
    needs: /\d{2}/,
  },
]
