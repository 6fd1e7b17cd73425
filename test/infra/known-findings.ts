import { expectedFunctions } from '../../infra/bundle.ts'
import { pascal } from '../../infra/data.ts'
import { grantFor } from '../../infra/grants.ts'

/** The functions that the operator may put into subnets, by the beginnings of their logical ids. */
const connecting = [...expectedFunctions().keys()].filter(name => grantFor(name).connects).map(pascal)

type Finding = { id: string; reason: string; at?: RegExp }

/** The findings of cfn-lint that stand. `at`: the resources, by their logical ids, on which they may be found. */
export const ofCfnLint: Finding[] = [
  {
    id: 'W3005',
    reason: 'The CDK says of every function that it depends on its role, though the function names it anyway.',
  },
]

/** The findings of checkov that stand. `at`: the resources, by type and logical id, on which they may be found. */
export const ofCheckov: Finding[] = [
  {
    id: 'CKV_AWS_111',
    at: new RegExp(`^AWS::IAM::Role\\.(${connecting.join('|')})Role`),
    reason: 'A function in a subnet makes network interfaces, which have no name before they exist.',
  },
  {
    id: 'CKV_AWS_115',
    at: /^AWS::Lambda::Function\./,
    reason:
      'Concurrency that is set apart is taken from all other functions of an account: reserveConcurrency=true does it for the pipeline.',
  },
  {
    id: 'CKV_AWS_116',
    at: /^AWS::Lambda::Function\./,
    reason:
      'Nothing invokes a function asynchronously but the schedule, whose next turn does what the last one missed.',
  },
  {
    id: 'CKV_AWS_117',
    at: /^AWS::Lambda::Function\./,
    reason:
      'Functions reach services of AWS only, by their roles; vpcSubnetIds puts those into a network that reach sources.',
  },
  {
    id: 'CKV_AWS_120',
    at: /^AWS::ApiGateway::Stage\./,
    reason: 'Answers belong to one user each, and must not be kept outside of the encrypted tables and buckets.',
  },
  {
    id: 'CKV_AWS_173',
    at: /^AWS::Lambda::Function\./,
    reason:
      'Settings of functions are names of resources and limits, no secrets; Lambda encrypts them with its own key.',
  },
  {
    id: 'CKV_AWS_18',
    at: /^AWS::S3::Bucket\./,
    reason:
      'Access logs would keep whole presigned URLs, with names of files; data events of CloudTrail tell who read what.',
  },
  {
    id: 'CKV_AWS_21',
    at: /^AWS::S3::Bucket\./,
    reason: 'Earlier versions would keep what was deleted, which the service promises is gone.',
  },
  {
    id: 'CKV_AWS_7',
    at: /^AWS::KMS::Key\.KeyHash$/,
    reason: 'KMS does not rotate keys for HMAC, and the same value must have the same hash for good.',
  },
]
