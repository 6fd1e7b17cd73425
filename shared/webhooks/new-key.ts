import type { Webhook } from '../api/webhooks.ts'
import { sealSecret } from '../store/keys.ts'
import { newKey, publicKeyOf } from './keys.ts'

/** A new key of a webhook: as it is stored, and as its owner is shown it this once. */
export async function makeKey(webhookId: string, signing: Webhook['signing']) {
  const key = newKey(signing)
  const publicKey = publicKeyOf(key)
  return { sealed: await sealSecret(webhookId, key), publicKey, secret: publicKey === null ? key : null }
}
