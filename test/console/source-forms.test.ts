import { describe, expect, test } from 'vitest'
import { de } from '../../console/i18n/de.ts'
import { en } from '../../console/i18n/en.ts'
import { configOf, formOf, type Settings, settingsOf } from '../../console/screens/settings.ts'
import { type SourceForm, sourceForms } from '../../shared/api/source-forms.ts'
import { type SourceKind, sourceKinds, splitSecrets } from '../../shared/api/source-kinds.ts'

const kinds = sourceForms()
const forms = Object.entries(kinds).flatMap(([kind, forms]) =>
  forms.map(form => ({ kind: kind as SourceKind, variant: Object.values(form.fixed)[0], form })),
)

const certificate = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----'
const key = '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----'
/** What somebody may write into a field; everything else takes a word. */
const written: Settings = {
  site_url: 'https://example.sharepoint.com/sites/records',
  client_email: 'service@example.org',
  subject: 'somebody@example.org',
  endpoint: 'https://store.example.org',
  port: '2200',
  host_key_fingerprints: ` SHA256:${'a'.repeat(43)} \n\n SHA256:${'b'.repeat(43)}\n`,
  schemas: 'public\nsales',
  allow_plaintext: 'true',
  private_key: key,
  client_key: key,
  ca_pem: certificate,
  'tls.mode': 'require',
  'tls.ca_pem': certificate,
  'tls.client_cert': certificate,
}
const whole = ({ fields }: SourceForm): Settings =>
  Object.fromEntries(fields.map(({ name }) => [name, written[name] ?? 'word']))
const required = ({ fields }: SourceForm): Settings =>
  Object.fromEntries(fields.flatMap(({ name, isRequired }) => (isRequired ? [[name, written[name] ?? 'word']] : [])))

describe.each(forms)('the form of a source: $kind $variant', ({ kind, form }) => {
  test('makes a config that the service takes, whole', () => {
    const config = configOf(form, whole(form))
    expect(sourceKinds[kind].config.parse(config)).toEqual(config)
  })

  test('makes one of no more than what must be given', () => {
    const settings = { ...required(form), ...('password' in whole(form) && { password: 'word' }) }
    expect(sourceKinds[kind].config.safeParse(configOf(form, settings)).error).toBeUndefined()
  })

  test('cannot do without any of what it says must be given', () => {
    for (const name of Object.keys(required(form)))
      expect([
        name,
        sourceKinds[kind].config.safeParse(configOf(form, { ...whole(form), [name]: '' })).success,
      ]).toEqual([name, false])
  })

  test('shows what is stored, and keeps secrets that are not entered again', () => {
    const { config } = splitSecrets(kind, configOf(form, whole(form)))
    const settings = settingsOf(config)
    expect(kinds[kind]![formOf(kinds[kind]!, settings)]).toBe(form)
    expect(configOf(form, settings)).toEqual(config)
    expect(sourceKinds[kind].changes.safeParse(config).error).toBeUndefined()
  })

  test('has words for all of it, in every language', () => {
    for (const { source: words } of [en, de]) {
      expect(Object.keys(words.kinds)).toContain(kind)
      for (const { name, options } of form.fields) {
        expect(Object.keys(words.fields)).toContain(name)
        for (const option of options) expect(Object.keys(words.variants)).toContain(option)
      }
      for (const variant of Object.values(form.fixed)) expect(Object.keys(words.variants)).toContain(variant)
    }
  })

  test('asks for secrets as such, and for nothing else', () => {
    const secret = form.fields.filter(({ isSecret }) => isSecret).map(({ name }) => name)
    const known: readonly string[] = sourceKinds[kind].secret
    expect(secret).toEqual(form.fields.map(({ name }) => name).filter(name => known.includes(name)))
  })
})
