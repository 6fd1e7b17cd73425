import type { Recogniser } from './recogniser.ts'
import { isSomebody } from './shells.ts'

/** Words for passwords in the languages of Europe, which hardly ever mean anything else. */
const password = [
  'password|passwd|passphrase|passcode|passwort|kennwort|codewort|wachtwoord|mot de passe|mdp|contraseña|senha|palavra-passe',
  'heslo|hesla|hesle|hasło|hasła|passord(?:et)?|kodeord(?:et)?|adgangskoden?|lösenord(?:et)?|salasana|jelszó|lozinka|zaporka|şifre|parolă',
  "parola d[’']ordine|geslo|пароль|κωδικός(?: εισόδου| πρόσβασης)?",
].join('|')
/** Those that are parts of longer words too: `Initialpasswort`. */
const compound = 'passwort|kennwort|wachtwoord|lösenord(?:et)?|passord(?:et)?|kodeord(?:et)?|adgangskoden?'
/** Others that do so where something stands behind them that looks like one. */
const maybePassword =
  'pass|pwd?|clave|parola|parole|wi-?fi|wlan|token|gutschein|voucher|encriptado|temp|(?:(?:mitt|ditt|nytt|tillfälligt) )lösen|(?<=(?:^|[\\n\\r]|, |tijdelijk ))(?:lösen|ww|schlüssel)|(?:resettata|resettato|zurückgesetzt|reseteada|redefinida|zresetowane)(?=:)|reset temporal|geçici|şifresi|chiave|klucz'
const opening = `[„“"«'‘(]{0,2}`
const few = (most: number) => String.raw`(?:[ ,]{1,2}[\p{L}_.'’+-]{1,16}){0,${most}}?`
/** Where a word begins: letters with a digit among them, or with a mark within. */
const mixed = String.raw`(?<![\p{L}\p{N}_])(?=\S{0,40}?(?:\p{L}\S{0,30}?\d|\d\S{0,30}?\p{L}|\p{L}[!#$%&*?+~^@]{1,3}[\p{L}\d]))`
const value = String.raw`(?<value>[\p{L}\p{N}!#$%&*+?][^\s"'„“”«»‘(),;<>]{4,60})(?<![.:?…])`

/** Values that hold a digit and a letter and are no secrets, by how they begin or all through. */
const noSecrets = [
  // Units and versions; times, dates; addresses.
  /^v?\d+(?:[.,]\d+)*[\p{L}%]{0,4}\.?$/u,
  /^(?:\d{1,2}[:.]\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}\.?\p{L}{3,9}\.?\d{0,4}$)/u,
  /^[^@]+@[^@]+\.\p{L}+$|:\/\/|^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.[a-z]{2,6}(?:\/|$)/iu,
  // Standards and ways to hide passwords; what else passwords have.
  /^(?:wpa|wep|ieee|iso|sha|md5|aes|utf|rfc|http|802|bcrypt|argon|polic|page|reset|field|manager|hash|version|richtlin)/iu,
]
const isSecret = (text: string) => noSecrets.every(pattern => !pattern.test(text))
/** What parts and devices are called: `ESP8266`. */
const model = /^\p{Lu}{2,5}-?\d{2,4}(?:-\d{1,4}|\p{Lu})?$/u

const door = [
  String.raw`(?:port|dør|dörr|ovi|kapu|kulcs|riasztó|tür|tor|haustür|lås|nøgle|nøkkel|sleutel)(?:kód|kod|kode|koodi|code)\p{L}{0,3}`,
  `(?:code|codice|clave|código|kode|kod|kód)(?: d[eu](?: l[a’'])?| de la| del| della| do| da| til| till| zu[mr]?| für)? ?(?:lift|haustor|haustür|tür|tor|porte|portail|alarme?|alarma|puerta|portal|portão|cancello|portone|cassaforte|deur|poort|kluis|safe|tresor|garage|garaje|local|immeuble|boîte(?: mail| à clés)?|door|gate|entrance)`,
  '(?:zugangs-?code|zugangs-?pin|access code|schlüssel(?:kasten|tresor|safe)|key ?safe|key ?box|lock ?box|kodelås(?:ens kode)?|n[øo]kkelboks|nøgleboks|sleutelkluis|medkast|candado|alarma?|allarme|nyckelbox|nyckelskåp|trezor)',
  '(?:neuer|neue|new|ny|nye|nowy|nový|nuovo|nueva?|nouveau|uusi|nieuwe) (?:code|kode|koden|kod|kód|codice|clave|código|koodi)(?! \\p{L})',
  '(?:clave|codice|koden) (?:nueva|nuevo|nuovo|var|er|är|je)',
].join('|')

