import type { Expected, FormatContext, Input, Leak, OpenFile } from '../format.ts'
import { openText, verifyText } from '../text/text-file.ts'
import { extractHtml } from './read.ts'
import { rereadHtml } from './verify-reader.ts'

const declared = (bytes: Buffer) =>
  /<(?:meta\s[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 4096))?.[1]

/** Opens HTML; see `Format.open`. */
export const openHtml = (input: Input, context: FormatContext): Promise<OpenFile> =>
  openText(input, context, extractHtml, declared)

/** Verifies HTML; see `Format.verify`. */
export const verifyHtml = (output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> =>
  verifyText(output, expected, context, rereadHtml, declared)
