import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { QuoteType, Tokenizer } from 'htmlparser2'
import { EngineError } from '../../errors.ts'
import { emptyPicture, readPicture } from '../container/data-url-images.ts'
import type { Embedded } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { jsonDrafts } from '../json/read.ts'
import { addressWording, nameWording, spokenWording } from '../office/wording.ts'
import type { Extract } from '../text/text-file.ts'
import type { Draft, Patch, Run } from '../text/text-nodes.ts'
import { cssRuns } from './css.ts'
import { isKnownAttribute, isMadeUp, isVocabulary, knownTags } from './names.ts'
import { startRuby } from './ruby.ts'
import { attributeWording, inlineTags, rawTags, structuralAttributes, urlAttributes } from './tags.ts'
import {
  decodeDataUri,
  decodeUrl,
  emptyDataUri,
  encodeHtmlAttribute,
  encodeHtmlText,
  escapeComment,
  escapeScript,
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
  const names = new Map<string, string>()
  const made = new Map<string, [number, number][]>()
  let runs: Run[] = []
  let tag = ''
  let tagStart = 0
  let raw = '' // the element whose content is not markup
  let scriptType = ''
  let pre = 0
  let attribute = ''
  let tagName: [number, number] = [0, 0]
  let hasValues = false
  let attributeNames: [number, number][] = []
  let done = 0 // where the last token ended
  const opened = new Set<string>()
  let isNote = false
  let valueStart = -1
  let valueEnd = -1
  let blanked = 0
  const embedded: Embedded[] = []

  const text = (out: string) => encodeHtmlText(out, unicode)
  const attributeWriter = (mark: string) => (out: string) => encodeHtmlAttribute(out, mark, unicode)
  const writers = { '"': attributeWriter('"'), "'": attributeWriter("'"), '': attributeWriter('') }
  const flush = () => {
    ruby.flush()
    if (runs.length === 0) return
    const whole = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
    if (/\S/.test(whole)) drafts.push({ segment: { text: whole, place: places.body, visible: true }, runs })
    runs = []
  }
  const hide = (kind: keyof typeof places, hidden: Run | Run[], wording?: Segment['wording']) => {
    const list = Array.isArray(hidden) ? hidden : [hidden]
    const whole = list.length === 1 ? list[0]!.text : list.map(run => run.text).join('')
    if (/\S/.test(whole))
      drafts.push({ segment: { text: whole, place: places[kind], visible: false, wording }, runs: list })
  }
  const ruby = startRuby(readings => hide('body', readings))
  const show = (run: Run) => {
    if (!ruby.takes(run)) runs.push(run)
  }
  /** A tag that is none to a person: what stands in it is text like that beside it. */
  const showTag = (start: number, end: number) => {
    const shown = decodeHTML(html.slice(start, end))
    show({ text: pre === 0 ? collapsed(shown) : shown, start, end, encode: text })
  }
  const note = (place: [number, number]) => {
    const found = html.slice(...place)
    const list = made.get(found)
    if (list === undefined) made.set(found, [place])
    else list.push(place)
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
    const escaping = raw === 'script' ? escapeScript : text
    const wording = raw === 'script' || raw === 'style' ? 'code' : undefined
    const inside = (start: number, end: number) => {
      if (raw === 'style') hide('body', cssRuns(html, start, end), wording)
      else hide('body', { text: html.slice(start, end), start, end, encode: same, escape: escaping }, wording)
    }
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
    if (structuralAttributes.has(attribute) && isVocabulary(value)) return
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
    } else {
      const isEscaped = attribute === 'style' && mark !== '' && value.includes('\\') && decoded === value
      const run = { text: decoded, start, end, encode: write }
      hide('attribute', isEscaped ? cssRuns(html, start, end, write) : run, attributeWording(attribute, decoded))
    }
  }
  /** A mark behind a word is none of its letters. */
  const between = (at: number) => void runs.push({ text: ' ', start: at, end: at })
  const endTag = (end: number) => {
    done = end
    if (!knownTags.has(tag)) {
      if (!hasValues && !isMadeUp(tag)) return showTag(tagStart, end)
      opened.add(tag)
      note(tagName)
    }
    for (const place of attributeNames) note(place)
    ruby.tag(tag, false)
    if (tag === 'sup' && /\p{L}$/u.test(runs.at(-1)?.text ?? '') && noteMark.test(html.slice(end, end + 200))) {
      isNote = true
      between(tagStart)
    }
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
  const aside = (start: number, end: number, to: number, wording?: (text: string) => Segment['wording']) => {
    done = to
    const text = html.slice(start, end)
    hide('comment', { text, start, end, encode: same, escape: escapeComment }, wording ? wording(text) : 'code')
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = name(start, end)
        tagStart = start - 1
        tagName = [start, end]
        hasValues = false
        attributeNames = []
        scriptType = ''
      },
      onopentagend: end => endTag(end + 1),
      onselfclosingtag: end => endTag(end + 1),
      onclosetag(start, end) {
        const closed = name(start, end)
        const close = html.indexOf('>', end)
        done = close < 0 ? html.length : close + 1
        if (!knownTags.has(closed)) {
          if (!opened.has(closed) && !isMadeUp(closed)) return showTag(start - 2, done)
          note([start, end])
        }
        ruby.tag(closed, true)
        if (closed === 'sup' && isNote) {
          isNote = false
          if (/[\p{L}\p{N}]/u.test(html[done] ?? '')) between(done)
        }
        if (closed === raw) raw = ''
        if ((closed === 'pre' || closed === 'textarea') && pre > 0) pre--
        if (!inlineTags.has(closed)) flush()
      },
      onattribname(start, end) {
        attribute = name(start, end)
        if (!isKnownAttribute(attribute)) attributeNames.push([start, end])
      },
      onattribdata(start, end) {
        hasValues = true
        if (valueStart < 0) valueStart = start
        valueEnd = end
      },
      onattribentity() {},
      onattribend: endAttribute,
      ontext(start, end) {
        done = end
        if (raw !== '') {
          script(start, end)
          return
        }
        let decoded = html.slice(start, end)
        if (decoded.includes('&')) decoded = decodeHTML(decoded)
        if (pre === 0) decoded = collapsed(decoded)
        show({ text: decoded, start, end, encode: text })
      },
      ontextentity() {},
      oncomment: (start, end, offset) => aside(start, end - offset, end + 1, spokenWording),
      oncdata: (start, end, offset) => aside(start, end - offset, end + 1, spokenWording),
      ondeclaration: (start, end) => aside(start, end, end + 1),
      onprocessinginstruction: (start, end) => aside(start, end, end + 1),
      onend: flush,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  // A file that is cut off in a tag: nothing is shown of it, but it is there.
  hide('body', { text: html.slice(done), start: done, end: html.length, encode: same, escape: inTag })
  for (const [found, at] of made) drafts.push(nameDraft(found, at))
  const dropped = blanked > 0 ? [{ what: 'embedded files', count: blanked }] : []
  return { drafts, cleaning, dropped, embedded }
}

