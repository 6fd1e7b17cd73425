import { Readable } from 'node:stream'
import { contextFor } from '../../sources/context.ts'
import { SourceError } from '../../sources/errors.ts'
import { writeToSource } from '../../sources/sources.ts'
import { listAssetsNamed, listOutputs, objectOf } from '../../store/assets.ts'
import { assetsDelivered, type DeliveryRecord, heartbeatOfDelivery } from '../../store/deliveries.ts'
import { findResult } from '../../store/jobs.ts'
import { objectSize, readObject } from '../../store/objects.ts'
import type { Message } from '../../store/queue.ts'
import { findRecord } from '../../store/records.ts'
import { openSource, SOURCE, type SourceRecord } from '../../store/sources.ts'
import { loadSchema } from '../load/table-schema.ts'
import { mayPass, withSourceLease } from '../load/with-source-lease.ts'
import { runningDelivery, settleDelivery, undelivered } from './delivery.ts'
import { targetOf } from './target.ts'

type Step = Extract<Message, { type: 'DELIVER' }>

/** The delivery and its job, while the asset is still to be delivered. */
async function waiting({ jobId, deliveryId, assetId }: Step) {
  const [found, settled] = await Promise.all([
    runningDelivery(jobId, deliveryId),
    assetsDelivered(jobId, deliveryId, [assetId]),
  ])
  return settled.has(assetId) ? undefined : found
}

/**
 * Writes the result of one asset to the source of the delivery, once, however often it is asked. What is wrong with the
 * source or the result fails the asset; what may pass is thrown, so that the message comes again.
 */
export async function deliverAsset(message: Step, remainingMs: number): Promise<void> {
  const { jobId, deliveryId, assetId } = message
  const found = await waiting(message)
  if (!found) return
  const { job, delivery } = found
  const options = {
    sourceId: delivery.sourceId,
    ownerId: job.ownerId,
    message,
    remainingMs,
    // Two writers of the same result would be in each other's way.
    alone: `DELIVERY#${deliveryId}#${assetId}`,
    stillWanted: async () => (await waiting(message)) !== undefined,
    beat: () => heartbeatOfDelivery(jobId, deliveryId),
  }
  await withSourceLease(options, async signal => {
    let name: string | undefined
    try {
      const written = await write(delivery, assetId, signal, target => {
        name = target
      })
      await settleDelivery(jobId, deliveryId, { assetId, status: 'SUCCEEDED', errors: [], ...written })
    } catch (error) {
      if (!(error instanceof SourceError) || mayPass(error, message)) throw error
      await settleDelivery(jobId, deliveryId, undelivered(assetId, { type: error.type, msg: error.message }, name))
    }
  })
}

async function write(delivery: DeliveryRecord, assetId: string, signal: AbortSignal, begins: (target: string) => void) {
  const { jobId, sourceId } = delivery
  const [stored, result, [original]] = await Promise.all([
    findRecord<SourceRecord>(SOURCE, sourceId),
    findResult(jobId, assetId),
    listAssetsNamed(jobId, [assetId]),
  ])
  if (!stored) throw new SourceError('source_not_found', 'The source has been deleted')
  const [output] = await listOutputs(jobId, [result?.outputAssetId ?? ''])
  const size = output && (await objectSize(objectOf(output)))
  if (!result || size === undefined) throw new SourceError('source_not_found', 'The result has been deleted')
  const schema = original && (await loadSchema(original))
  const elsewhere = original?.sourceId && original.sourceId !== sourceId
  const origin = elsewhere ? await findRecord<SourceRecord>(SOURCE, original.sourceId!) : undefined
  const target = targetOf({ delivery, source: stored, origin, original, output: { ...output!, size }, result, schema })
  begins(target.name)
  const [source, context] = await Promise.all([openSource(stored), contextFor(stored.ownerId, signal)])
  const stream = await readObject(objectOf(output!))
  try {
    const body = Readable.from(whole(stream, size), { objectMode: false })
    const { name, bytes, rows } = await writeToSource(source, context, target, body)
    return { outputAssetId: output!.id, name, bytes: bytes || size, ...(rows === undefined ? {} : { rows }) }
  } finally {
    stream.destroy()
  }
}

/** The bytes of a stream, which fails when there are too few: a short result must not count as one. */
async function* whole(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    yield chunk
  }
  if (bytes !== size) throw new Error('The result broke off')
}
