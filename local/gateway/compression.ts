import { constants, gzipSync } from 'node:zlib'
import type { Reply } from './answers.ts'

/** Nothing is won by a smaller answer where client and service are on the same machine. */
const level = constants.Z_BEST_SPEED

/** An answer as API Gateway compresses it: from a size on, for clients that take gzip, and not twice. */
export function compressed(reply: Reply, accepted: string | string[] = '', from = Number.POSITIVE_INFINITY): Reply {
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted))
  const isEncoded = Object.keys(reply.headers).some(name => name.toLowerCase() === 'content-encoding')
  if (!takesGzip || isEncoded || Buffer.byteLength(reply.body) < from) return reply
  return { ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' }, body: gzipSync(reply.body, { level }) }
}