/** What the security codes of cards are called. */
const cardCode = [
  '(?:cvv2?|cvc2?|cav2|cvn2?)(?: ?[/-]? ?(?:cvc2?|cvv2?))?(?:[ -]?(?:code|nummer|number|kód|kod))?',
  '(?:card )?security code|card verification (?:code|number|value)|(?:karten)?prüfnummer|kartenprüfziffer|sicherheitscode',
  'cryptogramme(?: visuel)?|código de seguridad|codice di sicurezza|código de segurança|beveiligingscode|säkerhetskod(?:en)?|bezpečnostní kód|kod bezpieczeństwa',
  '(?:three|3) digits (?:on|from) the back(?: of (?:my|the|your) card)?|the three digits(?= (?:are|is) )',
].join('|')

const logged = [
  String.raw`(?:failed|accepted) (?:password|publickey|none|hostbased|keyboard-interactive(?:\/pam)?|gssapi[a-z-]{0,12}) for (?:invalid user )?`,
  String.raw`(?:invalid|illegal|unknown) user (?=\S{1,64} (?:from|port)\b)`,
  String.raw`\bsudo(?:\[\d{1,9}\])?: {1,3}(?=[^\s:]{2,32} :)`,
  String.raw`\b(?:user|uid|usr|usuario|usuário|utente|utilisateur|benutzer|gebruiker|uživatel|uzivatel|użytkownik|uzytkownik|användare|login)=["'<]?`,
  String.raw`session (?:(?:opened|closed) for|\w{1,12} of) user |(?:for|by) user ["']`,
  String.raw`\b(?:disconnected from|(?:closed|reset|disconnected) by) (?:authenticating |invalid )?user (?=\S{1,64} [\da-f:.]{3,45} port\b)`,
  String.raw`\bnew user: name=|\bpassword changed for |\b(?:add|delete|remove) '(?=[^'\s]{1,32}' (?:to|from) (?:shadow )?group\b)`,
  String.raw`\bsu(?:\[\d{1,9}\])?: (?:failed su )?\(to \S{1,32}\) (?=\S{1,32} on )`,
  String.raw`\b(?:imap|pop3|lmtp|lda)\((?=[^()\s]{1,64}\)[<:])|\[(?=[^\]\s]{1,32}\] (?:ok|fail) (?:login|upload|download|delete|mkdir|rename)\b)`,
  String.raw`\bcron\[\d{1,9}\]: \(`,
].join('|')

