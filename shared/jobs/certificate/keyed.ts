import { createHmac } from 'node:crypto'

/** What a keyed digest is of. */
type Kind = 'input' | 'workflow' | 'user'

/**
 * A digest under a salt (hexadecimal) that says nothing to those who don't have it: guesses of a file, a workflow or a person fail
 * without it.
 */
export const keyed = (salt: string, kind: Kind, text: string): { 'hmac-sha256': string } => ({
  'hmac-sha256': createHmac('sha256', Buffer.from(salt, 'hex')).update(`${kind}:${text}`).digest('hex'),
})