const same = (text: string) => text

/** Keeps a replacement from ending a tag that is never closed, or a name. */
const inTag = (text: string) => text.replace(/[^\p{L}\p{N}_.@-]/gu, '_')

/** What stands in a mark behind a word: a number, a sign or a single letter, in brackets perhaps. */
const noteMark = /^\s*(?:<[^>]*>\s*)*[[(]?\s*(?:[\d*†‡§¶#,;]|\p{L}\s*(?:[\])<,;]|$))/u

/** A name that is none of the markup's own, wherever it stands. */
function nameDraft(name: string, at: [number, number][]): Draft {
  const encode = (text: string) => {
    const safe = text.replace(/[^a-z0-9_.:-]/gi, '_').replace(/^(?![a-z])/i, 'x')
    // An element must stay one that is made up, or it would be read as text.
    return isMadeUp(safe.toLowerCase()) ? safe : `${safe}-x`
  }
  const [run, ...copies] = at.map(([start, end]): Run => ({ text: name, start, end, encode }))
  return { segment: { text: name, place: places.name, visible: false, wording: 'code' }, runs: [run!], copies }
}

/** One of each, as there may be very many texts. */
const places = {
  body: { kind: 'body' },
  comment: { kind: 'comment' },
  attribute: { kind: 'attribute' },
  link: { kind: 'link' },
  name: { kind: 'name' },
} as const satisfies Record<string, Place>

/** A whole value that is one such address. */
const whole = new RegExp(`^\\s*${dataAddress.source}\\s*$`, 'i')

/** Blanks as they are shown outside of preformatted text. No-break spaces stay. */
function collapsed(text: string): string {
  return /[\t\n\r\f]| {2}/.test(text) ? text.replace(/[ \t\n\r\f]+/g, ' ') : text
}
