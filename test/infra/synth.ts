import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { inject } from 'vitest'
import { expectedFunctions } from '../../infra/bundle.ts'
import type { Grant } from '../../infra/grant.ts'
import { AnonymisationStack } from '../../infra/stack.ts'
import type { DeclaredEndpoint } from '../../shared/api/index.ts'

/** Endpoints beside those of the contract, and what the functions of all of them may do. */
export type More = { endpoints: readonly DeclaredEndpoint[]; grantFor: (name: string) => Grant }

/** The stack, in an app of its own, with every function that the service consists of, whatever its code. */
export function createStack(context: Record<string, unknown> = {}, more?: More): AnonymisationStack {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  const code = join(directory, 'code')
  mkdirSync(code)
  writeFileSync(join(code, 'index.js'), 'exports.handler = () => {}')
  const names = [
    ...expectedFunctions().keys(),
    ...(more?.endpoints ?? []).map(({ resource, operation }) => `${resource}.${operation}`),
  ]
  const bundles = new Map(names.map(name => [name, code]))
  // What is deployed is validated by `npm run synth`, and by the linters of templates with all additions.
  const app = new App({ context, outdir: join(directory, 'cdk.out'), builtinCloudFormationValidation: false })
  return new AnonymisationStack(app, 'Anonymisation', { bundles, ...more })
}

/** The template of that stack, synthesised once in a run for each context. */
export function synthesise(context: Record<string, unknown> = {}): Template {
  const name = createHash('sha256').update(JSON.stringify(context)).digest('hex')
  const file = join(inject('runFolder'), `${name}.json`)
  if (existsSync(file)) return Template.fromJSON(JSON.parse(readFileSync(file, 'utf8')))
  const template = Template.fromStack(createStack(context))
  // Another file of tests may be writing the same one.
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, JSON.stringify(template.toJSON()))
  renameSync(unfinished, file)
  return template
}

/** A SAML provider, and what else it asks for, as an operator configures them. */
export const samlContext = {
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
  samlProvider: {
    name: 'acme',
    title: 'Acme',
    metadataUrl: 'https://login.acme.example/metadata.xml',
    domains: ['acme.example'],
    provision: 'create',
    roles: [{ group: 'anonymisation-admins', role: 'admin' }],
    attributes: { email: 'mail', emailVerified: 'mailVerified', name: 'displayName', group: 'role' },
  },
}

/** All that an operator may add to the stack. */
export const everyAddition = {
  ...samlContext,
  waf: true,
  eventBus: true,
  dropBuckets: 'inbox,drop-*',
  vpcSubnetIds: 'subnet-0123456789abcdef0',
  vpcSecurityGroupIds: 'sg-0123456789abcdef0',
  apiGatewayLogRole: false,
  corsOrigins: 'https://app.example.org',
}
