import { join } from 'node:path'
import type { Emulator, EmulatorOptions } from './aws/hooks.ts'
import { startDynamoDB } from './dynamodb/start.ts'
import { startEvents } from './events/start.ts'
import { startKMS } from './kms/start.ts'
import { startS3 } from './s3/start.ts'
import { startSQS } from './sqs/start.ts'

/** Where the emulators listen. */
export type Endpoints = { dynamodb: string; s3: string; sqs: string; kms: string; events: string }

/** Starts every emulator on a folder of its own below `directory`, and adds what ends them to `closing`. */
export async function startEmulators(
  directory: string,
  closing: (() => unknown)[],
  options: Pick<EmulatorOptions, 'credentials' | 'authorize' | 'faults'>,
): Promise<Endpoints> {
  const run = async (name: string, start: (options: EmulatorOptions) => Promise<Emulator>) => {
    const emulator = await start({ ...options, directory: join(directory, name) })
    closing.push(emulator.close)
    return emulator.endpoint
  }
  const [dynamodb, s3, sqs, kms, events] = await Promise.all([
    run('dynamodb', startDynamoDB),
    run('s3', startS3),
    // Whoever had taken a message ended with the last start, however that ended.
    run('sqs', options => startSQS({ ...options, release: true })),
    run('kms', startKMS),
    run('events', startEvents),
  ])
  return { dynamodb, s3, sqs, kms, events }
}

export type { Access, Authorize, Emulator, EmulatorOptions, Fault, Faults, Service } from './aws/hooks.ts'
export { isOwnHost } from './hosts.ts'
export { startDynamoDB, startEvents, startKMS, startS3, startSQS }
