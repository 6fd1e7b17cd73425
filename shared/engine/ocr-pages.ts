import type { AnonymiseCall } from './anonymise.ts'
import { EngineError } from './errors.ts'
import { registry, sniff } from './formats/index.ts'
import { defaultLimits } from './limits.ts'
import type { KnownPictures, PendingIn } from './ocr/cache.ts'

/**
 * Reads the pictures on some pages (from 0) of an asset, or of an output that is still to be verified: what `OcrPending` asked
 * for. Given with all else that is known to the next `anonymise`, it goes on from there.
 */
export async function ocrPages(
  call: Pick<AnonymiseCall, 'input' | 'limits' | 'options' | 'signal'> & {
    pages: readonly number[]
    where: PendingIn
    known: KnownPictures
  },
): Promise<KnownPictures> {
  const { input, pages, where, known, signal, options = {} } = call
  const format = await sniff(input)
  if (!format.read) throw new EngineError('internal')
  const limits = { ...defaultLimits, ...call.limits }
  return format.read(input, pages, where, {
    registry,
    limits,
    signal,
    options,
    readings: { known, most: pages.length },
  })
}
