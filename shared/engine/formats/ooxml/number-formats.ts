import type { SourceRun } from '../text/text-nodes.ts'
import { encodeXml } from '../xml/text.ts'
import { decoded } from './formulas.ts'

const token = /"(?<literal>[^"]*)"?|(?<escaped>(?:\\[\s\S])+)|(?<word>\p{L}{2,}\d*)/gu
const code =
  /^(?:([ymdhsegba])\1*|(?:yy(?:yy)?|m{2,5}|d{2,4}|hh|ss)+|general|standard|am|pm|black|blue|cyan|green|magenta|red|white|yellow|colou?r\d+|dbnum\d+|natnum\d+)$/i

/** The texts of a number format: what it writes beside the number. Its codes and the colours that it knows are no text. */
export function numberFormatRuns(raw: string, start: number): SourceRun[] {
  const { text, places } = decoded(raw)
  const runs: SourceRun[] = []
  for (const { index, 0: found, groups = {} } of text.matchAll(token)) {
    const { literal, escaped, word } = groups
    if (word !== undefined && code.test(word)) continue
    const own = literal ?? escaped?.replace(/\\([\s\S])/g, '$1') ?? word!
    if (!/\p{L}|\d/u.test(own)) continue
    const from = index + (literal === undefined ? 0 : 1)
    const to = from + (literal ?? found).length
    const encode = (out: string) => {
      const bare = out.replaceAll('"', '')
      if (literal !== undefined) return encodeXml(bare)
      return encodeXml(escaped === undefined ? `"${bare}"` : bare.replace(/[\s\S]/gu, '\\$&'))
    }
    runs.push({ text: own, start: start + places(from), end: start + places(to), encode })
  }
  return runs
}

/** What a search for values is to see of a number format. */
export const numberFormatText = (format: string): string =>
  format.replace(/\p{L}{2,}\d*/gu, word => (code.test(word) ? '' : word))
