/**
 * How a country writes postcodes. `form` is of a whole one; `own` says how many characters at its end tell a street rather than
 * a town, which the list of towns leaves out; `isClear` that no other country of the list writes them so.
 */
type PostcodeForm = { form: RegExp; own?: number; isClear?: boolean; isLast?: boolean }

const [four, five, spaced, six]: PostcodeForm[] = [
  { form: /^\d{4}$/ },
  { form: /^\d{5}$/ },
  { form: /^\d{3} ?\d{2}$/ },
  { form: /^\d{6}$/ },
]

/** The countries of the list of towns, those first whose towns are likelier meant where a name or postcode is of several. */
export const postcodeForms: Readonly<Record<string, PostcodeForm>> = {
  DE: five!,
  FR: five!,
  IT: five!,
  ES: five!,
  GB: { form: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, own: 3, isClear: true, isLast: true },
  NL: { form: /^\d{4} ?[A-Z]{2}$/, own: 2, isClear: true },
  AT: four!,
  CH: four!,
  BE: four!,
  PL: { form: /^\d{2}-\d{3}$/, isClear: true },
  SE: spaced!,
  CZ: spaced!,
  DK: four!,
  NO: four!,
  FI: five!,
  PT: { form: /^\d{4}(?:-\d{3})?$/ },
  RO: six!,
  HU: four!,
  TR: five!,
  SK: spaced!,
  GR: spaced!,
  RU: six!,
  IE: { form: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/, own: 4, isClear: true, isLast: true },
  LU: four!,
  US: { form: /^\d{5}(?:-\d{4})?$/, isLast: true },
  BR: { form: /^\d{5}-\d{3}$/, isClear: true },
  MX: five!,
  CA: { form: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, own: 3, isClear: true, isLast: true },
  AU: { form: /^\d{4}$/, isLast: true },
  NZ: { form: /^\d{4}$/, isLast: true },
  ZA: { form: /^\d{4}$/, isLast: true },
}

/** Any postcode, for expressions; letters that say its country are no part of it. */
export const anyPostcode = [
  String.raw`\d{4} ?[A-Z]{2}(?![\p{L}\d])`,
  String.raw`\d{2}-\d{3}`,
  String.raw`\d{4}-\d{3}`,
  String.raw`\d{5}-\d{3,4}`,
  String.raw`\d{3} \d{2}`,
  String.raw`\d{3,6}`,
  String.raw`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}`,
  String.raw`[A-Z]\d[A-Z] ?\d[A-Z]\d`,
  String.raw`[A-Z]\d[\dW] ?[A-Z\d]{4}`,
].join('|')

const bare = (code: string) => code.replace(/[^0-9A-Z]/g, '')

/** The part of a postcode that the list of towns has, without what stands between its characters. */
export function townPart(code: string, country: string): string {
  const plain = bare(code)
  const own = postcodeForms[country]?.own ?? 0
  return country === 'US' ? plain.slice(0, 5) : plain.slice(0, plain.length - own)
}

/** A postcode of the list written as another one is, with what `rest` makes of that one's own end. */
export function writtenLike(code: string, listed: string, country: string, rest: (own: string) => string): string {
  const plain = bare(code)
  const part = townPart(code, country)
  const own = plain.slice(part.length)
  // Portuguese postcodes may be cut after four digits.
  const made = postcodeForms[country]?.own ? listed : listed.slice(0, part.length)
  const joined = made + (own && rest(own))
  if (joined.length !== plain.length) return `${made}${/ /.test(code) ? ' ' : ''}${joined.slice(made.length)}`
  let next = 0
  return code.replace(/[0-9A-Z]/g, () => joined[next++]!)
}
