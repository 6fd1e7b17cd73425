import { aside } from '../../detect/normalise.ts'

/** A stretch of a mask: places for digits (`0`, `#`, `?`), or what is written as it is. */
type Stretch = { places: string } | { literal: string }

/** What a number format writes around the digits of the numbers that a condition holds for, unless it shows them otherwise. */
type Section = { holds: (value: number) => boolean; stretches: Stretch[]; isOther?: true }

/** The sections of a number format that shows whole numbers digit by digit, as those of telephones and of insurances do. */
export type NumberMask = readonly Section[]

const token =
  /"(?<quoted>[^"]*)"|\\(?<escaped>[\s\S])|[_*][\s\S]|\[(?:(?<sign><>|[<>]=?|=)(?<bound>-?\d+)|\$(?<currency>[^\]-]*)(?:-[^\]]*)?|(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+))\]|(?<places>[0#?]+)|(?<bare>[-+() ]+)|(?<end>;)|(?<other>[\s\S])/giu

const conditions: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
  '<>': (value, bound) => value !== bound,
}

const always = () => true

/**
 * The mask that a number format is; nothing where it shows numbers as such, in groups, with fractions or as dates, or
 * writes nothing in front of a digit and pads no number with zeros.
 */
export function numberMask(code: string): NumberMask | undefined {
  const sections: Section[] = [{ holds: always, stretches: [] }]
  for (const { groups = {} } of code.matchAll(token)) {
    const { other, end, sign, bound, places, quoted, escaped, bare, currency } = groups
    const section = sections.at(-1)!
    if (other !== undefined) section.isOther = true
    else if (end !== undefined) sections.push({ holds: always, stretches: [] })
    else if (sign !== undefined) section.holds = value => conditions[sign]!(value, Number(bound))
    else if (places !== undefined) section.stretches.push({ places })
    else section.stretches.push({ literal: quoted ?? escaped ?? bare ?? currency ?? '' })
  }
  return sections.some(({ stretches, isOther }) => !isOther && changesDigits(stretches)) ? sections : undefined
}

function changesDigits(stretches: readonly Stretch[]): boolean {
  const isPlaces = (stretch: Stretch) => 'places' in stretch
  const [first, last] = [stretches.findIndex(isPlaces), stretches.findLastIndex(isPlaces)]
  const places = stretches.map(stretch => ('places' in stretch ? stretch.places : '')).join('')
  const isPadded = places.includes('0') && places.indexOf('0') < places.length - 1
  const isWritten = (stretch: Stretch, at: number) =>
    'literal' in stretch && at < last && (at > first ? stretch.literal !== '' : /\S/.test(stretch.literal))
  return isPadded || stretches.some(isWritten)
}

/**
 * What a mask shows of a whole number, with marks around all that it writes beside the digits, so that rules read it with
 * that and without; nothing where it shows but the digits. Negative numbers and fractions are left as they are.
 */
export function maskedNumber(value: string, mask: NumberMask): string | undefined {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number <= 0) return undefined
  const { stretches = [], isOther } = mask.find(({ holds }) => holds(number)) ?? {}
  if (isOther) return undefined
  const places = stretches.map(stretch => ('places' in stretch ? stretch.places : '')).join('')
  if (places === '') return undefined
  const shown = shownPlaces(String(number), places)
  const text = stretches.flatMap(stretch =>
    'places' in stretch ? shown.splice(0, stretch.places.length) : [setAside(stretch.literal)],
  )
  const marked = text.join('').replaceAll(aside + aside, '')
  return marked.includes(aside) ? marked : undefined
}

const setAside = (text: string) => (text === '' ? '' : `${aside}${text}${aside}`)

/** What each place shows: the first one also the digits that there is no place for, and those in front of the digits zeros or blanks. */
function shownPlaces(digits: string, places: string): string[] {
  const lacking = places.length - digits.length
  const padded = places.indexOf('0')
  return [...places].map((place, at) => {
    if (at === 0 && lacking < 0) return digits.slice(0, 1 - lacking)
    if (at >= lacking) return digits[at - lacking]!
    if (padded >= 0 && at >= padded) return setAside('0')
    return setAside(place === '?' ? ' ' : '')
  })
}
