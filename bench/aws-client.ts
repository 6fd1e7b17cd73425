import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { directTransport } from '../local/runner/exchanges.ts'
import { variable } from '../shared/settings.ts'
import { getItem } from '../shared/store/dynamo.ts'
import { transport, transportSymbol } from '../shared/transport.ts'

// What a request to DynamoDB costs before and after it is answered, which is at once and without a network: the SDK as it comes, and the
// client of the store. Microseconds of processor time, in turns; the first turns warm up.

const TURNS = 7
const CALLS = 4000
const endpoint = 'http://127.0.0.1:1'
const [pk, sk] = ['RULE#1', 'RULE']
const item = { pk: { S: pk }, sk: { S: sk }, name: { S: 'Numbers' }, config: { M: { pattern: { S: '[0-9]+' } } } }
const answered = { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' } }

Object.assign(process.env, {
  [variable.table('rules')]: 'TableRules',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
})
const exchanges = new Map([[endpoint, async () => ({ ...answered, body: JSON.stringify({ Item: item }) })]])
Object.assign(globalThis, { [transportSymbol]: directTransport(exchanges) })

const plain = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5, ...transport('DYNAMODB') }))
const sides = {
  'the SDK as it comes': () =>
    plain.send(new GetCommand({ TableName: 'TableRules', Key: { pk, sk }, ConsistentRead: true })),
  'the client of the store': () => getItem('rules', { pk, sk }),
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < CALLS; n++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

const measured = Object.values(sides).map(() => [] as number[])
for (let turn = 0; turn < TURNS; turn++)
  for (const [n, call] of Object.values(sides).entries()) measured[n]!.push(await time(call))
const least = measured.map(all => Math.min(...all))
console.log('| a `GetItem` that is answered at once | microseconds |\n|---|---|')
for (const [n, name] of Object.keys(sides).entries()) console.log(`| ${name} | ${least[n]!.toFixed(0)} |`)
console.log(`| ratio | ${(least[1]! / least[0]!).toFixed(2)} |`)
