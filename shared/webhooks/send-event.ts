import { FAILING_DAYS } from '../api/webhooks.ts'
import { log } from '../log.ts'
import { settings } from '../settings.ts'
import { egressPolicy } from '../sources/addresses.ts'
import { guardedDial } from '../sources/egress.ts'
import { openSecret } from '../store/keys.ts'
import type { WebhookEvent } from '../store/outbox.ts'
import { sendMessages } from '../store/queue.ts'
import { findRecord } from '../store/records.ts'
import { changeSending, SENDING, type SendingRecord } from '../store/sendings.ts'
import { disableWebhook, noteFailing, WEBHOOK, type WebhookRecord } from '../store/webhooks.ts'
import { isListening } from './hearing.ts'
import { isAccepted, type Outcome, post } from './post.ts'
import { GRACE_MS } from './publish.ts'
import { waitAfter } from './schedule.ts'

/** For how long an attempt is somebody's, milliseconds: longer than a receiver may take. */
const CLAIM_MS = 60_000
/** Longest wait that a message can carry, seconds; the sweeper minds longer ones. */
const LONGEST_DELAY = 900
const DAY = 24 * 3_600_000

const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

/**
 * Makes one attempt to send an event to a webhook, after so many others. Of the same message twice one does it; an attempt
 * whose worker dies is made again, so a receiver may get an event more than once, always by the same id.
 */
export async function sendEvent(sendingId: string, attempt: number): Promise<void> {
  const sending = await findRecord<SendingRecord>(SENDING, sendingId)
  if (sending?.status !== 'PENDING' || sending.attempts !== attempt) return
  const webhook = await findRecord<WebhookRecord>(WEBHOOK, sending.ownerId)
  if (!webhook || !(await isListening(webhook))) {
    await changeSending(sending, { status: 'FAILED', problem: 'webhook_disabled', nextAttemptAt: null })
    return
  }
  const claim = { attempts: attempt + 1, lastAttemptAt: at(0), nextAttemptAt: at(CLAIM_MS) }
  if (!(await changeSending(sending, claim))) return
  const outcome = await callReceiver(webhook, sending.event)
  await settle({ ...sending, ...claim }, webhook, outcome)
}

/** Sends an event once, signed with the keys that a webhook has now, and says what came of it. */
export async function callReceiver({ id, url, keys }: WebhookRecord, event: WebhookEvent): Promise<Outcome> {
  const { EGRESS_ALLOW, WEBHOOK_HTTP } = settings()
  if (url.startsWith('http:') && !WEBHOOK_HTTP)
    return { responseStatus: null, problem: 'https_required', milliseconds: 0 }
  const valid = keys.filter(({ until }) => !until || until > at(0))
  const opened = await Promise.all(valid.map(({ sealed }) => openSecret(id, sealed)))
  return post(url, event, opened, { dial: guardedDial(egressPolicy(EGRESS_ALLOW)) })
}

/** Notes what came of an attempt, and has the next one made where there is to be one. */
async function settle(sending: SendingRecord, webhook: WebhookRecord, outcome: Outcome): Promise<void> {
  const { retryAfter, ...result } = outcome
  if (isAccepted(result)) {
    await changeSending(sending, { ...result, status: 'DELIVERED', nextAttemptAt: null })
    if (webhook.failingSince) await noteFailing(webhook, null)
    return
  }
  log.info('webhook not reached', { webhookId: webhook.id, problem: result.problem, status: result.responseStatus })
  const because = reasonToDisable(webhook, result)
  // One that was changed meanwhile is called again, as it is then.
  const isOver = because !== undefined && (await disableWebhook(webhook, because))
  if (!because && !webhook.failingSince) await noteFailing(webhook, at(0))
  const seconds = isOver ? undefined : waitAfter(sending.attempts, retryAfter)
  if (seconds === undefined) {
    await changeSending(sending, { ...result, status: 'FAILED', nextAttemptAt: null })
    return
  }
  const isSoon = seconds <= LONGEST_DELAY
  // A message brings the attempt; should it be lost, the sweeper does.
  const nextAttemptAt = at(seconds * 1000 + (isSoon ? GRACE_MS : 0))
  if (!(await changeSending(sending, { ...result, nextAttemptAt })) || !isSoon) return
  const message = { type: 'SEND' as const, sendingId: sending.id, attempt: sending.attempts }
  await sendMessages('events', webhook.id, [message], Math.ceil(seconds))
}

/** Why a webhook is not to be called any more, if so. */
function reasonToDisable({ failingSince }: WebhookRecord, { responseStatus }: Outcome): 'gone' | 'failing' | undefined {
  if (responseStatus === 410) return 'gone'
  const since = failingSince === null ? Number.POSITIVE_INFINITY : Date.parse(failingSince)
  return Date.now() - since > FAILING_DAYS * DAY ? 'failing' : undefined
}
