import { type Readable, Transform } from 'node:stream'
import type { SourceContext } from './connector.ts'
import { SourceError, toSourceError } from './errors.ts'

/**
 * A body that ends in a typed failure when it breaks off, grows beyond the limit of bytes, stays silent too long or the
 * call is aborted, and that calls `close` once, however it ends.
 */
export function bounded(
  source: Readable,
  { limits, signal }: SourceContext,
  close: () => void = () => {},
  translate: (error: unknown) => Error = toSourceError,
): Readable {
  let bytes = 0
  let silence: NodeJS.Timeout | undefined
  const body = new Transform({
    readableHighWaterMark: 256 * 1024,
    transform(chunk: Buffer, _, done) {
      silence?.refresh()
      bytes += chunk.length
      if (bytes > limits.bytes) return done(new SourceError('source_limit_exceeded'))
      done(null, chunk)
    },
    destroy(error, done) {
      clearInterval(silence)
      signal.removeEventListener('abort', abort)
      source.destroy()
      close()
      done(error)
    },
  })
  const abort = () => body.destroy(toSourceError(signal.reason))
  // Silence is the source's only while somebody reads: a reader that rests does not make the source slow.
  silence = setInterval(() => {
    if (!body.readableLength) body.destroy(new SourceError('source_timeout'))
  }, limits.idleMs)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  // Stays: a connection may fail once more while it is torn down.
  source.on('error', error => body.destroy(translate(error)))
  source.once('close', () => {
    if (!source.readableEnded) body.destroy(new SourceError('source_connection_lost'))
  })
  source.pipe(body)
  return body
}
