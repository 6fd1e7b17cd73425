import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client } from '../../shared/api/client.ts'
import { certificateEntry } from '../../shared/transparency/entries.ts'
import type { Outcome } from './outcome.ts'

/** How long to wait for the log, which takes in what is new every five minutes, and between two questions, milliseconds. */
const PATIENCE = { most: 15 * 60_000, pause: 5000 }

/** The entry of a certificate on disk. */
async function entryOf(path: string): Promise<string> {
  const { payload } = JSON.parse(await readFile(path, 'utf8')) as { payload: string }
  const bytes = Buffer.from(payload, 'base64')
  return certificateEntry(JSON.parse(bytes.toString()).predicate.job.id, bytes)
}

async function receiptOf(client: Client, entry: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await client.transparency.receipt({ query: { entry }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Waits until the log holds the certificates of a run and saves their receipts beside them, `letter.anonymised.pdf.receipt`;
 * answers what came of the files then. The jobs may be gone: the log is asked for digests.
 */
export async function saveReceipts(
  client: Client,
  outcomes: readonly Outcome[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const until = Date.now() + PATIENCE.most
  const withReceipt = async (outcome: Outcome): Promise<Outcome> => {
    const { certificate, problems } = outcome
    if (certificate === undefined) return outcome
    const entry = await entryOf(certificate)
    for (;;) {
      const receipt = await receiptOf(client, entry, signal)
      if (receipt !== undefined) {
        await writeFile(certificate.replace(/certificate\.json$/, 'receipt'), receipt)
        return outcome
      }
      if (Date.now() > until)
        return { ...outcome, problems: [...problems, 'the log has not taken its certificate yet'] }
      await sleep(PATIENCE.pause, undefined, { signal })
    }
  }
  const done: Outcome[] = []
  // One after the other: what the log has taken, it has taken for all of them.
  for (const outcome of outcomes) done.push(await withReceipt(outcome))
  return done
}
