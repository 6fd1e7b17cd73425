import { describe, expect, test } from 'vitest'
import { IdentityProviders } from '../../shared/api/identity.ts'

const acme = {
  ...{ name: 'acme', title: 'Acme', issuer: 'https://login.acme.example/tenant', clientId: 'service' },
  domains: ['acme.example'],
}
const read = (value: unknown) => IdentityProviders.safeParse(JSON.stringify(value))

describe('the setting of identity providers', () => {
  test('is an empty list where nothing is set, and has a default for all that may be left out', () => {
    for (const nothing of [undefined, '', ' ']) expect(IdentityProviders.parse(nothing)).toEqual([])
    expect(read([acme]).data).toEqual([
      {
        ...acme,
        ...{ scopes: ['openid', 'email', 'profile'], provision: 'existing', role: 'user', roles: [] },
        ...{ groupsClaim: 'groups', verifiedClaim: 'email_verified', multiFactor: [] },
      },
    ])
  })

  test.each([
    'http://127.0.0.1:9000',
    'http://localhost:9000/a',
    'http://[::1]:9000',
    'https://login.acme.example',
    'https://login.acme.example/',
  ])('takes the issuer %s', issuer => {
    expect(read([{ ...acme, issuer }]).success).toBe(true)
  })

  test.each<[string, unknown]>([
    ['one that is not in a list', acme],
    ['an issuer without TLS on another machine', [{ ...acme, issuer: 'http://login.acme.example' }]],
    ['an issuer that only begins like this machine', [{ ...acme, issuer: 'http://localhost.evil.example' }]],
    ['an issuer with a query', [{ ...acme, issuer: 'https://login.acme.example?tenant=1' }]],
    ['an issuer with a fragment', [{ ...acme, issuer: 'https://login.acme.example#a' }]],
    ['an issuer with a log-in', [{ ...acme, issuer: 'https://a:b@login.acme.example' }]],
    ['an issuer that is a file', [{ ...acme, issuer: 'file:///etc/passwd' }]],
    ['an issuer that is no address', [{ ...acme, issuer: 'acme' }]],
    ['a name with a slash', [{ ...acme, name: 'a/b' }]],
    ['a name in capitals', [{ ...acme, name: 'Acme' }]],
    ['no domains', [{ ...acme, domains: [] }]],
    ['a domain in capitals', [{ ...acme, domains: ['Acme.example'] }]],
    ['every domain', [{ ...acme, domains: ['*'] }]],
    ['a secret', [{ ...acme, clientSecret: 'not here' }]],
    ['an unknown way to get users', [{ ...acme, provision: 'link' }]],
    ['a group without a role', [{ ...acme, roles: [{ group: 'admins' }] }]],
    ['two of one name', [acme, { ...acme, issuer: 'https://other.example' }]],
    ['two of one issuer', [acme, { ...acme, name: 'other' }]],
    ['more than a function is told', [{ ...acme, scopes: Array.from({ length: 100 }, () => 'a'.repeat(20)) }]],
  ])('refuses %s', (_, value) => {
    expect(read(value).success).toBe(false)
  })

  test('refuses what is no JSON', () => {
    expect(IdentityProviders.safeParse('acme').error!.issues[0]!.message).toBe('must be a JSON array of providers')
  })
})
