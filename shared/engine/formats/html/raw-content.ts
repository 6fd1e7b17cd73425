import { EngineError } from '../../errors.ts'
import { jsonReader } from '../json/read.ts'
import { nameWording } from '../office/wording.ts'
import { codedTextsIn } from '../text/coded-texts.ts'
import { cssRuns } from './css.ts'
import { betweenAddresses } from './data-addresses.ts'
import { type HtmlReading, hide, hideStretch, same } from './parse-state.ts'
import { escapeScript } from './values.ts'

/** Reads the content of an element whose content is not markup: scripts, styles and the like. */
export function readRaw(reading: HtmlReading, start: number, end: number): void {
  const { html, raw, scriptType, encodeText } = reading
  if (raw === 'script' && /json/i.test(scriptType) && readJson(reading, start, end)) return
  const wording = raw === 'script' || raw === 'style' ? 'code' : undefined
  const escaping = raw === 'script' ? escapeScript : encodeText
  const runOf = (from: number, to: number) => {
    if (raw === 'style') return cssRuns(html, from, to)
    return { text: html.slice(from, to), start: from, end: to, encode: same, escape: escaping }
  }
  betweenAddresses(reading, start, end, (from, to) => hideStretch(reading, 'body', [from, to], runOf, wording))
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
