import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { decodedAgain } from '../text/verify-decoder.ts'

const place = { kind: 'body' } as const

/** Reads the output by another decoder than the writer's: its text must be the expected one, and hide no value. */
export async function verifyPlain(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const digest = textDigest()
  const scan = byteScan(expected.gone)
  digest.add({ text: '' })
  for await (const text of decodedAgain(output, context)) {
    digest.add({ text, before: '' })
    scan.push(Buffer.from(text, 'utf8'))
  }
  if (digest.hex() !== expected.digest)
    return [{ type: 'leak_detected', place, reason: 'The text is not the expected one' }]
  // The text is the expected one, so what stands in it as it is was left there by decision.
  const { plain, hidden } = scan.found()
  const left = [...hidden].filter(value => !plain.has(value))
  return left.length === 0
    ? []
    : [{ type: 'leak_detected', place, reason: 'A replaced value stands in an encoded form' }]
}
