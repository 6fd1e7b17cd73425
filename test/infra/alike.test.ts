import { expect, test } from 'vitest'
import { withoutCopies } from './alike.ts'

const role = (Description: string) => ({ Type: 'AWS::IAM::Role', Properties: { Description } })
const called = (FunctionName: string, Role: string, Timeout: number) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { FunctionName, Role: { 'Fn::GetAtt': [Role, 'Arn'] }, Timeout },
})

test('of resources that differ in names only, the first is left, and stands for the others where they are named', () => {
  const Resources = {
    RoleA: role('Runs a'),
    A: called('a', 'RoleA', 3),
    RoleB: role('Runs b'),
    B: called('b', 'RoleB', 3),
    C: called('c', 'RoleB', 900),
    Alarms: { Type: 'Alarms', Of: [{ Ref: 'A' }, { Ref: 'B' }, { Ref: 'C' }] },
  }
  expect(withoutCopies({ Resources })).toEqual({
    Resources: {
      RoleA: role('Runs a'),
      A: called('a', 'RoleA', 3),
      C: called('c', 'RoleA', 900),
      Alarms: { Type: 'Alarms', Of: [{ Ref: 'A' }, { Ref: 'A' }, { Ref: 'C' }] },
    },
  })
})
