import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { QuoteType, Tokenizer } from 'htmlparser2'
import { EngineError } from '../../errors.ts'
import type { Embedded } from '../embedded.ts'
import type { Place, Segment } from '../format.ts'
import { jsonDrafts } from '../json/extract.ts'
import type { Draft, Patch, Run } from '../patch.ts'
import { emptyPicture, readPicture } from '../picture-address.ts'
import type { Extract } from '../text-file.ts'
import { addressWording, nameWording, spokenWording } from '../wording.ts'
import { attributeWording, inlineTags, rawTags, structuralAttributes, urlAttributes } from './tags.ts'
import {
  decodeDataUri,
  decodeUrl,
  emptyDataUri,
  encodeHtmlAttribute,
  encodeHtmlText,
  escapeComment,
  escapeScript,
  escapeStyle,
} from './values.ts'

const dataAddress = /data:(?:image|font|audio|video|application|text)\/[\w.+-]+(?:;[\w=-]+)*,[\w+/=%.-]*/gi

/**
 * Reads HTML as tags and text in source order, with no tree: what browsers repair need not be repaired to be read.
 * Running text is one segment from one block's border to the next; scripts, styles, comments and attributes are hidden.
 */
export const extractHtml: Extract = (source, context) => {
  const { text: html, unicode } = source
  const drafts: Draft[] = []
  const cleaning: Patch[] = []
  const structure = new Set<string>()
  const names = new Map<string, string>()
  let runs: Run[] = []
  let tag = ''
  let tagStart = 0
  let raw = '' // the element whose content is not markup
  let scriptType = ''
  let pre = 0
  let attribute = ''
  let valueStart = -1
  let valueEnd = -1
  let blanked = 0
  const embedded: Embedded[] = []

  const text = (out: string) => encodeHtmlText(out, unicode)
  const attributeWriter = (mark: string) => (out: string) => encodeHtmlAttribute(out, mark, unicode)
  const writers = { '"': attributeWriter('"'), "'": attributeWriter("'"), '': attributeWriter('') }
  const flush = () => {
    if (runs.length === 0) return
    const whole = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
    if (/\S/.test(whole)) drafts.push({ segment: { text: whole, place: places.body, visible: true }, runs })
    runs = []
  }
  const hide = (kind: keyof typeof places, run: Run, wording?: Segment['wording']) => {
    if (/\S/.test(run.text))
      drafts.push({ segment: { text: run.text, place: places[kind], visible: false, wording }, runs: [run] })
  }
  const script = (start: number, end: number) => {
    const content = html.slice(start, end)
    if (raw === 'script' && /json/i.test(scriptType)) {
      try {
        for (const draft of jsonDrafts(content, unicode, context.limits.depth)) {
          const [run] = draft.runs
          const encode = (out: string) => run!.encode!(out).replaceAll('<', '\\u003c')
          const wording = draft.segment.place.kind === 'name' ? nameWording(run!.text) : undefined
          hide('body', { text: run!.text, start: run!.start + start, end: run!.end + start, encode }, wording)
        }
        return
      } catch (error) {
        if (!(error instanceof EngineError)) throw error // not JSON after all: treated like any script
      }
    }
    const escaping = raw === 'script' ? escapeScript : raw === 'style' ? escapeStyle : text
    const wording = raw === 'script' || raw === 'style' ? 'code' : undefined
    const inside = (from: number, to: number) =>
      hide('body', { text: html.slice(from, to), start: from, end: to, encode: same, escape: escaping }, wording)
    apart(start, end, inside)
  }
  // Cut where a file stands in an address, so that no two changes overlap.
  const apart = (start: number, end: number, between: (from: number, to: number) => void) => {
    let at = start
    for (const { index, 0: uri } of html.slice(start, end).matchAll(dataAddress)) {
      const from = start + index
      between(at, from)
      at = from + uri.length
      const data = decodeDataUri(uri)
      const picture = uri === emptyPicture ? undefined : readPicture(uri, from, at)
      if (data !== undefined) hide('link', { text: data.text, start: from, end: at, encode: data.encode })
      else if (picture !== undefined) embedded.push(picture)
      else if (uri !== emptyPicture) {
        blanked++
        cleaning.push({ start: from, end: at, text: emptyDataUri })
      }
    }
    between(at, end)
  }
  const endAttribute = (quote: QuoteType) => {
    if (valueStart < 0) return
    const [start, end] = [valueStart, valueEnd]
    const value = html.slice(start, end)
    valueStart = -1
    if (tag === 'script' && attribute === 'type') scriptType = value
    if (structuralAttributes.has(attribute)) {
      structure.add(value)
      return
    }
    const mark = quote === QuoteType.Double ? '"' : quote === QuoteType.Single ? "'" : ''
    const decoded = value.includes('&') ? decodeHTMLAttribute(value) : value
    const write = writers[mark]
    if (/data:/i.test(decoded)) {
      const data = decodeDataUri(decoded)
      if (data) hide('link', { text: data.text, start, end, encode: out => write(data.encode(out)) })
      else if (/^\s*data:(?!,)/i.test(decoded) && !whole.test(value)) {
        blanked++
        cleaning.push({ start, end, text: write(emptyDataUri) })
      } else
        apart(start, end, (from, to) => {
          const encode = writers[mark || '"']
          const text = decodeHTMLAttribute(html.slice(from, to))
          hide('attribute', { text, start: from, end: to, encode }, attributeWording(attribute, text))
        })
    } else if (urlAttributes.has(attribute)) {
      const url = decodeUrl(decoded)
      const run = { text: url.text, start, end, encode: (out: string) => write(url.encode(out)) }
      hide('link', run, addressWording(url.text))
    } else hide('attribute', { text: decoded, start, end, encode: write }, attributeWording(attribute, decoded))
  }
  const endTag = (end: number) => {
    if (tag === 'br') runs.push({ text: '\n', start: tagStart, end })
    else if (tag === 'wbr') runs.push({ text: '', start: tagStart, end })
    else if (!inlineTags.has(tag)) flush()
    if (rawTags.has(tag)) raw = tag
    else if (tag === 'pre' || tag === 'textarea') pre++
  }
  const name = (start: number, end: number) => {
    const found = html.slice(start, end)
    let lower = names.get(found)
    if (lower === undefined) {
      lower = found.toLowerCase()
      names.set(found, lower)
    }
    return lower
  }
  const aside = (start: number, end: number, wording: (text: string) => Segment['wording'] = () => 'code') => {
    const text = html.slice(start, end)
    hide('comment', { text, start, end, encode: same, escape: escapeComment }, wording(text))
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = name(start, end)
        tagStart = start - 1
        scriptType = ''
      },
      onopentagend: end => endTag(end + 1),
      onselfclosingtag: end => endTag(end + 1),
      onclosetag(start, end) {
        const closed = name(start, end)
        if (closed === raw) raw = ''
        if ((closed === 'pre' || closed === 'textarea') && pre > 0) pre--
        if (!inlineTags.has(closed)) flush()
      },
      onattribname(start, end) {
        attribute = name(start, end)
      },
      onattribdata(start, end) {
        if (valueStart < 0) valueStart = start
        valueEnd = end
      },
      onattribentity() {},
      onattribend: endAttribute,
      ontext(start, end) {
        if (raw !== '') {
          script(start, end)
          return
        }
        let decoded = html.slice(start, end)
        if (decoded.includes('&')) decoded = decodeHTML(decoded)
        if (pre === 0) decoded = collapsed(decoded)
        runs.push({ text: decoded, start, end, encode: text })
      },
      ontextentity() {},
      oncomment: (start, end, offset) => aside(start, end - offset, spokenWording),
      oncdata: (start, end, offset) => aside(start, end - offset, spokenWording),
      ondeclaration: (start, end) => aside(start, end),
      onprocessinginstruction: (start, end) => aside(start, end),
      onend: flush,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  const dropped = blanked > 0 ? [{ what: 'embedded files', count: blanked }] : []
  return { drafts, cleaning, dropped, structure: structure.union(new Set(names.keys())), embedded }
}

const same = (text: string) => text

/** One of each, as there may be very many texts. */
const places = {
  body: { kind: 'body' },
  comment: { kind: 'comment' },
  attribute: { kind: 'attribute' },
  link: { kind: 'link' },
} as const satisfies Record<string, Place>

/** A whole value that is one such address. */
const whole = new RegExp(`^\\s*${dataAddress.source}\\s*$`, 'i')

/** Blanks as they are shown outside of preformatted text. No-break spaces stay. */
export function collapsed(text: string): string {
  return /[\t\n\r\f]| {2}/.test(text) ? text.replace(/[ \t\n\r\f]+/g, ' ') : text
}
