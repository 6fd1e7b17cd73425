import { describe, expect, test } from 'vitest'
import { type Physical, refuseUnknownTypes, resolve } from '../../local/template.ts'

const physical = new Map<string, Physical>([['Table', { ref: 'table-1', attributes: { Arn: 'arn:table-1' } }]])

describe('references of a template', () => {
  test.each([
    ['a plain value', { a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }],
    ['Ref', { Ref: 'Table' }, 'table-1'],
    ['Ref of AWS', [{ Ref: 'AWS::Region' }, { Ref: 'AWS::Partition' }], ['us-east-1', 'aws']],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:table-1'],
    ['Fn::Join', { 'Fn::Join': ['/', [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'index', 1]] }, 'arn:table-1/index/1'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a template
    ['Fn::Sub', { 'Fn::Sub': '${Table}|${Table.Arn}|${AWS::Region}' }, 'table-1|arn:table-1|us-east-1'],
    ['an object that has Ref among others', { Ref: 'Table', x: 1 }, { Ref: 'Table', x: 1 }],
  ])('%s', (_, value, expected) => {
    expect(resolve(value, physical)).toEqual(expected)
  })

  test.each([
    ['to what does not exist', { Ref: 'Nothing' }],
    ['to an attribute that does not exist', { 'Fn::GetAtt': ['Table', 'Nothing'] }],
    ['by a function that is unknown here', { 'Fn::ImportValue': 'x' }],
  ])('%s are an error', (_, value) => {
    expect(() => resolve(value, physical)).toThrow()
  })
})

test('a type that is unknown here is an error', () => {
  const Resources = {
    Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
    Topic: { Type: 'AWS::SNS::Topic', Properties: {} },
  }
  expect(() => refuseUnknownTypes({ Resources })).toThrow('Topic (AWS::SNS::Topic)')
})
