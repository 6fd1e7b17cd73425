import { describe, expect, test } from 'vitest'
import { allows, policiesOf, type Statement } from '../../local/iam.ts'
import type { Template } from '../../local/template.ts'

const statements: Statement[] = [
  {
    Effect: 'Allow' as const,
    Action: ['dynamodb:GetItem', 'dynamodb:Batch*'],
    Resource: ['arn:t/Rules', 'arn:t/Rules/index/*'],
  },
  { Effect: 'Allow', Action: 's3:*Object', Resource: 'arn:aws:s3:::uploads/*' },
  {
    Effect: 'Allow' as const,
    Action: 'kms:Decrypt',
    Resource: 'arn:key',
    Condition: { Null: { 'kms:EncryptionContext:sourceId': 'false' } },
  },
  {
    Effect: 'Allow' as const,
    Action: 'kms:Encrypt',
    Resource: 'arn:key',
    Condition: { StringEquals: { 'kms:ViaService': ['s3', 'sqs'] } },
  },
  {
    Effect: 'Allow' as const,
    Action: 'sqs:SendMessage',
    Resource: 'arn:queue-?',
    Condition: { StringLike: { 'x:y': 'a*' } },
  },
  { Effect: 'Deny', Action: 's3:DeleteObject', Resource: '*' },
]

describe('a role', () => {
  test.each([
    ['a named action on a named resource', 'dynamodb', 'GetItem', 'arn:t/Rules', {}, true],
    ['the case of an action', 'dynamodb', 'getitem', 'arn:t/Rules', {}, true],
    ['a wildcard in the action', 'dynamodb', 'BatchWriteItem', 'arn:t/Rules', {}, true],
    ['a wildcard in the resource', 'dynamodb', 'GetItem', 'arn:t/Rules/index/owner', {}, true],
    ['another action', 'dynamodb', 'PutItem', 'arn:t/Rules', {}, false],
    ['another resource', 'dynamodb', 'GetItem', 'arn:t/Users', {}, false],
    ['a resource that only begins alike', 'dynamodb', 'GetItem', 'arn:t/Rules2', {}, false],
    ['another service', 's3', 'GetItem', 'arn:t/Rules', {}, false],
    ['an object of the bucket', 's3', 'PutObject', 'arn:aws:s3:::uploads/a/b', {}, true],
    ['the bucket itself', 's3', 'ListBucket', 'arn:aws:s3:::uploads', {}, false],
    ['what another statement denies', 's3', 'DeleteObject', 'arn:aws:s3:::uploads/a', {}, false],
    ['a key with its context', 'kms', 'Decrypt', 'arn:key', { 'kms:EncryptionContext:sourceId': '1' }, true],
    ['a key without its context', 'kms', 'Decrypt', 'arn:key', {}, false],
    ['a key by way of a service', 'kms', 'Encrypt', 'arn:key', { 'kms:ViaService': 'sqs' }, true],
    ['a key by way of another', 'kms', 'Encrypt', 'arn:key', { 'kms:ViaService': 'x' }, false],
    ['a pattern that fits', 'sqs', 'SendMessage', 'arn:queue-1', { 'x:y': 'abc' }, true],
    ['a pattern that does not', 'sqs', 'SendMessage', 'arn:queue-1', { 'x:y': 'b' }, false],
    ['one character where there are two', 'sqs', 'SendMessage', 'arn:queue-12', { 'x:y': 'a' }, false],
  ] as const)('decides on %s', (_, service, action, resource, conditions, allowed) => {
    expect(allows(statements, { service, action, resource, conditions })).toBe(allowed)
  })

  test('with a condition that is unknown here is refused as a whole', () => {
    const Policies = [{ PolicyDocument: { Statement: [{ Effect: 'Allow', Condition: { IpAddress: {} } }] } }]
    const template: Template = {
      Resources: {
        Role: { Type: 'AWS::IAM::Role', Properties: { Policies } },
        Function: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
      },
    }
    expect(() => policiesOf(template, new Map())).toThrow('IpAddress')
  })
})
