import * as z from 'zod'
import type { Resource } from './endpoint.ts'

/** What a certificate says it is: its parts are told in `docs/certificates.md`. */
export const PREDICATE_TYPE = 'urn:anonymisation-service:certificate:v1'

/** Media type of an in-toto Statement, the payload of a certificate. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

const Digest = z.string().describe('SHA-256, hexadecimal')

/** A signed statement: DSSE 1.0. */
export const Envelope = z
  .object({
    payloadType: z.literal(PAYLOAD_TYPE),
    payload: z.string().describe('An in-toto Statement, in base64'),
    signatures: z.array(
      z.object({
        keyid: z.string().describe('Thumbprint of the public key (RFC 7638)'),
        sig: z.string().describe('ECDSA on P-256 over SHA-256, in DER and base64'),
      }),
    ),
  })
  .meta({ id: 'Envelope' })
export type Envelope = z.infer<typeof Envelope>

export const Certificate = z
  .object({
    certificate: Envelope,
    list: z
      .object({ name: z.string(), size: z.int(), url: z.string().nullable() })
      .nullable()
      .describe(
        'The list of assets of a large job, and its download for five minutes; null where the certificate has it',
      ),
    proof: z
      .object({
        leaf: z.string().describe('The line of the list, without its line feed'),
        index: z.int().describe('Number of the line, counted from 0'),
        path: z.array(Digest).describe('What the root is computed with (RFC 6962), from the leaf upwards'),
      })
      .nullable()
      .describe('That the asset which was asked for is on the list; null where the certificate has the list'),
    opening: z
      .object({
        salt: z.string().describe('Key of the digests `hmac-sha256` of the certificate, hexadecimal'),
        workflow: z
          .string()
          .nullable()
          .describe('Workflow and rules as they were executed: canonical JSON (RFC 8785); null above 1 MB'),
      })
      .nullable()
      .describe('For the owner of the job only: what the keyed digests stand for is checked with it'),
    receipt: z
      .string()
      .nullable()
      .describe(
        'What shows that the certificate is in the log (C2SP tlog-proof), some minutes after the job ended; null until then, ' +
          'and for certificates from before there was a log',
      ),
  })
  .meta({ id: 'Certificate' })
export type Certificate = z.infer<typeof Certificate>

/** A public key as RFC 7517 writes it. */
export const PublicJwk = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string().describe('Thumbprint (RFC 7638)'),
    alg: z.literal('ES256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicJwk' })
export type PublicJwk = z.infer<typeof PublicJwk>

export const certificates = {
  keys: {
    route: 'GET /.well-known/jwks.json',
    access: 'public',
    extension: true,
    summary: 'Show the public keys that certificates of jobs are checked with, old ones too',
    reply: z.object({ keys: z.array(PublicJwk) }),
  },
} as const satisfies Resource
