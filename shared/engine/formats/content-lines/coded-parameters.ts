import { withoutPadding } from '../../long-runs.ts'
import { codedTextsIn } from '../text/coded-texts.ts'

/** How a parameter in base64 looks that is no short name or number. */
const isCode = (value: string) =>
  /^[\w+/-]{32}/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/[^\w+/-]/.test(withoutPadding(value))

/** A parameter that is a text in base64, as programs write comments: what it says, and how to write it so again. */
export function codedText(value: string): { text: string; encode: (text: string) => string } | undefined {
  const [coded] = codedTextsIn(value)
  return coded?.start === 0 && coded.end === value.length ? coded : undefined
}

/** Whether a parameter is data with words in it, as the addresses are that maps look places up by. */
export function holdsData(value: string): boolean {
  if (!isCode(value)) return false
  const text = Buffer.from(value, 'base64').toString()
  return /\p{L}{4,}/u.test(text) && /[\0-\x08\x0e-\x1f\ufffd]/.test(text)
}
