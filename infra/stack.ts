import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { type DeclaredEndpoint, endpoints as declared } from '../shared/api/index.ts'
import { createApi } from './api.ts'
import { type Config, readConfig, withBroker } from './config.ts'
import { createDashboard } from './dashboard.ts'
import { createData, pascal } from './data.ts'
import { addFirewall } from './firewall.ts'
import type { Setting } from './functions.ts'
import type { Grant } from './grant.ts'
import { grantFor as rowFor } from './grants.ts'
import { acknowledge } from './nag-suppressions.ts'
import { createAlarms, logGroups } from './observability.ts'
import { createBus, createPipeline, createQueues, watchBuckets } from './pipeline.ts'
import { createSamlBroker } from './saml-broker.ts'

type Props = StackProps & {
  /** Directory of each function's code by its name, such as `rules.create`. */
  bundles: ReadonlyMap<string, string>
  /** Other endpoints than those of the contract, and what their functions may do. */
  endpoints?: readonly DeclaredEndpoint[]
  grantFor?: (name: string) => Grant
}

/** The whole service in one stack that fits any account and region. */
export class AnonymisationStack extends Stack {
  constructor(scope: Construct, id: string, { bundles, ...props }: Props) {
    // With its lines indented, the template would come near the 1 MB that CloudFormation takes.
    super(scope, id, { description: 'Anonymises documents and tables', suppressTemplateIndentation: true, ...props })
    const config = withSaml(this, readConfig(this.node))
    const data = createData(this, config)
    const queues = createQueues(this, data.keys.data, config)
    watchBuckets(this, queues, data.keys.data, config)
    const bus = config.eventBus ? createBus(this) : undefined
    const logGroup = logGroups(this, config, data.keys.data)
    const { endpoints = declared, grantFor = rowFor } = props
    const setting: Setting = { config, data, queues, bus, endpoints, grantFor, bundles, logGroup }
    const pipeline = createPipeline(this, setting)
    const api = createApi(this, setting, logGroup('access'))
    if (config.waf) addFirewall(this, api)
    createAlarms(this, config, { api, queues, pipeline })
    createDashboard(this, { api, queues, pipeline })

    new CfnOutput(this, 'BaseUrl', {
      description: 'The base URL of the interface; its paths start with /api',
      value: config.domainName
        ? `https://${config.domainName}`
        : `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`,
    })
    if (bus) {
      new CfnOutput(this, 'EventBus', {
        description: 'The bus that rules of your own can stand on',
        value: bus.eventBusName,
      })
    }
    for (const name of ['files', 'models'] as const) {
      new CfnOutput(this, `${pascal(name)}Bucket`, {
        description: `The bucket that ${name} of your own go into`,
        value: data.buckets[name].bucketName,
      })
    }
    const bootstrap = pipeline.get('pipeline.bootstrap-admin')
    if (bootstrap) {
      new CfnOutput(this, 'FirstAdministrator', {
        description: 'Creates the first administrator and puts a one-time password into administrator.json',
        // Either version of the AWS CLI takes the payload as it is from a file, and only from there.
        value: `echo '{"email":"you@example.org"}' | aws lambda invoke --function-name ${bootstrap.functionName} --payload fileb:///dev/stdin administrator.json`,
      })
    }
    acknowledge(this)
  }
}

/** Puts the broker of a SAML provider into the stack, and tells the functions of it, where the operator has configured one. */
function withSaml(scope: Construct, config: Config): Config {
  const { samlProvider: saml, domainName, removalPolicy, environment } = config
  if (!saml || !domainName) return config
  const broker = createSamlBroker(scope, { saml, domainName, removalPolicy })
  return { ...config, environment: { ...environment, IDENTITY_PROVIDERS: withBroker(environment, broker) } }
}
