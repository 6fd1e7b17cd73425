import { crc32 } from 'node:zlib'
import type { Recogniser } from './recogniser.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** GitHub's tokens end in the CRC-32 of the rest, in six characters of base 62. */
function github(text: string): boolean {
  const body = text.slice(text.indexOf('_') + 1)
  let rest = crc32(body.slice(0, -6))
  let check = ''
  for (let i = 0; i < 6; i++) {
    check = alphabet[rest % 62] + check
    rest = Math.floor(rest / 62)
  }
  return check === body.slice(-6)
}

/** Three parts of base64url, the first of them a JSON object that names an algorithm. */
function jwt(text: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(text.split('.')[0]!, 'base64url').toString())
    return typeof header === 'object' && header !== null && 'alg' in header
  } catch {
    return false
  }
}

const secret = (name: string, pattern: RegExp, source: string, more: Partial<Recogniser> = {}): Recogniser => ({
  name,
  label: 'SECRET',
  pattern,
  score: 0.95,
  source,
  ...more,
})

/** Words between the name of a secret and the secret; the English `to` only before what looks like one. */
const said = String.raw`(?:is|ist|lautet|es|è|est|är|(?<=hasło )to|to(?= \S{0,60}[\d!@#$%*_]))(?![\p{L}\p{N}])`
/** What a shell calls `PWD`. */
const isFolder = /^\/(?:$|[\w.-]+\/)/
/** What programs and their settings write in place of a password: where it is kept, its type, and marks that hide it. */
const isExpression = new RegExp(
  `^(?:${[
    String.raw`[*•x.]+$|[\p{L}_-]+:{1,2}$|\$\{|\$\(|\$[A-Z_]+$|\{\{|%[({]|(?:string|varchar|undefined|nullable|optional)\b[^\p{L}\d]*$`,
    String.raw`(?:process\.env|os\.environ|env|config|settings|self|this|req|request|var|local|secrets?|args|options|props|params|ctx|user|credentials|form|body|input)[.[]`,
    String.raw`[\p{L}_$][\p{L}\d_$]*(?:\.[\p{L}\d_$]+)*\((?:[\p{L}\d_$.]*\)+)?$`,
  ].join('|')})`,
  'u',
)
/** What stands before the word for a password in names of programs: `dbPassword`. */
const part =
  '(?<=(?<![\\p{L}\\p{N}])(?:user|db|database|admin|root|smtp|mail|ldap|bind|login|new|old|ftp|ssh|proxy|keystore|truststore|master|default|initial))'
/** What is said of a password and is none. */
const state = `(?:${[
  'incorrect|invalid|required|expired|mandatory|missing|wrong|correct|changed|updated|hidden|stored|unknown|protected|encrypted|accepted|rejected',
  'abgelaufen|falsch|ungültig|erforderlich|richtig|korrekt|vergessen|geändert|gesperrt|unbekannt|geschützt|notwendig',
  'incorrecta|incorrecto|errónea|inválida|obligatoria|correcta|caducada|incorreta|obrigatória|expirou|errada',
  'invalide|obligatoire|expiré|périmé|erroné|correcte?|errato|scaduta|obbligatoria|sbagliata|corretta|onjuist|verlopen|verplicht|vereist|gewijzigd',
  'nieprawidłowe|niepoprawne|wymagane|wygasło|błędne|nesprávné|neplatné|povinné|špatné|felaktigt|obligatoriskt|ogiltigt|hemligt|ändrat|utgånget|påkrævet|ugyldig|forkert',
].join('|')})`

export const secrets: Recogniser[] = [
  secret(
    'aws.key-id',
    /(?<![\p{L}\p{N}])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z2-7]{16}(?![\p{L}\p{N}])/gu,
    'AWS IAM, unique identifiers',
    {
      needs: /A[KSGIRN][IPDO]A/,
    },
  ),
  secret(
    'aws.secret',
    /(?<![\p{L}\p{N}/+=])[A-Za-z0-9/+]{40}(?![\p{L}\p{N}/+=])/gu,
    'AWS IAM, secret access keys: 40 characters of base64',
    { score: 0.1, near: 0.9, context: ['aws', 'secret', 'secret access key', 'aws_secret_access_key', 'secretkey'] },
  ),
  secret(
    'github.token',
    /(?<![\p{L}\p{N}])gh[pousr]_[A-Za-z0-9]{36}(?![\p{L}\p{N}])/gu,
    'GitHub token format, CRC-32',
    {
      valid: github,
      checksum: true,
      score: 0.99,
      needs: /gh[pousr]_/,
    },
  ),
  secret(
    'token.shape',
    /(?<![\p{L}\p{N}])(?:gh[pousr]|npm)_[A-Za-z0-9]{36}(?![\p{L}\p{N}])/gu,
    'token formats of GitHub and npm, whatever their last six characters: one may be mistyped, or of another service',
    { score: 0.7, needs: /(?:gh[pousr]|npm)_/ },
  ),
  secret(
    'github.fine-grained',
    /(?<![\p{L}\p{N}])github_pat_[A-Za-z0-9_]{82}(?![\p{L}\p{N}_])/gu,
    'GitHub token format',
    {
      needs: /github_pat_/,
    },
  ),
  secret('gitlab.token', /(?<![\p{L}\p{N}])glpat-[A-Za-z0-9_-]{20,60}(?![\p{L}\p{N}_-])/gu, 'GitLab token prefixes', {
    needs: /glpat-/,
  }),
  secret('slack.token', /(?<![\p{L}\p{N}])xox[abeoprs]-[A-Za-z0-9-]{10,250}(?![\p{L}\p{N}-])/gu, 'Slack token types', {
    needs: /xox/,
  }),
  secret(
    'slack.hook',
    /hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{24}/gu,
    'Slack incoming webhooks',
    {
      needs: /hooks\.slack/,
    },
  ),
  secret(
    'stripe.key',
    /(?<![\p{L}\p{N}])[a-z]{2,5}_(?:live|test|prod)_(?:(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{10,247}|(?=[a-z]{0,40}[A-Z])[A-Za-z0-9]{16,247})(?![\p{L}\p{N}])/gu,
    'keys of Stripe, and of others made alike',
    {
      needs: /_(?:live|test|prod)_/,
    },
  ),
  secret('google.key', /(?<![\p{L}\p{N}])AIza[A-Za-z0-9_-]{35}(?![\p{L}\p{N}_-])/gu, 'Google API keys', {
    needs: /AIza/,
  }),
  secret(
    'openai.key',
    /(?<![\p{L}\p{N}])sk-(?:proj-|ant-|svcacct-)?[A-Za-z0-9_-]{20,200}(?![\p{L}\p{N}_-])/gu,
    'keys that begin with sk-',
    {
      needs: /sk-/,
    },
  ),
  secret('npm.token', /(?<![\p{L}\p{N}])npm_[A-Za-z0-9]{36}(?![\p{L}\p{N}])/gu, 'npm token format, CRC-32', {
    valid: github,
    checksum: true,
    score: 0.99,
    needs: /npm_/,
  }),
  secret(
    'sendgrid.key',
    /(?<![\p{L}\p{N}])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![\p{L}\p{N}_-])/gu,
    'SendGrid API keys',
    {
      needs: /SG\./,
    },
  ),
  secret(
    'jwt',
    /(?<![\p{L}\p{N}_.-])eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{2,8000}\.[A-Za-z0-9_-]{0,2000}/gu,
    'RFC 7519',
    {
      valid: jwt,
      needs: /eyJ/,
    },
  ),
  secret(
    'private-key',
    /-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY-----[A-Za-z0-9+/=\s:,-]{1,20000}?-----END (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY-----/gu,
    'RFC 7468',
    { score: 0.99, needs: /PRIVATE KEY/ },
  ),
  secret(
    'secret.labelled',
    new RegExp(
      String.raw`(?:(?<![\p{L}\p{N}]|pam_\w{1,20}\()|${part})(?:password|passwd|passphrase|pwd|api[_ -]?key|apikey|secret|client[_ -]?secret|access[_ -]?token|auth[_ -]?token|bearer|contraseña|passwort|kennwort|lösenord(?:et)?|passord(?:et)?|adgangskoden?|kodeord(?:et)?|senha|palavra-passe|mot de passe|mdp|wachtwoord|hasło|heslo|clave|chiave segreta|parola d['’]ordine|passcode|access[_ -]?key)["']?(?:\s{0,2}|[ \t]{3,24}(?==))(?:${said}|[:=]>?|->|→)\s{0,2}["']?(?!(?<!["'])${state}(?![\p{L}\p{N}]))(?<value>[^\s"',;<>]{6,200})`,
      'giu',
    ),
    'a value named as a secret',
    { score: 0.7, valid: text => !isFolder.test(text) && !isExpression.test(text) },
  ),
  secret(
    'secret.statement',
    /(?<![\p{L}\p{N}])(?:identified (?:with \S{1,40} )?(?:by|as)(?: password)?|(?:with|encrypted|login) password|password\s{0,9}=)\s{1,9}[NE]?'(?<value>[^'\n]{3,200})'/giu,
    'SQL, what makes and changes users: MySQL, Oracle, PostgreSQL, SQL Server',
    { score: 0.75, valid: text => !isExpression.test(text), needs: /identified|password/i },
  ),
  secret(
    'secret.directory',
    /(?<![\p{L}\p{N}])(?:userPassword|unicodePwd|sambaNTPassword|sambaLMPassword|krbPrincipalKey)::? {0,2}(?<value>\S{4,400})/giu,
    'LDIF, RFC 2849: passwords and what they are kept as, also in base64',
    { score: 0.8, needs: /pass|pwd|krb/i },
  ),
  secret(
    'secret.for-something',
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:password|passwort|kennwort|contraseña|clave|senha|palavra-passe|mot de passe|mdp|wachtwoord|hasło|heslo|lösenord(?:et)?) (?:for|für|fürs|vom|zum|del?|para|pour|d[iaou]|della|voor|van|do|na|k|pro|till|til) (?:[\p{L}\d-]{1,14} ){0,2}[\p{L}\d-]{1,14}(?: ?[:=]| ${said}) {0,2}["']?(?!(?<!["'])${state}(?![\p{L}\p{N}]))(?<value>[^\s"',;<>]{5,60})(?<!\.)(?=["']?[.,;!?]{0,2}(?:$|[\n\r]| \())`,
      'giu',
    ),
    'a single word at the end of a line behind what a password is for',
    { score: 0.65, valid: text => !isFolder.test(text) },
  ),
  secret(
    'secret.said',
    /(?<![\p{L}\p{N}])(?:password|passphrase|passcode|contraseña|clave|passwort|kennwort|senha|mot de passe|mdp|wachtwoord|hasło|heslo|lösenord) (?<value>(?=\S{0,60}\d)[^\s"',;<>()]{8,60})(?<![.!?:])(?=[.!?:,;"')]{0,3}(?:\s|$))/giu,
    'what stands behind the word for a password: with letters, a digit, and a mark or capitals among small letters',
    { score: 0.7, valid: text => /\p{L}/u.test(text) && (/[!@#$%^&*+=?~]/.test(text) || /\p{Ll}.*\p{Lu}/u.test(text)) },
  ),
  secret(
    'secret.of-something',
    /(?<![\p{L}\p{N}])(?:password|passphrase|passcode|pass|pw|contraseña|clave|passwort|kennwort|senha|palavra-passe|mot de passe|mdp|wachtwoord|hasło|heslo|lösenord|parola)(?: (?:\p{L}{1,6} ){0,2}(?:wi-?fi|wlan|router|laptop|pc|e-?mail|netz\p{L}{0,5}|account|konto))?\s{0,2}(?:is|ist|lautet|es|è|é|est|to|je|är|:|=|=>)\s{0,2}["']?(?<value>[^\s"',;<>]{6,200})(?<![.!?])/giu,
    'a value named as the secret of a network or a device: with a digit or a mark in it',
    { score: 0.7, valid: text => /[\d_!@#$%^&*+=-]/.test(text.slice(1)) && !isExpression.test(text) },
  ),
  secret(
    'secret.wifi',
    /(?<![\p{L}\p{N}])(?:wi-?fi|wlan)[ -]{0,2}(?:password|passwort|kennwort|pw|pass|key|code|wachtwoord|lösenord|heslo)\s{0,2}(?:is|ist|lautet|je|är|:|=)\s{0,2}["']?(?<value>[^\s"',;<>]{6,200})(?<![.!?])/giu,
    'a value named as the secret of a network',
    { score: 0.7, needs: /wi-?fi|wlan/i },
  ),
  secret(
    'secret.session',
    /(?<![\p{L}\p{N}])(?:j?session[_-]?id|phpsessid|sid|session|csrf|xsrf|csrf[_-]?token|xsrf[_-]?token|refresh[_-]?token|id[_-]?token|token)["']?\s{0,2}[:=]\s{0,2}["']?(?<value>(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,400})(?![\p{L}\p{N}])/giu,
    'what programs call sessions and tokens, with a long value',
    { score: 0.8, needs: /sid|session|token|csrf|xsrf|sess/i },
  ),
  secret(
    'secret.code',
    /(?<![\p{L}\p{N}])(?:pin(?:[ -]?code|[ -]?nummer)?(?: (?:de[lr]?|della|du|da|für|for|til|till|do|voor)(?: \p{L}{2,10}){1,2})?|portkod|türcode|door code|gate code|alarm code|code de la porte|digicode|c[óo]digo de acceso|kod do drzwi|kod do bramy|toegangscode|pincode|c[óo]digo del? (?:la )?(?:portal|puerta|portão|garaje|alarma)|code (?:d['’]accès|du (?:bâtiment|portail|portillon))|codice (?:del )?(?:portone|cancello|citofono)|voucher code|gutscheincode|gutschein code)\s{0,2}(?:is|ist|lautet|es|è|é|est|är|er|to|je|jest|:|=)?\s{0,2}(?<value>[#*]?(?=[A-Z-]{0,12}\d)[A-Z0-9][A-Z0-9-]{2,22}[A-Z0-9][#*]?)(?![\p{L}\p{N}])/giu,
    'codes of doors, cards and vouchers, by what they are called',
    { score: 0.65, needs: /\d/ },
  ),
  secret(
    'bearer',
    /(?<![\p{L}\p{N}])(?:[Bb]earer|Basic) (?<value>(?=[A-Za-z._~+/-]{0,40}\d)[A-Za-z0-9._~+/-]{12,4000}={0,2})(?![\p{L}\p{N}])/gu,
    'RFC 6750 section 2.1 and RFC 7617',
    { score: 0.9, needs: /[Bb]earer|Basic/ },
  ),
  secret(
    'url.credentials',
    /:\/\/(?<value>[^\s:/@?#]{1,100}:[^\s/@?#]{1,200})@/gu,
    'RFC 3986 section 3.2.1, user information',
    {
      needs: /:\/\//,
    },
  ),
]
