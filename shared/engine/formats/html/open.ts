import type { Expected, FormatContext, Input, Leak, OpenFile } from '../format.ts'
import { openText, verifyText } from '../text/text-file.ts'
import { collapsed, extractHtml } from './read.ts'

const declared = (bytes: Buffer) =>
  /<(?:meta\s[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 4096))?.[1]

/** Opens HTML; see `Format.open`. */
export const openHtml = (input: Input, context: FormatContext): Promise<OpenFile> =>
  openText(input, context, extractHtml, declared)

/** Verifies HTML; see `Format.verify`. A replacement may put blanks next to others, of which browsers show one. */
export const verifyHtml = (output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> =>
  verifyText(output, expected, context, extractHtml, declared, collapsed)
