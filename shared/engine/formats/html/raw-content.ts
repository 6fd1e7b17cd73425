import { EngineError } from '../../errors.ts'
import { jsonReader } from '../json/read.ts'
import { nameWording } from '../office/wording.ts'
import { cssRuns } from './css.ts'
import { betweenAddresses } from './data-addresses.ts'
import { type HtmlReading, hide, same } from './parse-state.ts'
import { escapeScript } from './values.ts'

/** Reads the content of an element whose content is not markup: scripts, styles and the like. */
export function readRaw(reading: HtmlReading, start: number, end: number): void {
  const { html, raw, scriptType, encodeText } = reading
  if (raw === 'script' && /json/i.test(scriptType) && readJson(reading, start, end)) return
  const wording = raw === 'script' || raw === 'style' ? 'code' : undefined
  const escaping = raw === 'script' ? escapeScript : encodeText
  betweenAddresses(reading, start, end, (from, to) => {
    const runs = { text: html.slice(from, to), start: from, end: to, encode: same, escape: escaping }
    hide(reading, 'body', raw === 'style' ? cssRuns(html, from, to) : runs, wording)
  })
}

/** Reads a script that holds JSON; false where it is none after all. */
function readJson(reading: HtmlReading, start: number, end: number): boolean {
  const { html, unicode, depth } = reading
  try {
    for (const node of jsonReader(unicode, depth)(html.slice(start, end))) {
      const run = node.runs[0]!
      const encode = (out: string) => run.encode!(out).replaceAll('<', '\\u003c')
      const wording = node.segment.place.kind === 'name' ? nameWording(run.text) : undefined
      hide(reading, 'body', { text: run.text, start: run.start + start, end: run.end + start, encode }, wording)
    }
    return true
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}
