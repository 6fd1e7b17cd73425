import { textOf } from '../formats/text/code-encoding.ts'
import { type Codes, codesBySearch } from './code-search.ts'

/** Letters of the longest, and of the shortest. */
const most = 15
const fewest = 10
const isLetter = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w+/-]/.test(String.fromCharCode(code))))
const letterAt = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code < 128 && isLetter[code] === 1
}

/** Finds the short texts in base64 that are told from words by what pads them: `Sm9uYXMgQmVyZw==`. */
export const paddedCodes = (text: string): Codes =>
  codesBySearch(text.length, from => {
    for (let pad = text.indexOf('=', from); pad >= 0; pad = text.indexOf('=', pad + 1)) {
      let start = pad
      while (start > from && pad - start <= most && letterAt(text, start - 1)) start--
      const letters = pad - start
      const padding = -letters & 3
      if (letters < fewest || letters > most || padding === 3 || padding === 0) continue
      const end = pad + padding
      if (text.slice(pad, end) !== '='.repeat(padding) || text[end] === '=' || letterAt(text, end)) continue
      const said = textOf(Buffer.from(text.slice(start, pad), 'base64'))
      if (said !== undefined) return { start, end, text: said }
    }
    return undefined
  })
