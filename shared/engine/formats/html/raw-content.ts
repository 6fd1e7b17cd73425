import { EngineError } from '../../errors.ts'
import { jsonReader } from '../json/read.ts'
import { nameWording } from '../office/wording.ts'
import { codedTextsIn } from '../text/coded-texts.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { cssRuns } from './css.ts'
import { betweenAddresses } from './data-addresses.ts'
import { type HtmlReading, hide, hideStretch, same } from './parse-state.ts'
import { escapeScript } from './values.ts'

/** Reads the content of an element whose content is not markup: scripts, styles and the like. */
export function readRaw(reading: HtmlReading, start: number, end: number): void {
  const { html, raw, scriptType, encodeText } = reading
  if (raw === 'script' && /json/i.test(scriptType) && readJson(reading, start, end)) return
  const wording = raw === 'script' || raw === 'style' ? 'code' : undefined
  const runOf = (from: number, to: number) => {
    if (raw === 'style') return cssRuns(html, from, to)
    if (raw === 'script') return scriptRuns(html, from, to)
    return { text: html.slice(from, to), start: from, end: to, encode: same, escape: encodeText }
  }
  betweenAddresses(reading, start, end, (from, to) => hideStretch(reading, 'body', [from, to], runOf, wording))
}

/** An octal escape of a printable character, and any other escape, of which nothing is made here. */
const octal = /\\(?:([01][0-7]{2})|[\s\S])/g

/** A script cut where strings of it hold characters in octal, as old programs write them. */
function scriptRuns(source: string, start: number, end: number): SourceRun[] {
  const runs: SourceRun[] = []
  let at = start
  const plain = (to: number) => {
    if (to > at) runs.push({ text: source.slice(at, to), start: at, end: to, encode: same, escape: escapeScript })
    at = to
  }
  for (const { index, 0: found, 1: digits } of source.slice(start, end).matchAll(octal)) {
    if (digits === undefined || Number.parseInt(digits, 8) < 0x20) continue
    plain(start + index)
    const text = String.fromCharCode(Number.parseInt(digits, 8))
    at += found.length
    runs.push({ text, start: at - found.length, end: at, encode: escapeScript })
  }
  plain(end)
  return runs
}

/** Reads a script that holds JSON; false where it is none after all. */
function readJson(reading: HtmlReading, start: number, end: number): boolean {
  const { html, unicode, depth } = reading
  try {
    for (const node of jsonReader(unicode, depth)(html.slice(start, end))) {
      const run = node.runs[0]!
      const at = { start: run.start + start, end: run.end + start }
      const encode = (out: string) => run.encode!(out).replaceAll('<', '\\u003c')
      const wording = node.segment.place.kind === 'name' ? nameWording(run.text) : undefined
      const [coded] = codedTextsIn(run.text)
      const isCoded = coded?.start === 0 && coded.end === run.text.length
      hide(reading, 'body', { text: run.text, ...at, encode }, wording, isCoded || undefined)
      if (isCoded)
        hide(
          reading,
          'body',
          { text: coded.text, ...at, encode: out => encode(coded.encode(out)) },
          nameWording(coded.text),
        )
    }
    return true
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}
