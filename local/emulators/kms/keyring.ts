import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AwsError, invalid } from '../aws/errors.ts'

/** Kinds of keys, with what each is for. */
export const specs = {
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
  ECC_NIST_P256: 'SIGN_VERIFY',
  ECC_NIST_EDWARDS25519: 'SIGN_VERIFY',
  HMAC_256: 'GENERATE_VERIFY_MAC',
} as const
export type Spec = keyof typeof specs

/** A key as it is stored: `secret` is base64 (raw, or PKCS 8 of a private key), times are milliseconds. */
export interface Key {
  id: string
  arn: string
  spec: Spec
  description: string
  created: number
  enabled: boolean
  rotation?: number
  /** When the key is deleted; until then it can't be used. */
  deletion?: number
  policy?: string
  tags: Record<string, string>
  secret: string
}

/** Keys and their aliases, in a file that only its owner can read. */
export interface Keyring {
  keys(): Key[]
  /** The key of an id, an ARN or an alias; throws `NotFoundException`. */
  find(id: string): Key
  aliases(): [name: string, keyId: string][]
  setAlias(name: string, keyId: string | undefined): void
  save(key: Key): void
}

function makeSecret(spec: Spec): string {
  if (specs[spec] !== 'SIGN_VERIFY') return randomBytes(32).toString('base64')
  const { privateKey } =
    spec === 'ECC_NIST_P256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

/** A new key of a kind. */
export function makeKey(spec: Spec, arnOf: (id: string) => string, created: number, description = ''): Key {
  const id = randomUUID()
  return { id, arn: arnOf(id), spec, description, created, enabled: true, tags: {}, secret: makeSecret(spec) }
}

const privateKeys = new WeakMap<Key, KeyObject>()

/** The private key of an asymmetric key, read once. */
export function privateKey(key: Key): KeyObject {
  const known = privateKeys.get(key)
  if (known) return known
  const made = createPrivateKey({ key: Buffer.from(key.secret, 'base64'), type: 'pkcs8', format: 'der' })
  privateKeys.set(key, made)
  return made
}

interface Contents {
  keys: Record<string, Key>
  aliases: Record<string, string>
}

/** Opens the keyring in a directory. Every change is written to a new file that then takes the place of the old. */
export function openKeyring(directory: string, now: () => number): Keyring {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'keys.json')
  const contents: Contents = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { keys: {}, aliases: {} }
  if (existsSync(path)) chmodSync(path, 0o600)
  const keys = new Map(Object.entries(contents.keys))
  const aliases = new Map(Object.entries(contents.aliases))

  function write(): void {
    const text = JSON.stringify({ keys: Object.fromEntries(keys), aliases: Object.fromEntries(aliases) }, null, 2)
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }

  const gone = (key: Key) => key.deletion !== undefined && key.deletion <= now()
  return {
    keys: () => [...keys.values()].filter(key => !gone(key)),
    find(id) {
      const name = id.replace(/^arn:aws:kms:[^:]*:\d*:(key\/)?/, '')
      const key = keys.get(name.startsWith('alias/') ? (aliases.get(name) ?? '') : name)
      if (key && !gone(key)) return key
      if (key) {
        keys.delete(key.id)
        write()
      }
      throw new AwsError('NotFoundException', `Key '${name}' does not exist`)
    },
    aliases: () => [...aliases],
    setAlias(name, keyId) {
      if (!/^alias\/(?!aws\/)[a-zA-Z0-9/_-]{1,250}$/.test(name)) throw invalid('The alias name is not valid')
      if (keyId === undefined) aliases.delete(name)
      else aliases.set(name, keyId)
      write()
    },
    save(key) {
      keys.set(key.id, key)
      write()
    },
  }
}
