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

let loaded: Promise<TellLanguage> | undefined

async function load(): Promise<TellLanguage> {
  const { eld } = await import('eld/extrasmall')
  return text => {
    const told = eld.detect(sampleOf(text))
    return told.isReliable() ? told.language : undefined
  }
}

/** Loads what tells languages, once; it takes no files and no network. */
export const loadLanguages = (): Promise<TellLanguage> => {
  loaded ??= load()
  return loaded
}
