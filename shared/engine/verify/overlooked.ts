import type { Detector } from '../detect/span.ts'
import type { Expected, Leak } from '../formats/format.ts'

/** A text without what readers set as they like: spaces, signs, accents, case. */
const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/**
 * Of the places that show more than they should, those where the rules find what is neither one of the values that they
 * found in the input nor to be shown there: the format's reader has overlooked it, so nothing covers or removes it.
 */
export async function overlooked(
  leaks: readonly Leak[],
  { visible }: Pick<Expected, 'visible'>,
  values: readonly string[],
  detector: Detector,
): Promise<Leak[]> {
  const shown = leaks.filter(({ unexpected }) => unexpected !== undefined)
  if (shown.length === 0) return []
  const segments = shown.map(({ place, unexpected = '' }) => ({ place, text: unexpected, visible: true }))
  const found = await detector.detect(segments)
  const known = values.map(bare)
  return shown.filter(({ place, unexpected = '' }, index) => {
    const expected = bare(
      visible
        .filter(({ place: { kind, page } }) => kind === place.kind && page === place.page)
        .map(({ text }) => text)
        .join(''),
    )
    return found[index]!.some(({ start, end }) => {
      const value = bare(unexpected.slice(start, end))
      return !expected.includes(value) && !known.some(text => text.includes(value))
    })
  })
}
