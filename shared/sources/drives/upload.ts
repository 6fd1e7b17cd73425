import type { Readable } from 'node:stream'
import { SourceError } from '../errors.ts'
import type { Http, HttpAnswer } from '../http.ts'

/**
 * Sends a body to an upload session in pieces of `piece` bytes (the last one smaller), each with its range. The server
 * says after each how far it has come (`next`; undefined once it is complete), so that what it missed is sent again.
 */
export async function uploadPieces(
  http: Http,
  url: string,
  {
    body,
    size,
    piece,
    next,
  }: { body: Readable; size: number; piece: number; next(answer: HttpAnswer): Promise<number | undefined> },
): Promise<void> {
  if (new URL(url).protocol !== 'https:') throw new SourceError('source_egress_denied')
  let held = Buffer.alloc(0)
  let from = 0
  const source = body[Symbol.asyncIterator]()
  for (let ended = false; ; ) {
    while (!ended && held.length < piece) {
      const { value, done } = await source.next()
      if (done) ended = true
      else held = Buffer.concat([held, Buffer.from(value)])
    }
    const part = held.subarray(0, piece)
    if (from + part.length > size || (ended && from + held.length !== size))
      throw new SourceError('source_failed', 'The result is not as long as was said')
    const answer = await http.request(url, {
      method: 'PUT',
      // The address itself is the permission: it must not get the token too.
      headers: {
        'content-range': `bytes ${from}-${from + part.length - 1}/${size}`,
        'content-type': 'application/octet-stream',
      },
      body: part,
      accept: [308, 416],
    })
    const upTo = await next(answer)
    if (upTo === undefined) return
    if (!(upTo >= from && upTo <= from + part.length)) throw new SourceError('source_failed')
    held = held.subarray(upTo - from)
    from = upTo
    if (ended && !held.length) throw new SourceError('source_failed', 'The source does not confirm the upload')
  }
}
