import { join } from 'node:path'
import type { Emulator, EmulatorOptions, Exchange } from './aws/hooks.ts'
import { startDynamoDB } from './dynamodb/start.ts'
import { startEvents } from './events/start.ts'
import { startKMS } from './kms/start.ts'
import { startS3 } from './s3/start.ts'
import { startSQS } from './sqs/start.ts'

/** Where the emulators listen. */
export type Endpoints = { dynamodb: string; s3: string; sqs: string; kms: string; events: string }

/** How callers in this process reach emulators without HTTP, by the addresses that they listen at. */
export type Exchanges = ReadonlyMap<string, Exchange>

/** Starts every emulator on a folder of its own below `directory`, and adds what ends them to `closing`. */
export async function startEmulators(
  directory: string,
  closing: (() => unknown)[],
  options: Pick<EmulatorOptions, 'credentials' | 'authorize' | 'faults' | 'pages'>,
): Promise<{ endpoints: Endpoints; exchanges: Exchanges }> {
  const exchanges = new Map<string, Exchange>()
  const run = async <Started extends Emulator>(name: string, start: (options: EmulatorOptions) => Promise<Started>) => {
    const emulator = await start({ ...options, directory: join(directory, name) })
    closing.push(emulator.close)
    if (emulator.exchange) exchanges.set(emulator.endpoint, emulator.exchange)
    return emulator
  }
  // Whoever had taken a message ended with the last start, however that ended.
  const sqs = await run('sqs', options => startSQS({ ...options, release: true }))
  const events = await run('events', options => startEvents({ ...options, deliver: sqs.accept }))
  const [dynamodb, s3, kms] = await Promise.all([
    run('dynamodb', startDynamoDB),
    run('s3', options => startS3({ ...options, tell: events.tell })),
    run('kms', startKMS),
  ])
  const { endpoint } = dynamodb
  return {
    endpoints: { dynamodb: endpoint, s3: s3.endpoint, sqs: sqs.endpoint, kms: kms.endpoint, events: events.endpoint },
    exchanges,
  }
}

export type {
  Access,
  Answered,
  Asked,
  Authorize,
  Caller,
  Emulator,
  EmulatorOptions,
  Exchange,
  Fault,
  Faults,
  Service,
} from './aws/hooks.ts'
export { isOwnHost } from './hosts.ts'
export { startDynamoDB, startEvents, startKMS, startS3, startSQS }
