import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shortLived } from '../java.ts'
import { freePort, serve } from './process.ts'

/** Where the servers written in Java are, one folder each, as .ci/run has put them there. */
export const servers = resolve(process.env.AWS_SERVERS ?? '')

type Started = { endpoint: string; stop(): Promise<void> }

/** Whether there is AWS's own DynamoDB Local. */
export const hasDynamoDBLocal = existsSync(join(servers, 'dynamodb-local'))

/** Whether there is ElasticMQ, which speaks for SQS. */
export const hasElasticMQ = existsSync(join(servers, 'elasticmq'))

/** Starts DynamoDB Local, in memory, with a folder for its log. */
export async function startDynamoDBLocal(folder: string): Promise<Started> {
  const port = await freePort()
  const main = [
    'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
    '-inMemory',
    '-disableTelemetry',
    '-port',
    `${port}`,
  ]
  return startJava('dynamodb-local', [`-Djava.library.path=${join(servers, 'dynamodb-local')}`], main, port, folder)
}

/** Starts ElasticMQ on 127.0.0.1, in memory, with a folder for its log. */
export async function startElasticMQ(folder: string): Promise<Started> {
  const port = await freePort()
  const settings = {
    'rest-sqs.bind-hostname': '127.0.0.1',
    'rest-sqs.bind-port': port,
    'node-address.host': '127.0.0.1',
    'node-address.port': port,
    'rest-stats.enabled': false,
  }
  const options = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`)
  return startJava('elasticmq', options, ['org.elasticmq.server.Main'], port, folder)
}

async function startJava(
  name: string,
  options: string[],
  main: string[],
  port: number,
  folder: string,
): Promise<Started> {
  mkdirSync(folder, { recursive: true })
  const args = ['-Xmx256m', ...shortLived, '-cp', join(servers, name, '*'), ...options, ...main]
  const stop = await serve('java', args, port, join(folder, `${name}.log`))
  return { endpoint: `http://127.0.0.1:${port}`, stop }
}
