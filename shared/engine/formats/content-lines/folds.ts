import { isUtf8 } from 'node:buffer'
import { bufferInput, readAll } from '../../input.ts'
import type { Input } from '../format.ts'

/** A character of UTF-8 that is cut by a fold, in bytes. */
const cut = /([\xc2-\xf4][\x80-\xbf]{0,2})((?:\r\n?|\n)[ \t])([\x80-\xbf]{1,3})/g

/**
 * A file with the folds of its lines behind the characters of UTF-8 within which they stood, as programs put them that count
 * bytes; any other file as it is.
 */
export async function wholeCharacters(input: Input, limit: number): Promise<Input> {
  const bytes = await readAll(input, limit)
  if (isUtf8(bytes)) return bufferInput(input.name, bytes)
  const moved = Buffer.from(Buffer.from(bytes).toString('latin1').replace(cut, '$1$3$2'), 'latin1')
  return bufferInput(input.name, isUtf8(moved) ? moved : bytes)
}
