import * as z from 'zod'
import { Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'

/** A number of entries of the log, from 1 on; a query brings it as text. */
const Size = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ format: 'int64' })

export const transparency = {
  key: {
    route: 'GET /transparency/key',
    access: 'public',
    extension: true,
    summary: 'Show the public key that checkpoints of the log are checked with',
    reply: z.object({
      origin: z.string().describe('First line of the checkpoints; it is made of the key'),
      verifierKey: z.string().describe('The key as C2SP signed-note writes it'),
    }),
  },
  checkpoint: {
    route: 'GET /transparency/checkpoint',
    access: 'public',
    extension: true,
    summary: 'Show how large the log of certificates and of the audit trail is, signed',
    description:
      'The newest checkpoint (C2SP tlog-checkpoint) as a signed note. Whoever keeps one can show later that nothing which was ' +
      'in the log then was changed or removed. Not found until the log has its first entry.',
    reply: z.string(),
    problems: ['not_found'],
    produces: 'text/plain; charset=utf-8',
  },
  tile: {
    route: 'GET /transparency/tile',
    access: 'public',
    extension: true,
    summary: 'Get the download URL of a tile of hashes, or of a bundle of entries, of the log',
    description: 'Paths and contents are those of C2SP tlog-tiles; entries are digests. Valid for five minutes.',
    query: z.strictObject({
      path: z.string().max(64).describe('`tile/0/x001/234` or `tile/entries/000.p/17`'),
    }),
    reply: z.object({ url: z.string(), expiresAt: Timestamp }),
    problems: ['not_found'],
  },
  receipt: {
    route: 'GET /transparency/receipt',
    access: 'public',
    extension: true,
    summary: 'Show that a certificate is in the log, also after its job was deleted',
    description:
      'A proof as C2SP tlog-proof writes it. The entry is made of digests that only those can tell who have the certificate. Not ' +
      'found until the log has taken it, some minutes after the job ended.',
    query: z.strictObject({
      entry: z
        .string()
        .regex(/^certificate:[0-9a-f]{64}:[0-9a-f]{64}$/)
        .describe('`certificate:`, SHA-256 of the id of the job, `:`, SHA-256 of the payload of the certificate'),
    }),
    reply: z.string(),
    problems: ['not_found'],
    produces: 'text/plain; charset=utf-8',
  },
  consistency: {
    route: 'GET /transparency/consistency',
    access: 'public',
    extension: true,
    summary: 'Show that the log has only grown between two sizes',
    description: 'The hashes of RFC 6962, 2.1.2, for checkpoints of these sizes.',
    query: z.strictObject({
      first: Size,
      second: Size.optional().describe('That of the newest checkpoint by default'),
    }),
    reply: z.object({ first: z.int(), second: z.int(), path: z.array(z.string().describe('SHA-256, in base64')) }),
    problems: ['not_found'],
  },
} as const satisfies Resource
