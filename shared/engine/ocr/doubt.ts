import { EngineError } from '../errors.ts'
import type { OcrWord } from './picture.ts'

/** Words from which a picture looks like text. */
const fewest = 5
/** Mean confidence, from 0 to 1, below which what was read is hardly more than guessed. */
const guessed = 0.5

/**
 * Says which pictures look like text that could hardly be read. Throws `unsupported_format` where the option
 * `ocrMinConfidence` (0 to 1) asks for more than what was read has.
 */
export function doubtfulReadings(
  readings: readonly { page: number; words: readonly OcrWord[]; confidence: number }[],
  options: Record<string, unknown>,
): string[] {
  const least = Number(options.ocrMinConfidence ?? 0)
  const text = readings.filter(({ words }) => words.length >= fewest)
  const refused = text.find(({ confidence }) => confidence < least)
  if (refused)
    throw new EngineError(
      'unsupported_format',
      `The text in pictures on page ${refused.page} cannot be read well enough`,
      [`page ${refused.page}`],
    )
  const pages = text.filter(({ confidence }) => confidence < guessed).map(({ page }) => page)
  return pages.length > 0
    ? [`Text in pictures could hardly be read on: ${pages.map(page => `page ${page}`).join(', ')}`]
    : []
}