/** What people say of passwords, codes of doors and accounts, in letters, chats and logs. */
export const spokenSecrets: Recogniser[] = [
  {
    name: 'secret.behind-word',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?:(?<![\p{L}\p{N}])(?:${password})|(?<=\p{L})(?:${compound}))(?![\p{L}\p{N}_])${few(5)} ?[:=]? {0,2}${opening}${mixed}${value}`,
      'giu',
    ),
    valid: isSecret,
    score: 0.7,
    source: 'up to five words behind the word for a password: letters with a digit or a mark among them',
  },
  {
    name: 'secret.near-word',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${maybePassword})(?![\p{L}\p{N}_])(?:${few(2)} ?[:=]?|${few(5)} ?[:=]) {0,2}${opening}(?=\S{0,40}?\d)${mixed}${value}`,
      'giu',
    ),
    valid: text => isSecret(text) && !model.test(text) && /\p{L}\p{L}/u.test(text),
    score: 0.6,
    source: 'the same with a digit, right behind words that may say so, or behind a colon: networks, tokens, vouchers',
    needs: /\d/,
  },
  {
    name: 'secret.quoted',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${password})(?: \p{L}{1,12})?:? [„“"«‘](?<value>[^\s"„“”«»‘’\n]{3,40})[“”"»’]`,
      'giu',
    ),
    score: 0.65,
    source: 'a word in quotes behind the word for a password',
    needs: /[“”"»’]/,
  },
  {
    name: 'secret.door',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${door})(?![\p{L}\p{N}])(?: \p{L}{1,12}){0,3}?(?: ?[:=])? ?${opening}(?<![\p{L}\p{N}])(?!(?:19|20)\d\d(?![\d#*A-Z]))(?<value>[#*]?(?:\d{4,8}[A-Z]?|\d{1,3}[A-Z]\d{1,4}|\d(?:-\d{1,2}){2,5})[#*]?)(?![\p{L}\p{N}/-]|[.,:]\d)`,
      'giu',
    ),
    score: 0.65,
    source: 'digits behind what codes of doors, safes and alarms are called in a dozen languages',
    needs: /\d/,
  },
  {
    name: 'secret.card-code',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${cardCode})(?: (?:is|are|was|ist|lautet|war|est|es|è|é|je|to|är))? ?[:=]? {0,2}(?:(?<=[:=] {0,2})|(?!(?:19|20)\d\d))(?<value>\d{3,4})(?![\p{L}\p{N}/%€-]|[.,:]\d)`,
      'giu',
    ),
    score: 0.65,
    source: 'three or four digits behind what the security codes of cards are called',
    needs: /\d{3}/,
  },
  {
    name: 'secret.keyed',
    label: 'SECRET',
    pattern: /(?<![\p{L}\p{N}#*/+-])\d{4,8}[#*](?![\p{L}\p{N}#*])/gu,
    score: 0.1,
    near: 0.65,
    context:
      'code codes codice código kode koden kod kód koodi cod alarm alarme alarma allarme larm riasztó pin door gate tür tor porte puerta portão porta cancello deur dør dörr ovi kapı kapu lås lock safe tresor keypad digicode κωδικός'.split(
        ' ',
      ),
    source: 'digits with the key that ends them, near words for codes and doors',
  },
  {
    name: 'username.logged',
    label: 'USERNAME',
    pattern: new RegExp(
      String.raw`(?:${logged})(?<value>[\p{L}\p{N}](?:[\p{L}\p{N}._\\@-]{0,60}[\p{L}\p{N}])?)(?=[\s>:;,()\]"']|\.?(?:\s|$))`,
      'giu',
    ),
    // Systems number their users too.
    valid: user => isSomebody(user) && !/^\d{1,5}$/.test(user),
    score: 0.7,
    source: 'users in logs of sshd, sudo, cron, PAM and servers of mail',
  },
  {
    name: 'username.speaks',
    label: 'USERNAME',
    pattern:
      /(?<=^|[\n\r])(?:\[\d{1,2}[:.]\d{2}\] |\d{1,2}[:.]\d{2} |(?:<!-- )\d{1,2}:\d{2} )(?!(?:v|usb|w?lan|eth)[\d.]+:)(?<value>(?=[\p{L}\p{N}._]{0,30}[._\d])\p{L}[\p{L}\p{N}._]{1,30}[\p{L}\p{N}])(?=: )/gu,
    score: 0.65,
    source: 'who speaks in a chat: a name with a digit or a mark between the time and a colon',
    needs: /\d[:.]\d\d/,
  },
  {
    name: 'username.shown',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:snap(?:chat)?|insta(?:gram)?|tiktok|telegram|discord|twitch|skype|profil|profile|agent|login|log-?in|log ?ind med|inlogg(?:ning)?|přihlášení|přístup|fiók(?:ja)?|kirjautuu|clôturé par|reset by|(?:password|passwort|heslo|hasło) for|publicado por|posted by|opened by|closed by|locked by|edited by|usuario|usuário|user(?:name)?|account|konto|compte|identifiant|benutzer(?:name|kennung)?|gebruiker(?:snaam)?|utente|utilizador|uživatel|użytkownik|użytkownika|användar(?:e|namn)|bruker(?:navn)?|bruger(?:navn)?|github|gitlab|steam|threema|ebay|nick)(?![\p{L}\p{N}_])(?:['’]s)?(?: (?:nuevo|de|neu|new|is|mit|with|to|als|as|til)(?![\p{L}\p{N}]))? ?[:=]? {0,2}[„“"«'(]?(?:live:)?(?<value>(?=[\p{L}\p{N}._-]{0,30}(?:[_\d]|\.[\p{L}\p{N}]))(?=[\p{L}\p{N}._-]{0,40}\p{L}\p{L})\p{L}[\p{L}\p{N}._-]{2,40}[\p{L}\p{N}])(?![\p{L}\p{N}_@:/-]|\.[\p{L}\p{N}])/giu,
    valid: text =>
      !/^(?:v?\d|e\.g|i\.e|z\.B|p\.ex|\p{L}\.\p{L}$|[a-z]{1,4}\d{1,2}$|.*\.(?:com|org|net|de|fr|es|it|nl|pl|exe|dll|js|ts|py|sh|txt|pdf|docx?|xlsx?)$)/iu.test(
        text,
      ) &&
      !model.test(text) &&
      !/^\p{Ll}+\.\p{Lu}\p{Ll}+$/u.test(text),
    score: 0.6,
    source:
      'a value with a digit or a mark right behind what shows it: networks of friends, log-ins, who did something',
    needs: /[._\d]/,
  },
]
