import { formsOf, languagesWithCases } from './inflection.ts'
import { languages } from './lists/decode.ts'
import { fold } from './spelling.ts'

/** Endings of women's surnames, what stands for them in those of men, of which the lists are, and back; by language. */
const feminine: { language: string; ending: RegExp; stem: string; target: RegExp; added: string }[] = [
  { language: 'ru', ending: /(ов|ев|ёв|ин|ын)а$/u, stem: '$1', target: /(ов|ев|ёв|ин|ын)$/u, added: '$1а' },
  { language: 'ru', ending: /(ск|цк)ая$/u, stem: '$1ий', target: /(ск|цк)ий$/u, added: '$1ая' },
  { language: 'pl', ending: /(s|c|dz)ka$/u, stem: '$1ki', target: /(s|c|dz)ki$/u, added: '$1ka' },
  { language: 'cs', ending: /ová$/u, stem: '', target: /(?<=[^aeiouyáéíóúý])$/u, added: 'ová' },
  { language: 'el', ending: /(η|α)$/u, stem: '$1ς', target: /(η|α|ή|ά)ς$/u, added: '$1' },
]

/** The surname of men for that of a woman, where it is known, and what makes one of women of another. */
export function feminineOf(text: string, isKnown: (folded: string) => boolean) {
  const plain = text.toLowerCase()
  for (const { ending, stem, target, added } of feminine) {
    if (!ending.test(plain)) continue
    const man = fold(plain.replace(ending, stem))
    if (isKnown(man)) return { man, make: (name: string) => name.replace(target, added) }
  }
  return undefined
}

/** Languages whose names have other forms than in the nominative of men, as bits. */
const inflecting = [...languagesWithCases, 'el'].reduce(
  (mask, language) => mask | (1 << languages.indexOf(language)),
  0,
)

/**
 * Whether a test holds for a way in which a name of some languages stands in texts, as `fold` makes them: of women, in other cases,
 * of what somebody owns.
 */
export function someForm(name: string, mask: number, test: (folded: string) => boolean): boolean {
  const folded = fold(name)
  return test(folded) || test(`${folded}s`) || ((mask & inflecting) !== 0 && otherForms(name, mask).some(test))
}

function otherForms(name: string, mask: number): string[] {
  const plain = name.toLowerCase()
  const has = (language: string) => (mask & (1 << languages.indexOf(language))) !== 0
  const women = feminine.filter(({ language, target }) => has(language) && target.test(plain))
  const others = women.map(({ target, added }) => plain.replace(target, added))
  const inflected = languagesWithCases
    .filter(has)
    .flatMap(language => [
      ...formsOf(plain, language, 'm'),
      ...[plain, ...others].flatMap(one => formsOf(one, language, 'f')),
    ])
  return [...others, ...inflected].map(fold)
}
