import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { createPlaceholders, type Entry, type Placeholders } from 'anonymisation-engine/placeholders'
import { ProblemError } from '../api/problems.ts'
import { MAX_SESSION, SESSION_HOURS } from '../api/texts.ts'
import type { Caller } from '../http/caller.ts'
import { deriveSecret } from '../store/keys.ts'

/** What a client keeps between requests: the placeholders of a conversation, sealed for one user. */
export type Session = { placeholders: Placeholders; seal(): { sealed: string; expiresAt: string } }

const IV_BYTES = 12
const TAG_BYTES = 16

/** Secrets of sessions that go on, by user and session; the oldest is forgotten first. */
const known = new Map<string, Promise<KeyObject>>()
const KEPT = 200

function secretOf(userId: string, id: string): Promise<KeyObject> {
  const name = `texts-session:${userId}:${id}`
  const secret = known.get(name) ?? deriveSecret(name)
  known.delete(name)
  known.set(name, secret)
  secret.catch(() => known.delete(name))
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return secret
}

const keyFor = (secret: KeyObject, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))

/** What the seal is bound to, besides its key: whose session it is, and until when. */
const boundTo = ({ id: userId }: Pick<Caller, 'id'>, id: string, expires: number) =>
  Buffer.from(`${userId}.${id}.${expires}`)

/** Opens a session anew, or goes on with one that was sealed for this user; the service itself keeps nothing of it. */
export async function openSession(sealed: string | undefined, user: Pick<Caller, 'id'>): Promise<Session> {
  const id = sealed?.split('.')[0] ?? randomUUID()
  const secret = await secretOf(user.id, id)
  const sealing = keyFor(secret, 'seal')
  const before = sealed === undefined ? [] : unseal(sealed, user, sealing)
  const placeholders = createPlaceholders(keyFor(secret, 'placeholders'), before)
  return {
    placeholders,
    seal() {
      const expires = Date.now() + SESSION_HOURS * 3_600_000
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(boundTo(user, id, expires))
      const entries = placeholders.entries().map(({ placeholder, label, value }) => [placeholder, label, value])
      const bytes = Buffer.concat([
        iv,
        cipher.update(JSON.stringify(entries), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      const text = `${id}.${expires}.${bytes.toString('base64url')}`
      if (text.length > MAX_SESSION) throw new ProblemError({ type: 'session_full', loc: ['body', 'session'] })
      return { sealed: text, expiresAt: new Date(expires).toISOString() }
    },
  }
}

function unseal(sealed: string, user: Pick<Caller, 'id'>, key: KeyObject): Entry[] {
  const [id = '', until = '', content = ''] = sealed.split('.')
  const expires = Number(until)
  const bytes = Buffer.from(content, 'base64url')
  try {
    if (!(expires > Date.now())) throw new RangeError('expired')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(boundTo(user, id, expires)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    const entries = JSON.parse(text) as [placeholder: string, label: string, value: string][]
    return entries.map(([placeholder, label, value]) => ({ placeholder, label, value }))
  } catch {
    throw new ProblemError({ type: 'session_invalid', loc: ['body', 'session'] })
  }
}
