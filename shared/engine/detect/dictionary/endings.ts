/** Endings of names and nouns: what is cut off the end of a word, and what stands in its place in the list. */
const endings: readonly (readonly [cut: string, instead: string])[] = [
  // Genitives and plurals of Germanic and Romance languages.
  ...['s', 'es', 'n', 'en', 'ens', 'e', 'er', 'ern', 'i'].map(cut => [cut, ''] as const),
  // Polish, Czech, Slovak: masculine names, adjectives, and feminine names in -a.
  ...[
    'a',
    'u',
    'ie',
    'em',
    'iem',
    'owi',
    'ovi',
    'owie',
    'ów',
    'om',
    'ami',
    'ach',
    'ego',
    'emu',
    'm',
    'ová',
    'ové',
    'ou',
  ].map(cut => [cut, ''] as const),
  ...['y', 'i', 'ę', 'ą', 'o', 'ie', 'ej', 'u', 'ou', 'ě'].map(cut => [cut, 'a'] as const),
  ['kiem', 'ek'],
  ['ka', 'ek'],
  ['kowi', 'ek'],
  ['niem', 'eń'],
  // Cyrillic: masculine names, and feminine names in -а.
  ...['а', 'у', 'ом', 'ем', 'е', 'ым', 'ы', 'ов', 'ам', 'ами', 'ах'].map(cut => [cut, ''] as const),
  ...['ы', 'и', 'у', 'е', 'ой'].map(cut => [cut, 'а'] as const),
]

/** Shortest part of a word that an ending may stand behind, in letters. */
const shortestStem = 3

const longest = Math.max(...endings.map(([cut]) => cut.length))
const byCut = new Map<string, string[]>()
for (const [cut, instead] of endings) byCut.set(cut, [...(byCut.get(cut) ?? []), instead])

/** What a word (in lower case) may be an inflected form of: how many units of it stay, and what follows them. */
export function* stemsOf(word: string): Generator<{ kept: number; instead: string }> {
  for (let length = 1; length <= longest && word.length - length >= shortestStem; length++) {
    const kept = word.length - length
    for (const instead of byCut.get(word.slice(kept)) ?? []) yield { kept, instead }
  }
}
