import { audit } from '../../shared/api/audit.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { publicKeyOf } from '../../shared/store/keys.ts'

export const handler = handle(audit.key)(async () => ({
  algorithm: 'ECDSA_SHA_256' as const,
  publicKey: (await publicKeyOf('audit')).export({ type: 'spki', format: 'pem' }).toString(),
}))
