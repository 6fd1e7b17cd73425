import { egressPolicy } from '../../shared/sources/addresses.ts'
import { defaultLimits, type SourceContext } from '../../shared/sources/connector.ts'
import { guardedDial } from '../../shared/sources/egress.ts'

/** A context that may connect to this machine, as the local cloud's does. */
export const localContext = (changes: Partial<SourceContext> = {}): SourceContext => ({
  dial: guardedDial(egressPolicy('127.0.0.0/8,::1/128')),
  signal: new AbortController().signal,
  limits: defaultLimits,
  ...changes,
})

/** A name for this machine: the certificates of the tests hold it. */
export const host = 'localhost'

/** Everything of a stream as bytes. */
export async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
