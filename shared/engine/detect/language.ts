/** Tells the language of a text by its first letters: ISO 639-1, undefined where it is too short or too mixed to tell. */
export type TellLanguage = (text: string) => string | undefined

/** A language without its region and script: `de` of `de-AT`. */
export const primary = (language: string): string => language.split('-', 1)[0]!

/** Characters of a long text that are looked at, in so many places of it. */
const looked = 120
const places = 3

/** Stretches from the beginning, the middle and the end of a text, cut between words. */
function sampleOf(text: string): string {
  if (text.length <= looked * places * 2) return text
  const step = Math.floor((text.length - looked) / (places - 1))
  return Array.from({ length: places }, (_, place) =>
    text.slice(place * step, place * step + looked).replace(/^\S*\s|\s\S*$/g, ''),
  ).join(' ')
}

/** What tells a language by itself, where the letters of a text are too few: Japanese by its kana, before the ideographs of Chinese. */
const scripts: readonly [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
]

/** The language of a text by its script, if half of its letters are of one that tells it. */
function byScript(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu) ?? []
  const own = letters.filter(letter => scripts.some(([script]) => script.test(letter)))
  if (own.length * 2 < Math.max(letters.length, 1)) return undefined
  return scripts.find(([script]) => script.test(own.join('')))?.[1]
}

let loaded: Promise<TellLanguage> | undefined

async function load(): Promise<TellLanguage> {
  const { eld } = await import('eld/extrasmall')
  return text => {
    const sample = sampleOf(text)
    const told = eld.detect(sample)
    return told.isReliable() ? told.language : byScript(sample)
  }
}

/** Loads what tells languages, once; it takes no files and no network. */
export const loadLanguages = (): Promise<TellLanguage> => {
  loaded ??= load()
  return loaded
}
