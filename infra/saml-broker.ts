import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import * as cognito from 'aws-cdk-lib/aws-cognito'
import type { Construct } from 'constructs'
import * as z from 'zod'
import { IdentityProvider } from '../shared/api/identity.ts'

/** Where Cognito keeps the attribute that names somebody's group. */
const GROUP = 'group'

const attribute = z.string().min(1).max(255)

/**
 * A provider that speaks SAML, as the operator configures it: what any provider has, but for what the broker makes up, its
 * metadata, and what attributes of its assertions are called.
 */
export const SamlProvider = IdentityProvider.omit({
  issuer: true,
  clientId: true,
  scopes: true,
  groupsClaim: true,
  verifiedClaim: true,
  multiFactor: true,
}).extend({
  metadataUrl: z
    .url({ protocol: /^https$/ })
    .max(2048)
    .describe('Where the provider publishes its metadata'),
  attributes: z
    .strictObject({
      email: attribute,
      emailVerified: attribute.describe('Must be `true` for an address that is verified'),
      name: attribute.optional(),
      group: attribute.optional().describe('One group or role; a list of several fits no group'),
    })
    .describe('Attributes of assertions'),
})
export type SamlProvider = z.infer<typeof SamlProvider>

/** What the broker is to the rest of the service: a provider that speaks OpenID Connect. */
export function brokered(saml: SamlProvider, issuer: string, clientId: string): z.input<typeof IdentityProvider> {
  const { metadataUrl: _, attributes: __, ...provider } = saml
  return { ...provider, issuer, clientId, groupsClaim: `custom:${GROUP}` }
}

/** Texts of the length that issuers and ids of clients have, for what is checked before there are any. */
export const EXAMPLE_ISSUER = 'https://cognito-idp.ap-southeast-1.amazonaws.com/ap-southeast-1_123456789'
export const EXAMPLE_CLIENT = '1234567890abcdefghijklmnop'

type Options = { saml: SamlProvider; domainName: string; removalPolicy: 'retain' | 'destroy' }

/**
 * A Cognito user pool that takes SAML and speaks OpenID Connect, so that the service reads no SAML itself. Nobody has a
 * password in it: its only client takes people of the provider and nobody else. Gives the provider that the service is
 * told of.
 */
export function createSamlBroker(scope: Construct, options: Options): z.input<typeof IdentityProvider> {
  const { saml, domainName } = options
  const pool = createPool(scope, options)
  const provider = new cognito.UserPoolIdentityProviderSaml(scope, 'SamlProvider', {
    userPool: pool,
    name: 'saml',
    metadata: cognito.UserPoolIdentityProviderSamlMetadata.url(saml.metadataUrl),
    // An assertion that nobody asked for could log people in as somebody else.
    idpInitiated: false,
    attributeMapping: mapping(saml),
  })
  const client = pool.addClient('Client', {
    supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.custom(provider.providerName)],
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [cognito.OAuthScope.OPENID, cognito.OAuthScope.EMAIL, cognito.OAuthScope.PROFILE],
      callbackUrls: [`https://${domainName}/api/identity/providers/${saml.name}/callback`],
    },
    authFlows: {},
    generateSecret: false,
    idTokenValidity: Duration.minutes(5),
    accessTokenValidity: Duration.minutes(5),
    refreshTokenValidity: Duration.hours(1),
  })
  client.node.addDependency(provider)
  const { account, region, urlSuffix, stackName } = Stack.of(scope)
  // Unique among all accounts of a region.
  const domainPrefix = `${stackName.toLowerCase()}-${account}`
  pool.addDomain('Domain', { cognitoDomain: { domainPrefix } })
  new CfnOutput(scope, 'SamlReplyUrl', {
    description: 'Where the SAML provider sends its assertions',
    value: `https://${domainPrefix}.auth.${region}.amazoncognito.com/saml2/idpresponse`,
  })
  new CfnOutput(scope, 'SamlAudience', {
    description: 'Who the assertions are for, the entity id of the service',
    value: `urn:amazon:cognito:sp:${pool.userPoolId}`,
  })
  return brokered(saml, `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`, client.userPoolClientId)
}

const createPool = (scope: Construct, { removalPolicy }: Options): cognito.UserPool =>
  new cognito.UserPool(scope, 'SamlBroker', {
    selfSignUpEnabled: false,
    standardAttributes: { email: { required: true, mutable: true } },
    customAttributes: { [GROUP]: new cognito.StringAttribute({ mutable: true }) },
    accountRecovery: cognito.AccountRecovery.NONE,
    passwordPolicy: {
      minLength: 32,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
    mfa: cognito.Mfa.REQUIRED,
    mfaSecondFactor: { otp: true, sms: false },
    deletionProtection: removalPolicy === 'retain',
    removalPolicy: removalPolicy === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  })

function mapping({ attributes: { email, emailVerified, name, group } }: SamlProvider): cognito.AttributeMapping {
  const from = cognito.ProviderAttribute.other
  return {
    email: from(email),
    emailVerified: from(emailVerified),
    ...(name && { fullname: from(name) }),
    ...(group && { custom: { [`custom:${GROUP}`]: from(group) } }),
  }
}
