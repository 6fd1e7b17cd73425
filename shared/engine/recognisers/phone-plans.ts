import type { CountryCode } from 'libphonenumber-js'

/** How the numbers of a country are written inside of it. */
export type Plan = {
  region: CountryCode
  /** All digits, with the 0 that leads to another area where there is one. */
  digits: RegExp
  /**
   * Lengths of the groups and what stands between them (`3 4 4`), as people write them without a word that says what it is;
   * `n` stands for ten digits or more. Other forms need such a word.
   */
  shapes: readonly RegExp[]
  /** Score of such a form: a number that must begin with 0 says more than one that may begin with any digit. */
  sure: number
  /** Numbers that are told without any group: those of mobile telephones that begin with 0. */
  mobile?: RegExp
  /** Numbers kept for plays and examples, which the numbering plan gives to nobody and texts hold nevertheless. */
  fictitious?: RegExp
}

/** Two groups or more, the first with the 0 perhaps in brackets, then a stroke, a hyphen or a blank. */
const area = /^(?:\([2-6]\) ?|[2-6](?: ?[/–-] ?| ))[\dn](?:[ –-][\dn]){0,4}$/
/** The same in groups of one or two, as letterheads space them: `0 62 21 / 56 69 99`. */
const spaced = /^1(?: 2){1,2}(?: 1)? ?[/–-] ?[1-4](?: [1-3]){0,4}$/
const pairs = /^2(?<sign>[ .–-]?)2(?:\k<sign>2){3}$/
const threes = /^3(?<sign>[ –-])3\k<sign>3$/
const iberian = /^(?:3[ –-]2 2 2|3-2-2-2|2[ –-]3[ –-]2[ –-]2|3[ -]6)$/

/** Sources: the national numbering plans as ITU-T publishes them, with the groups that its Recommendation E.123 and use give. */
export const plans: readonly Plan[] = [
  { region: 'FR', digits: /^0[1-9]\d{8}$/, shapes: [pairs], sure: 0.7, mobile: /^0[67]/ },
  {
    region: 'GB',
    digits: /^0[1-37-9]\d{8,9}$/,
    shapes: [/^(?:\([3-6]\) ?|[3-6][ –-])[\dn](?:[ –-][\dn]){0,2}$/],
    sure: 0.65,
    mobile: /^07[1-9]\d{8}$/,
    fictitious: /^(?:07700900|01632960)\d{3}$/,
  },
  {
    region: 'CH',
    digits: /^0[2-9]\d{8}$/,
    shapes: [/^\(?3\)?[ .–/-]{1,2}3(?<sign>[ .–-])2\k<sign>2$/],
    sure: 0.65,
    mobile: /^07[5-9]/,
  },
  {
    region: 'SE',
    digits: /^0[1-9]\d{6,8}$/,
    shapes: [/^[2-4] ?[–-] ?[23](?: ?[23]){1,2}$/],
    sure: 0.65,
    mobile: /^07\d{8}$/,
  },
  {
    region: 'BE',
    digits: /^0[1-9]\d{7,8}$/,
    shapes: [/^[2-4][ /.–-][23](?:[ .][23]){1,2}$/],
    sure: 0.6,
    mobile: /^04\d{8}$/,
  },
  {
    region: 'NL',
    digits: /^0[1-9]\d{8}$/,
    shapes: [/^2[ –-]{1,3}(?:8|4[ ]4|2 2 2 2)$/, /^\(?[34]\)?[ –-]{1,3}(?:[67]|3[ ][34]|2 2 [23])$/],
    sure: 0.6,
    mobile: /^06/,
  },
  { region: 'DE', digits: /^0[1-9]\d{5,10}$/, shapes: [area, spaced], sure: 0.6, mobile: /^01[567]\d{8,9}$/ },
  {
    region: 'AT',
    digits: /^0[1-9]\d{5,12}$/,
    shapes: [area, spaced],
    sure: 0.6,
    mobile: /^06[5-9]\d{7,8}$/,
  },
  {
    region: 'IE',
    digits: /^0[1-9]\d{6,8}$/,
    shapes: [/^\(?[2-4]\)?[ –-][3-7](?: [34])?$/],
    sure: 0.6,
    mobile: /^08[35-9]\d{7}$/,
  },
  { region: 'FI', digits: /^0[1-9]\d{5,9}$/, shapes: [/^[2-4][ –-][3-7](?: [2-4]){0,2}$/], sure: 0.6 },
  {
    region: 'IT',
    digits: /^(?:0[1-9]\d{5,9}|3\d{8,9})$/,
    shapes: [/^[2-4][ /–-][3-8](?:[ –-][2-4]){0,2}$/, /^3(?<sign>[ .–-])3\k<sign>[34]$/],
    sure: 0.6,
  },
  {
    region: 'US',
    digits: /^1?[2-9]\d{2}[2-9]\d{6}$/,
    shapes: [/^(?:1[ .–-])?(?:\(3\) ?|3[ .–-])3[ .–-]4$/],
    sure: 0.75,
  },
  { region: 'ES', digits: /^[6-9]\d{8}$/, shapes: [iberian, threes], sure: 0.55 },
  { region: 'PT', digits: /^[29]\d{8}$/, shapes: [threes, iberian], sure: 0.55 },
  { region: 'PL', digits: /^[1-9]\d{8}$/, shapes: [threes, /^(?:2|\(2\))[ –-]3[ –-]2[ –-]2$/], sure: 0.55 },
  { region: 'NO', digits: /^[2-9]\d{7}$/, shapes: [/^(?:2 2 2 2|3 2 3)$/], sure: 0.55 },
  { region: 'DK', digits: /^[2-9]\d{7}$/, shapes: [/^2 2 2 2$/], sure: 0.55 },
]
