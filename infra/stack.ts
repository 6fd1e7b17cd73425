import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { createApi } from './api.ts'
import { readConfig } from './config.ts'
import { createData } from './data.ts'
import { addFirewall } from './firewall.ts'
import type { Setting } from './functions.ts'
import { createAlarms, logGroups } from './observability.ts'
import { createPipeline, createQueues } from './pipeline.ts'

/** The whole service in one stack that fits any account and region. */
export class AnonymisationStack extends Stack {
  /** `bundles` holds the directory of each function's code by its name, such as `rules.create`. */
  constructor(scope: Construct, id: string, props: StackProps & { bundles: ReadonlyMap<string, string> }) {
    super(scope, id, { description: 'Anonymises documents and tables', ...props })
    const config = readConfig(this.node)
    const data = createData(this, config)
    const queues = createQueues(this, data.keys.data)
    const logGroup = logGroups(this, config, data.keys.data)
    const setting: Setting = { config, data, queues, bundles: props.bundles, logGroup }
    const pipeline = createPipeline(this, setting)
    const api = createApi(this, setting, logGroup('access'))
    if (config.waf) addFirewall(this, api)
    createAlarms(this, config, { api, queues, pipeline })

    new CfnOutput(this, 'BaseUrl', {
      description: 'The base URL of the interface; its paths start with /api',
      value: config.domainName
        ? `https://${config.domainName}`
        : `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`,
    })
    const bootstrap = pipeline.get('pipeline.bootstrap-admin')
    if (bootstrap) {
      new CfnOutput(this, 'FirstAdministrator', {
        description: 'Creates the first administrator and prints a one-time password',
        value: `aws lambda invoke --function-name ${bootstrap.functionName} --cli-binary-format raw-in-base64-out --payload '{"email":"you@example.org"}' /dev/stdout`,
      })
    }
  }
}
