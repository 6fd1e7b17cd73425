import { readFileSync } from 'node:fs'
import type { App } from 'aws-cdk-lib'
import { describe, expect, test } from 'vitest'
import { grantFor } from '../../infra/grants.ts'
import { type Physical, resolve, type Template } from '../../local/template.ts'
import { endpoints } from '../../shared/api/index.ts'
import { createStack, synthesise } from './synth.ts'

/** Every endpoint again, below a path and in an area of its own, until there are so many. */
function grown(wanted: number) {
  const copies = endpoints.slice(0, wanted - endpoints.length).map(row => ({
    ...row,
    resource: `more-${row.resource}`,
    path: `/more${row.path}`,
  }))
  return {
    endpoints: [...endpoints, ...copies],
    grantFor: (name: string) => grantFor(name.replace(/^more-/, '')),
  }
}

/** All that an operator may add to the stack. */
const everything = {
  waf: true,
  vpcSubnetIds: 'subnet-0123456789abcdef0',
  vpcSecurityGroupIds: 'sg-0123456789abcdef0',
  corsOrigins: 'https://app.example.org,https://other.example.org',
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
}

describe('with 155 endpoints and all that an operator may add, the stack', () => {
  const stack = createStack(everything, grown(155))
  const { templateFullPath } = (stack.node.root as App).synth().getStackByName('Anonymisation')
  const text = readFileSync(templateFullPath, 'utf8')
  const template = JSON.parse(text) as Template
  const resources = Object.entries(template.Resources)
  const ofType = (type: string) => resources.filter(([, { Type }]) => Type === type)

  test('has a function, with a role of its own, for each of them', () => {
    const roles = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role['Fn::GetAtt'][0])
    expect(new Set(roles).size).toBe(155 + 8)
    const { paths } = ofType('AWS::ApiGateway::RestApi')[0]![1].Properties.Body
    const methods = Object.values(paths as Record<string, object>).flatMap(operations => Object.keys(operations))
    expect(methods.filter(method => method !== 'options')).toHaveLength(155)
  })

  test('stays clear of the 500 resources and the 1 MB of a template', () => {
    expect(resources.length).toBeLessThan(480)
    expect(text.length).toBeLessThan(900_000)
  })

  test('stays clear of the 300 resources of a REST API', () => {
    const { paths } = ofType('AWS::ApiGateway::RestApi')[0]![1].Properties.Body
    const levels = Object.keys(paths).flatMap(path => {
      const parts = path.split('/')
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    })
    expect(new Set(levels).size).toBeLessThan(250)
  })

  test('has no role whose policies are longer than the 10,240 characters that IAM takes', () => {
    const physical = new Map(resources.map(([id, resource]) => [id, longest(id, resource)]))
    const lengths = ofType('AWS::IAM::Role').map(([id, { Properties }]): [string, number] => {
      const documents = (Properties.Policies ?? []).map(({ PolicyDocument }: { PolicyDocument: unknown }) =>
        resolve(PolicyDocument, physical),
      )
      return [id, documents.map((document: unknown) => JSON.stringify(document)).join('').length]
    })
    expect(lengths.filter(([, length]) => length === 0).map(([id]) => id)).toEqual(['ApiCloudWatchRole73EC6FC4'])
    expect(lengths.filter(([, length]) => length > 9000)).toEqual([])
  })
})

describe('the stack takes two resources for each endpoint and each area, and 106 besides', () => {
  const areas = new Set(endpoints.map(({ resource }) => resource)).size
  const most = (count: number) => 106 + 2 * areas + 2 * count

  test('as it is, with all that an operator may add', () => {
    expect(Object.keys(synthesise(everything).toJSON().Resources).length).toBeLessThanOrEqual(most(endpoints.length))
  })

  test('so with 130 endpoints it has fewer than 450', () => {
    expect(most(130)).toBeLessThan(450)
  })
})

/** A resource with the longest name and ARN that it can have. */
function longest(id: string, { Type, Properties }: Template['Resources'][string]): Physical {
  const ref = Type === 'AWS::Lambda::Function' ? Properties.FunctionName : `Anonymisation-${id}-`
  const attributes = { Arn: `arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:function:${ref.padEnd(64, 'x')}` }
  return { ref, attributes }
}
