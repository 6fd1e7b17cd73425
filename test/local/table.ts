import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { EmulatorOptions } from 'aws-emulators'
import { startDynamoDB } from 'aws-emulators'
import { clientFor, emulated } from './emulated.ts'

/** The table that tests use. */
export const TableName = 'records'
/** A string as an attribute. */
export const S = (value: string): AttributeValue => ({ S: value })
/** A number as an attribute. */
export const N = (value: number | string): AttributeValue => ({ N: String(value) })

/** A table with string keys and an index by owner (a string) and rank (a number). */
export async function table(options: Partial<EmulatorOptions> = {}, clock = {}) {
  const db = new DynamoDBClient({ ...clientFor(await emulated(startDynamoDB, options)), ...clock })
  await db.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'owner', AttributeType: 'S' },
        { AttributeName: 'rank', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byOwner',
          KeySchema: [
            { AttributeName: 'owner', KeyType: 'HASH' },
            { AttributeName: 'rank', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  )
  const put = (item: Record<string, AttributeValue>) => db.send(new PutItemCommand({ TableName, Item: item }))
  const get = async (pk: string, sk = '-') =>
    (await db.send(new GetItemCommand({ TableName, Key: { pk: S(pk), sk: S(sk) }, ConsistentRead: true }))).Item
  return { db, put, get }
}

/** Updates the item `u` and asks for what it is then. */
export const update = (
  UpdateExpression: string,
  values: Record<string, AttributeValue> = {},
  names: Record<string, string> = {},
) =>
  new UpdateItemCommand({
    TableName,
    Key: { pk: S('u'), sk: S('-') },
    UpdateExpression,
    ReturnValues: 'ALL_NEW',
    ExpressionAttributeValues: Object.keys(values).length ? values : undefined,
    ExpressionAttributeNames: Object.keys(names).length ? names : undefined,
  })
