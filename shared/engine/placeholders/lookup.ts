import { alphabet, codeLength, type Entry } from './placeholders.ts'

/** Signs that are not seen, which may have come between any two characters. */
const unseen = '[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]*'

/** Where a word may begin: no letter or digit stands before, or one that is an escape of JSON such as \\n. */
export const wordStart = '(?:(?<![\\p{L}\\p{N}])|(?<=\\\\(?-i:[bfnrt])))'

/** What stands for an underscore: the same escaped or encoded, another dash, a blank, marks of emphasis, or nothing. */
const gap = '(?:\\\\?_|%5F|&#95;|&lowbar;|\\\\n|[\\s\\u00ad\\u200b-\\u200d\\u2060\\ufeff\\u2010-\\u2014*`:#-]){0,4}'

/** Signs between two characters of a code. */
const inside = /^[\s\u00ad\u200b-\u200d\u2060\ufeff\u2010-\u2014_-]$/

/** Placeholders by their parts, to look for what a model made of them. */
export type Lookup = {
  byName: ReadonlyMap<string, Entry>
  codes: ReadonlyMap<string, readonly string[]>
  /** A label in any case with what stands for the underscore behind it, where a code may follow. */
  labels: RegExp
}

/** Puts the placeholders of a session in order for looking them up. */
export function createLookup(entries: readonly Entry[]): Lookup {
  const byName = new Map<string, Entry>()
  const codes = new Map<string, string[]>()
  for (const entry of entries) {
    const { placeholder } = entry
    const at = placeholder.lastIndexOf('_')
    const label = placeholder.slice(0, at)
    byName.set(placeholder, entry)
    const ofLabel = codes.get(label) ?? []
    ofLabel.push(placeholder.slice(at + 1))
    codes.set(label, ofLabel)
  }
  // Longer labels first: DATE_OF_BIRTH before DATE.
  const patterns = [...codes.keys()]
    .sort((a, b) => b.length - a.length)
    .map(label =>
      label
        .split('_')
        .map(part => [...part].join(unseen))
        .join(gap),
    )
  const any = patterns.length > 0 ? patterns.join('|') : '(?!)'
  return { byName, codes, labels: new RegExp(`${wordStart}(${any})(S?${gap})(?=[0-9A-Z])`, 'giu') }
}

/** Letters and digits only, in capitals. */
const squeeze = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** The label of a lookup that a stretch is, in another form. */
export function labelOf({ codes }: Lookup, text: string): string | undefined {
  const squeezed = squeeze(text.replace(/%5F|&#95;|&lowbar;|\\n/gi, ''))
  return [...codes.keys()].find(label => label.replaceAll('_', '') === squeezed)
}

/** A beginning of what stands behind a label that may be a code: its signs, and where it ends. */
export type Reading = { code: string; end: number; broken: boolean }

const isSign = (char: string | undefined) => char !== undefined && /[0-9A-Za-z]/.test(char)

/** Every beginning of a text, from `start`, that may be a code: it ends where a word ends, or with the s of a plural. */
export function readCodes(text: string, start: number): Reading[] {
  const readings: Reading[] = []
  let code = ''
  let broken = false
  for (let at = start; code.length < codeLength.most + 2 && at < text.length; at++) {
    const char = text[at]!
    if (isSign(char)) {
      code += char
      if (!isSign(text[at + 1])) readings.push({ code, end: at + 1, broken })
      if (text[at + 1] === 's' && !isSign(text[at + 2])) readings.push({ code, end: at + 1, broken })
    } else if (inside.test(char) && isSign(text[at + 1])) broken ||= true
    else break
  }
  return readings.filter(({ code }) => code.length >= codeLength.least - 1)
}

/** Signs that people and machines take for those of the alphabet. */
const taken: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', U: 'V' }

/** A code as it was surely meant, or nothing where it can't be one: each has a digit and a letter. */
export function meant(code: string): string | undefined {
  if (!/\d/.test(code) || !/[A-Za-z]/.test(code)) return undefined
  return [...code.toUpperCase()].map(sign => taken[sign] ?? sign).join('')
}

/** Whether one code comes of another by one sign that is wrong, missing or too many, or by two that changed places. */
export function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return a === b
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  const swapped =
    restA.length > 1 && restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return swapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** Whether a stretch is written exactly as a placeholder is. */
export const isPlaceholder = (text: string): boolean =>
  new RegExp(`^[A-Z][A-Z0-9_]*_(?=[A-Z]*[0-9])[${alphabet}]{${codeLength.least},${codeLength.most}}$`).test(text)
