import { readFileSync } from 'node:fs'
import { App } from 'aws-cdk-lib'
import { Match, type Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../infra/config.ts'
import { IdentityProviders } from '../../shared/api/identity.ts'
import { samlContext, synthesise } from './synth.ts'

const { samlProvider } = samlContext

/** What a function is told of providers, with other texts in place of what only the deployment knows. */
function providersOf(template: Template, name: string) {
  const [resource] = Object.values(
    template.findResources('AWS::Lambda::Function', { Properties: { FunctionName: `Anonymisation-${name}` } }),
  )
  const setting = resource!.Properties.Environment.Variables.IDENTITY_PROVIDERS
  if (setting === undefined) return undefined
  const known: Record<string, string> = { 'AWS::Region': 'eu-central-1', 'AWS::URLSuffix': 'amazonaws.com' }
  const parts = setting['Fn::Join'][1] as (string | { Ref: string })[]
  const text = parts.map(part => (typeof part === 'string' ? part : (known[part.Ref] ?? part.Ref))).join('')
  return IdentityProviders.parse(text)
}

describe('a SAML provider behind a broker', () => {
  const template = synthesise(samlContext)

  test('is absent unless it is configured', () => {
    synthesise().resourceCountIs('AWS::Cognito::UserPool', 0)
    template.resourceCountIs('AWS::Cognito::UserPool', 1)
  })

  test('is a provider that speaks OpenID Connect to the functions that log people in, and to no others', () => {
    const [told] = providersOf(template, 'identity-start')!
    expect(told).toMatchObject({
      name: 'acme',
      domains: ['acme.example'],
      provision: 'create',
      roles: samlProvider.roles,
      groupsClaim: 'custom:group',
      verifiedClaim: 'email_verified',
      issuer: expect.stringMatching(/^https:\/\/cognito-idp\.eu-central-1\.amazonaws\.com\/SamlBroker/),
      clientId: expect.stringMatching(/^SamlBrokerClient/),
    })
    expect(told).not.toHaveProperty('metadataUrl')
    expect(providersOf(template, 'identity-callback')).toEqual([told])
    expect(providersOf(template, 'rules-list')).toBeUndefined()
  })

  test('stands beside providers of OpenID Connect', () => {
    const other = {
      name: 'other',
      title: 'Other',
      issuer: 'https://other.example',
      clientId: 'c',
      domains: ['o.example'],
    }
    const all = providersOf(synthesise({ ...samlContext, identityProviders: [other] }), 'identity-providers')!
    expect(all.map(({ name }) => name)).toEqual(['other', 'acme'])
  })

  test('is the only way into the pool, by codes that come back to the service', () => {
    template.hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      DeletionProtection: 'ACTIVE',
    })
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      CallbackURLs: ['https://api.example.org/api/identity/providers/acme/callback'],
      SupportedIdentityProviders: [{ Ref: Match.stringLikeRegexp('^SamlProvider') }],
      GenerateSecret: false,
    })
    template.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', {
      ProviderType: 'SAML',
      ProviderDetails: { MetadataURL: samlProvider.metadataUrl, IDPInit: false },
      AttributeMapping: { email: 'mail', email_verified: 'mailVerified', name: 'displayName', 'custom:group': 'role' },
    })
  })

  test('goes with the stack where the stack is to leave nothing', () => {
    synthesise({ ...samlContext, removalPolicy: 'destroy' }).hasResource('AWS::Cognito::UserPool', {
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtection: 'INACTIVE' },
    })
  })
})

describe('the configuration of a SAML provider', () => {
  const read = (context: Record<string, unknown>) => readConfig(new App({ context }).node)

  test('is taken as the guide shows it', () => {
    const shown = /<!-- saml -->\n```json\n([\s\S]*?)```/.exec(readFileSync('docs/single-sign-on.md', 'utf8'))![1]!
    expect(JSON.parse(shown)).toEqual(samlProvider)
  })

  test('is taken as JSON from a command line', () => {
    expect(read({ ...samlContext, samlProvider: JSON.stringify(samlProvider) }).samlProvider).toEqual(
      read(samlContext).samlProvider,
    )
  })

  test.each([
    ['metadata without encryption', { metadataUrl: 'http://login.acme.example/metadata.xml' }, /samlProvider/],
    ['no attribute for the e-mail address', { attributes: { emailVerified: 'x' } }, /samlProvider/],
    ['no attribute that says whether the address is verified', { attributes: { email: 'mail' } }, /samlProvider/],
    ['a field that only OpenID Connect has', { issuer: 'https://login.acme.example' }, /samlProvider/],
    ['more than the functions can be told', { title: 'A'.repeat(190), domains: many(40) }, /samlProvider.*characters/],
  ])('is refused with %s', (_, change, message) => {
    expect(() => read({ ...samlContext, samlProvider: { ...samlProvider, ...change } })).toThrow(message)
  })

  test('is refused where it is no JSON, without a domain name, and under the name of another provider', () => {
    expect(() => read({ ...samlContext, samlProvider: 'acme' })).toThrow(/samlProvider/)
    expect(() => read({ samlProvider })).toThrow(/samlProvider needs domainName/)
    const other = {
      name: 'acme',
      title: 'Other',
      issuer: 'https://other.example',
      clientId: 'c',
      domains: ['o.example'],
    }
    expect(() => read({ ...samlContext, identityProviders: [other] })).toThrow(/same name/)
  })
})

function many(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `a-long-name-of-a-department-${n}.acme.example`)
}
