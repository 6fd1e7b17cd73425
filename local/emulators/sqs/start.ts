import { account, type Emulator, type EmulatorOptions } from '../aws/hooks.ts'
import { type JsonProtocol, jsonService } from '../aws/json.ts'
import { listen } from '../aws/server.ts'
import { messageOperations } from './messages.ts'
import { moveOperations } from './moves.ts'
import { queueOperations } from './queues.ts'
import { openStore } from './store.ts'

/** The emulator, and how EventBridge puts a message into the queue of an ARN; there may be none. */
export type Queues = Emulator & { accept(arn: string, body: string): void }

/**
 * Starts Amazon SQS's API (AWS JSON 1.0) on a SQLite file in the directory. Queue URLs carry the port of this start, so
 * they must be asked for (`GetQueueUrl`) after each. With `release`, messages that were taken before are to be had at once:
 * for one who knows that every consumer ended with the emulator.
 */
export async function startSQS(options: EmulatorOptions & { release?: boolean }): Promise<Queues> {
  const store = openStore(options.directory, options.now ?? Date.now)
  if (options.release) store.release()
  let endpoint = ''
  const protocol: JsonProtocol = {
    service: 'sqs',
    target: 'AmazonSQS',
    contentType: 'application/x-amz-json-1.0',
    namespace: 'com.amazonaws.sqs',
    limit: 16 * 1024 * 1024,
    denied: { name: 'AccessDenied', status: 403 },
    unauthentic: {
      names: {
        missing: 'MissingAuthenticationToken',
        malformed: 'IncompleteSignature',
        unknown_key: 'InvalidClientTokenId',
        mismatch: 'SignatureDoesNotMatch',
        expired: 'SignatureDoesNotMatch',
        unsigned_header: 'SignatureDoesNotMatch',
      },
      status: 403,
    },
    operations: { ...queueOperations(store, () => endpoint), ...messageOperations(store), ...moveOperations(store) },
  }
  const { exchange, handler } = jsonService(protocol, options)
  const emulator = await listen(options, handler, () => store.database.close())
  endpoint = emulator.endpoint
  const accept = (arn: string, MessageBody: string) => {
    const queue = store.queues().find(queue => queue.arn === arn)
    if (queue) store.send(queue, { MessageBody }, account, 1)
  }
  return { ...emulator, exchange, accept }
}
