import type { Emulator, EmulatorOptions } from '../aws/hooks.ts'
import { type JsonProtocol, jsonService, unauthentic } from '../aws/json.ts'
import { listen } from '../aws/server.ts'
import { cryptoOperations } from './crypto.ts'
import { openKeyring } from './keyring.ts'
import { keyOperations } from './keys.ts'

/**
 * Starts AWS KMS's API on a file of keys in the directory, readable by its owner only: symmetric encryption, ECDSA on
 * P-256, Ed25519 and HMAC-SHA-256 keys with real cryptography.
 */
export async function startKMS(options: EmulatorOptions): Promise<Emulator> {
  const now = options.now ?? Date.now
  const keyring = openKeyring(options.directory, now)
  const protocol: JsonProtocol = {
    service: 'kms',
    target: 'TrentService',
    contentType: 'application/x-amz-json-1.1',
    namespace: 'com.amazonaws.kms',
    limit: 1024 * 1024,
    denied: { name: 'AccessDeniedException', status: 400 },
    unauthentic,
    operations: { ...keyOperations(keyring, now), ...cryptoOperations(keyring) },
  }
  const { exchange, handler } = jsonService(protocol, options)
  return { ...(await listen(options, handler, () => {})), exchange }
}
