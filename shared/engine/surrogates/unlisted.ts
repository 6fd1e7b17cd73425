import type { Keyed } from './keyed.ts'
import type { Known } from './lexicon.ts'
import { capital, partsOf } from './made-up.ts'
import { fold } from './spelling.ts'
import { difference, similar, widthOf } from './width.ts'

/** Names made up, of which the one of the closest width is taken. */
const enough = 12

/** What makes surnames that no list has for others that none has, of parts of the surnames of a language. */
export function createUnlisted(
  known: ReadonlyMap<string, Known>,
  keyed: Keyed,
  wanted: number | undefined,
  isFree: (name: string) => boolean,
): (folded: string) => string {
  const parts = new Map<number, string[][]>()
  const partsIn = (language: number) => {
    const before = parts.get(language)
    if (before) return before
    const own = [...known.values()].filter(({ surname }) => surname & (1 << language))
    const made = partsOf(own.map(({ text }) => text)).map(counted => [...counted.keys()])
    parts.set(language, made)
    return made
  }
  return folded => {
    const language = /[\u0400-\u04ff]/.test(folded) ? 16 : /[\u0370-\u03ff]/.test(folded) ? 17 : (wanted ?? 0)
    const [begins = [], goesOn = [], ends = []] = partsIn(language)
    const width = widthOf(folded)
    let closest: { name: string; unlike: number } | undefined
    for (let draw = 1; ; draw++) {
      const number = keyed.hash(`surname|${draw}|${folded}`)
      const begin = begins[number % begins.length]!
      const middle = goesOn[Math.floor(number / begins.length) % goesOn.length]!
      const end = ends[Math.floor(number / begins.length / goesOn.length) % ends.length]!
      const name = capital(begin + middle + end)
      if (!isFree(name) || fold(name) === folded) continue
      const unlike = difference(widthOf(fold(name)), width)
      if (!closest || unlike < closest.unlike) closest = { name, unlike }
      if (draw >= enough || closest.unlike <= similar) return closest.name
    }
  }
}
