import { createHmac, type KeyObject } from 'node:crypto'
import { reading } from '../detect/normalise.ts'

/**
 * HMAC-SHA-256 of a value, from which it can't be read without the key. The same value in other spaces, digits or
 * Unicode forms is the same value. `purpose` keeps digests of one kind apart from those of others.
 */
export const keyedDigest = (value: string, key: KeyObject, purpose = ''): Buffer =>
  createHmac('sha256', key)
    .update(`${purpose}${reading(value)}`, 'utf8')
    .digest()
