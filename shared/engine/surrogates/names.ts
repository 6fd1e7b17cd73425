import type { Keyed } from './keyed.ts'
import {
  type Given,
  type Group,
  genderOf,
  groupOf,
  guestsOf,
  type Known,
  listedFor,
  readLexicon,
  smallest,
} from './lexicon.ts'
import { languages } from './lists/decode.ts'
import { createMadeUp } from './made-up.ts'
import { feminineOf, someForm } from './name-forms.ts'
import { isParticle, isTitle } from './name-words.ts'
import type { Names, Role } from './naming.ts'
import { type Avoid, createPool, type Forms, type Pool } from './pool.ts'
import { fold } from './spelling.ts'
import { createUnlisted } from './unlisted.ts'

/** Names whose surrogates are kept. */
const remembered = 50_000

function remembering(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>()
  return text => {
    let known = made.get(text)
    if (known === undefined) {
      known = make(text)
      if (made.size >= remembered) made.clear()
      made.set(text, known)
    }
    return known
  }
}

function roleIn(one: Known | undefined): Role | undefined {
  if (!one || (one.surname && (one.female || one.male))) return undefined
  return one.surname ? 'surname' : 'given'
}

const listedIn =
  (known: ReadonlyMap<string, Known>): Names['isListed'] =>
  (folded, role, language, gender) => {
    const { female = 0, male = 0, surname = 0 } = known.get(folded) ?? {}
    // Finnish cases are the same for both.
    const given = language === 'fi' ? female | male : gender === 'f' ? female : male
    return ((role === 'surname' ? surname : given) & (1 << languages.indexOf(language))) !== 0
  }

const isBeside = (folded: string) => isTitle(folded) || isParticle(folded)

const givenPurpose = (gender: Given, group: Group) => `given|${gender}|${group}`
const surnamePurpose = (group: Group) => `surname|${group}`

/** The forms of names; no surrogate is a title or a particle. */
function formsIn(known: ReadonlyMap<string, Known>) {
  const ofGiven: Forms = {
    some(word, test) {
      const { text = word, female = 0, male = 0, surname = 0 } = known.get(word) ?? {}
      return someForm(text, female | male | surname, test)
    },
    isUnfit: isBeside,
  }
  // Women's surnames stand for women's, whatever list has them.
  const isWomans = (word: string) => feminineOf(known.get(word)!.text, man => known.has(man)) !== undefined
  return { ofGiven, ofSurnames: { ...ofGiven, isUnfit: (word: string) => isBeside(word) || isWomans(word) } }
}

/** Says of a name that is made up whether no list has it, and no value that it shall not be. */
const freedom = (known: ReadonlyMap<string, Known>, avoid: Avoid) => (name: string) => {
  const folded = fold(name)
  if (known.has(folded) || avoid.has(folded)) return false
  return !avoid.isValue || !(isBeside(folded) || someForm(name, -1, avoid.has))
}

/** The lists that names are taken from: which one is a name's as given name and as surname, and what stands for its words. */
function createLists(known: ReadonlyMap<string, Known>, keyed: Keyed, wanted: number | undefined, avoid: Avoid) {
  const forms = formsIn(known)
  const pools = new Map<string, Pool>()
  const poolOf = (purpose: string) => {
    const made = pools.get(purpose)
    if (made) return made
    const { words } = listedFor(known, wanted)
    const own = words.get(purpose) ?? []
    const more = purpose.startsWith('given')
      ? { forms: forms.ofGiven, guests: guestsOf(purpose, words) }
      : { forms: forms.ofSurnames }
    const pool = createPool(own, keyed, purpose, avoid, more)
    pools.set(purpose, pool)
    return pool
  }
  return {
    poolOf,
    given(folded: string): string {
      const one = known.get(folded)
      const mask = one ? one.female | one.male : 0
      const gender = one && mask ? genderOf(one) : 'either'
      const own = givenPurpose(gender, mask ? groupOf(mask, wanted) : (wanted ?? 'international'))
      // A pool of a few names would tell what they stand for.
      return poolOf(own).size >= smallest ? own : givenPurpose(gender, 'international')
    },
    surname(folded: string): string | undefined {
      const mask = known.get(folded)?.surname ?? 0
      return mask ? surnamePurpose(groupOf(mask, wanted)) : undefined
    },
  }
}

/**
 * What other names stand for names, under a key. A listed name becomes a listed one of its gender and language, no two the
 * same one; a surname that no list has becomes one that no list has, made of parts of surnames, and so does a name for which none is
 * left in its list. `avoid` holds names of the text itself, `locale` the language whose names are preferred.
 */
export async function createNames(keyed: Keyed, locale: string | undefined, avoid: Avoid): Promise<Names> {
  const known = await readLexicon()
  const wanted = locale === undefined ? undefined : languages.indexOf(locale)
  const isFree = freedom(known, avoid)
  const { poolOf, ...lists } = createLists(known, keyed, wanted, avoid)

  let makeUp: ReturnType<typeof createMadeUp> | undefined
  const unlisted = createUnlisted(known, keyed, wanted, isFree)
  /** A name for one for which none is left in its list, or that has none. */
  const madeUp = (purpose: string | undefined, folded: string) => {
    makeUp ??= createMadeUp(listedFor(known, wanted).makings(), keyed, isFree)
    return (purpose && makeUp(purpose, folded)) ?? unlisted(folded)
  }

  const given = (folded: string) => {
    const purpose = lists.given(folded)
    const pool = poolOf(purpose)
    const word = pool.has(folded) ? pool.another(folded) : pool.any(keyed.hash(`given|${folded}`), folded)
    return word ? known.get(word)!.text : madeUp(purpose, folded)
  }
  /** Whether what a surname becomes is also a given name, and that of another value: both would be the same by themselves. */
  const isGivens = (word: string, folded: string) => {
    const { female, male } = known.get(word)!
    if (!avoid.isValue?.(folded) || !(female | male)) return false
    const source = poolOf(lists.given(word)).source(word)
    return source !== undefined && avoid.isValue(source)
  }
  const surname = (folded: string) => {
    const purpose = lists.surname(folded)
    const word = purpose && poolOf(purpose).another(folded)
    return word && !isGivens(word, folded) ? known.get(word)!.text : madeUp(purpose, folded)
  }
  const listOf = (folded: string, role: Role) => {
    const purpose = lists[role](folded)
    return purpose === undefined ? undefined : poolOf(purpose)
  }
  const [givenFor, surnameFor] = [remembering(given), remembering(surname)]
  const another = (folded: string, role: Role) => (role === 'given' ? givenFor(folded) : surnameFor(folded))
  const behind = (role: Role) =>
    remembering(folded => {
      const pool = listOf(folded, role)
      return pool?.has(folded) ? known.get(pool.behind(folded, 0))!.text : another(folded, role)
    })
  const [behindGiven, behindSurname] = [behind('given'), behind('surname')]

  return {
    isKnown: folded => known.has(folded),
    isListed: listedIn(known),
    roleOf: folded => roleIn(known.get(folded)),
    another,
    madeUp: folded => madeUp(lists.surname(folded), folded),
    isLeft: (folded, role) => listOf(folded, role)?.isFew === true,
    behind: (folded, role) => (role === 'given' ? behindGiven(folded) : behindSurname(folded)),
  }
}
