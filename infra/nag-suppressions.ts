import { type Stack, Validations } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

type Acknowledged = { id: string; reason: string; at?: string }

const xray =
  'X-Ray and the detection of Comprehend know no resources; test/infra/roles.test.ts refuses any other wildcard.'
const objects = (bucket: string): Acknowledged => ({
  id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${bucket}.Arn>/*]`,
  reason: 'The keys of objects are made up as they come; the role names the bucket and the verbs that it needs.',
})

/** The findings of cdk-nag that stand, with the reason of each and where, if not everywhere, it may be found. */
export const acknowledged: Acknowledged[] = [
  {
    id: 'AwsSolutions::AwsSolutions-S1',
    reason:
      'Access logs would keep whole presigned URLs, with names of files, unencrypted by our key; data events of CloudTrail tell who read what without them.',
  },
  { id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]', reason: xray },
  { id: 'Serverless::Serverless-LambdaStarPermissions', reason: xray },
  ...['Uploads', 'Results', 'Models', 'Files', 'Lists', 'Transparency'].map(name => objects(`Bucket${name}`)),
  {
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    at: 'Api/CloudWatchRole',
    reason:
      'The role is one of the whole account, for which AWS made this policy; apiGatewayLogRole=false leaves it out.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG2',
    at: 'Api',
    reason: 'Functions check requests against the contract, and tell all that is wrong at once.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG3',
    at: 'Api/DeploymentStage.api',
    reason: 'AWS WAF costs money whether or not it is needed: waf=true puts it before the stage.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG6',
    at: 'Api/DeploymentStage.api',
    reason: 'The log of executions holds bodies, which are what the service protects; the access log stands in for it.',
  },
  {
    id: 'Serverless::Serverless-SQSRedrivePolicy',
    at: 'QueueDead',
    reason: 'It is the dead-letter queue itself.',
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason:
      'Nothing invokes a function asynchronously but the schedule, whose next turn does what the last one missed.',
  },
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'Sources that are queues have no such destination: messages that fail go to the dead-letter queue.',
  },
  {
    id: 'Serverless::Serverless-EventBusDLQ',
    at: 'Arrivals',
    reason: 'What is not heard of a bucket is made up for by the next run of the schedule that takes from it.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-COG8',
    at: 'SamlBroker',
    reason: 'The plus plan watches over passwords, of which the pool has none: everybody comes from the SAML provider.',
  },
]

/** Takes note of the acknowledged findings, for whoever runs cdk-nag over the stack; what is configured away has none. */
export function acknowledge(stack: Stack): void {
  for (const { id, reason, at = '' } of acknowledged) {
    const names = at.split('/').filter(Boolean)
    const scope = names.reduce<IConstruct | undefined>((node, name) => node?.node.tryFindChild(name), stack)
    if (scope) Validations.of(scope).acknowledge({ id, reason })
  }
}
