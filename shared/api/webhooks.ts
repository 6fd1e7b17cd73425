import * as z from 'zod'
import { Deleted, Id, ListQuery, listQuery, Name, Timestamp, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { EventPattern } from './events.ts'

/** Webhooks of one owner. */
export const MAX_WEBHOOKS = 20
/** Days without a success after which a webhook is disabled. */
export const FAILING_DAYS = 5
/** Time that a receiver has to answer, seconds. */
export const ANSWER_SECONDS = 15
/** Seconds until the next attempt, by how many have failed; each is varied by a fifth. After the last the event is given up. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Whether an address can be called as it is written: no log-in, no fragment, and a port that receivers use. */
function isReceiver(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || text.includes('#')) return false
  return url.port === '' || Number(url.port) > 1023
}

const Url = upTo(2000)
  .refine(isReceiver, 'must be an https address without log-in and fragment, at port 443 or one above 1023')
  .describe('Where events are sent. It is shown to whoever may see the webhook, so it should hold no secret')
  .meta({ examples: ['https://example.org/hooks'] })

const Events = z
  .array(EventPattern)
  .min(1)
  .max(100)
  .describe('Events to hear of: by name, all about one kind of thing (`job.*`), or all (`*`)')

const Signing = z
  .enum(['hmac', 'ed25519'])
  .describe(
    '`hmac`: a secret that the receiver shares (`v1`). `ed25519`: a public key is all the receiver needs (`v1a`)',
  )

const Scope = z
  .enum(['own', 'all'])
  .describe('Whose events: of what the owner has, or of everybody’s, which needs `webhooks:any`')

export const Webhook = z
  .object({
    id: Id,
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    scope: Scope,
    signing: Signing,
    publicKey: z.string().nullable().describe('With `ed25519`: `whpk_` and the key in base64'),
    enabled: z.boolean(),
    disabledBecause: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe(
        `What the service disabled it for: the receiver answered 410, or accepted nothing for ${FAILING_DAYS} days`,
      ),
    failingSince: Timestamp.nullable().describe('The first failure after the last success'),
    previousKeyUntil: Timestamp.nullable().describe('Until when the key before the last change signs as well'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

const WithSecret = Webhook.extend({
  secret: z.string().nullable().describe('With `hmac`: `whsec_` and the secret in base64, shown this once'),
}).meta({ id: 'WebhookWithSecret' })

export const NewWebhook = z
  .strictObject({
    name: Name,
    url: Url,
    events: Events,
    scope: Scope.default('own'),
    signing: Signing.default('hmac'),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'NewWebhook' })
export type NewWebhook = z.output<typeof NewWebhook>

export const WebhookChanges = z
  .strictObject({
    name: Name.optional(),
    url: Url.optional(),
    events: Events.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'WebhookChanges' })
export type WebhookChanges = z.output<typeof WebhookChanges>

/** An event on its way to a webhook. */
export const Sending = z
  .object({
    id: Id,
    webhookId: Id,
    eventId: Id.describe('`webhook-id` of the request, the same each time'),
    type: z.string().describe('Name of the event'),
    status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
    attempts: z.int().describe('Attempts since it was last asked for'),
    responseStatus: z.int().nullable().describe('What the receiver last answered; its body is not kept'),
    problem: z
      .string()
      .nullable()
      .describe('Why the last attempt got no answer, or none was made: a type of the table of errors'),
    milliseconds: z.int().nullable().describe('How long the last attempt took'),
    nextAttemptAt: Timestamp.nullable().describe('When the next attempt is due'),
    lastAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookDelivery' })
export type Sending = z.infer<typeof Sending>

export const webhooks = {
  list: {
    route: 'GET /webhooks/',
    access: 'webhooks:read',
    extension: true,
    summary: 'List webhooks',
    query: ListQuery,
    reply: z.array(Webhook),
  },
  create: {
    route: 'POST /webhooks/',
    access: 'webhooks:write',
    extension: true,
    summary: 'Create a webhook',
    description:
      'Events are sent as Standard Webhooks: a POST with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and the body `{type, timestamp, data}`, which holds ids and counts only. An event comes at least once: tell repeats by `webhook-id`.',
    body: NewWebhook,
    reply: WithSecret,
    secretReply: true,
    problems: ['https_required', 'too_many_webhooks'],
  },
  get: {
    route: 'GET /webhooks/{webhook_id}',
    access: 'webhooks:read',
    extension: true,
    summary: 'Show a webhook',
    reply: Webhook,
  },
  update: {
    route: 'PUT /webhooks/{webhook_id}',
    access: 'webhooks:write',
    extension: true,
    summary: 'Change, enable or disable a webhook',
    description: 'It hears of nothing while it is disabled.',
    body: WebhookChanges,
    reply: Webhook,
    problems: ['https_required'],
  },
  delete: {
    route: 'DELETE /webhooks/{webhook_id}',
    access: 'webhooks:write',
    extension: true,
    summary: 'Delete a webhook',
    reply: Deleted,
  },
  rotate: {
    route: 'POST /webhooks/{webhook_id}/secret',
    access: 'webhooks:write',
    extension: true,
    summary: 'Give a webhook a new secret or key',
    description: 'For some hours requests carry the signatures of both, so that the receiver can change over.',
    body: z.strictObject({
      overlapHours: z.int().min(0).max(168).default(24).describe('Hours during which the one before signs as well'),
    }),
    reply: WithSecret,
    secretReply: true,
  },
  test: {
    route: 'POST /webhooks/{webhook_id}/test',
    access: 'webhooks:write',
    extension: true,
    summary: 'Send a test event to a webhook',
    description: `Sends \`webhook.test\` once, waits up to ${ANSWER_SECONDS} seconds for the answer and says what came of it. Also works while the webhook is disabled.`,
    reply: Sending,
    problems: ['https_required'],
  },
  deliveries: {
    route: 'GET /webhooks/{webhook_id}/deliveries',
    access: 'webhooks:read',
    extension: true,
    summary: 'List what was sent to a webhook',
    query: listQuery(['status', 'type'], ['createdAt', 'status', 'updatedAt']),
    reply: z.array(Sending),
  },
  redeliver: {
    route: 'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    access: 'webhooks:write',
    extension: true,
    summary: 'Send an event to a webhook again',
    reply: Sending,
    problems: ['webhook_disabled', 'attempt_pending'],
  },
} as const satisfies Resource
