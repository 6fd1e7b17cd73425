import { readAll } from '../../input.ts'
import type { Format } from '../format.ts'
import { openReader } from './reader.ts'
import { secondReader } from './verify/verify-reader.ts'
import { verifyBytes, verifyLooks, verifyPages } from './verify.ts'

/** Reads an output with both readers and as pictures, and searches its bytes; see `Format.verify`. */
export const checkPdf: Format['verify'] = async (output, expected, context) => {
  const bytes = await readAll(output, context.limits.bytes)
  const reader = await openReader(bytes)
  try {
    const second = await secondReader(bytes, expected.gone.length > 0, context)
    return [
      ...verifyLooks(reader, expected.looks ?? []),
      ...(await verifyPages(reader, expected, second, context)),
      ...verifyBytes(bytes, expected, context.limits.inflatedBytes),
    ]
  } finally {
    reader.close()
  }
}
