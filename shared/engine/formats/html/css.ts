import type { SourceRun } from '../text/text-nodes.ts'
import { escapeStyle } from './values.ts'

const escapes = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\n\r\f])|([^0-9a-f\n\r\f]))/gi

const asIs = (text: string) => text

/** A style sheet cut where it holds escapes, so that they are read as what they show. */
export function cssRuns(source: string, start: number, end: number, write = asIs): SourceRun[] {
  const runs: SourceRun[] = []
  let at = start
  const plain = (to: number) => {
    if (to > at) runs.push({ text: source.slice(at, to), start: at, end: to, encode: asIs, escape: replacement })
  }
  const replacement = (text: string) => write(escapeStyle(text))
  for (const { index, 0: found, 1: hex, 3: letter } of source.slice(start, end).matchAll(escapes)) {
    plain(start + index)
    at = start + index + found.length
    const code = Number.parseInt(hex ?? '', 16)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
    const text = letter ?? (isCharacter ? String.fromCodePoint(code) : hex === undefined ? '' : '\ufffd')
    // A line end in an escape shows nothing.
    if (text === '') runs.push({ text, start: at - found.length, end: at })
    else runs.push({ text, start: at - found.length, end: at, encode: replacement })
  }
  plain(end)
  return runs
}
