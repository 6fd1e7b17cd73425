import { aessiv } from '@noble/ciphers/aes.js'
import { type Scope, scopes } from '../operators/scope.ts'
import { readToken, writeToken } from './form.ts'
import { deriveKey, type TokenKey, type TokenKeys } from './key.ts'

/** The scheme that tokens are made by. */
const VERSION = 1

const utf8 = new TextEncoder()
const asText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Makes and opens the tokens of one key in one scope. */
export type Sealer = {
  /** The token of a value: the same one for the same value and kind, and for no other. */
  seal(value: string, kind: string): string
  /** The value of a token; undefined for whatever this key has not made, whether it is another's token or none at all. */
  open(token: string): string | undefined
}

/**
 * AES-SIV (RFC 5297) under a key that only this deployment, owner, scope and place derive; the same words are authenticated
 * with each value, and so are kind, version and number of the key.
 */
export function createSealer(key: TokenKey, scope: Scope): Sealer {
  const siv = deriveKey(key, scope, 'token/v1', 64)
  const place = utf8.encode(JSON.stringify([scope, ...key.bound]))
  const number = scopes.indexOf(scope)
  const cipher = (kind: string) => aessiv(siv, place, utf8.encode(`${kind}|${VERSION}|${key.number}`))
  return {
    seal(value, kind) {
      const sealed = cipher(kind).encrypt(utf8.encode(value))
      return writeToken({ kind, version: VERSION, scope: number, key: key.number, sealed })
    },
    open(token) {
      const read = readToken(token)
      if (read?.version !== VERSION || read.scope !== number || read.key !== key.number) return undefined
      try {
        return asText.decode(cipher(read.kind).decrypt(read.sealed))
      } catch {
        return undefined
      }
    },
  }
}

/** Which key a text asks for if it is a token: number and scope, neither of which is secret. */
export function keyAskedFor(token: string): { number: number; scope: Scope; kind: string } | undefined {
  const read = readToken(token)
  const scope = read && scopes[read.scope]
  return scope && read.version === VERSION ? { number: read.key, scope, kind: read.kind } : undefined
}

/** Makes what opens the tokens of several keys: one for each scope. */
export function createOpener(keys: TokenKeys): (token: string) => string | undefined {
  const sealers = new Map<Scope, Sealer>()
  for (const scope of scopes) {
    const key = keys[scope]
    if (key) sealers.set(scope, createSealer(key, scope))
  }
  return token => {
    const asked = keyAskedFor(token)
    return asked && sealers.get(asked.scope)?.open(token)
  }
}
