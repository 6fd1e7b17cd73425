import iconv from 'iconv-lite'
import type { Embedded } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { percentRuns } from '../html/values.ts'
import { isUsualFont } from '../office/font-names.ts'
import { fieldWording, nameWording, spokenWording } from '../office/wording.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import type { Extract } from '../text/text-file.ts'
import type { Draft, Patch, Run } from '../text/text-nodes.ts'
import { blankPicture, readPicture } from './picture.ts'
import { scanRtf } from './scan.ts'
import {
  borders,
  characters,
  charsets,
  type Destination,
  destinationOf,
  droppedNames,
  droppedWords,
} from './vocabulary.ts'

type Group = {
  start: number
  destination: Destination
  /** The paragraph that is being read in this destination. */
  text: { runs: Run[]; kind: Place['kind']; word?: string }
  codePage: string
  deleted: boolean
  /** Characters that stand in for one `\u`. */
  fallback: number
  /** Nothing but its opening has been seen. */
  fresh: boolean
  ignorable: boolean
  /** Drafts and patches noted before it, to take back those of a group that goes. */
  drafts: number
  cleaning: number
}

/** What a hidden text is, by the destination that it stands in. */
function wordingOf(word = '', text: string): Segment['wording'] {
  if (word === 'fldinst') return fieldWording(text)
  if (/^ff(?:helptext|stattext|deftext|l)$/.test(word)) return spokenWording(text)
  return /^(?:stylesheet|cs|ts|ds|fonttbl|sn|leveltext|liststylename)$/.test(word) ? 'code' : nameWording(text)
}

const kinds: Record<string, Place['kind']> = { footnote: 'note', fldinst: 'link', info: 'meta' }

/**
 * Reads RTF character by character, whatever each is written as, so that a match may run over formatting, escapes and
 * code pages. Deleted text, comments, properties, objects and what is not known go.
 */
export const extractRtf: Extract = ({ text: source }, context) => {
  const drafts: Draft[] = []
  const cleaning: Patch[] = []
  const embedded: Embedded[] = []
  const counts = new Map<string, number>()
  const fonts = new Map<number, string>()
  const stack: Group[] = []
  let ansi = 'cp1252'
  let defaultFont = 0
  let definedFont = -1
  let skip = 0 // characters still to come that stand in for the last \u
  let lead: { byte: number; start: number } | undefined // first byte of a character of two
  let bare = false // whether a control word without a blank stands just before
  const drop = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)

  const flush = (text: Group['text'], visible: boolean) => {
    if (!visible) text.runs = text.runs.flatMap(percentRuns)
    const whole = text.runs.map(run => run.text).join('')
    if (/\S/.test(whole))
      drafts.push({
        segment: {
          text: whole,
          place: { kind: text.kind },
          visible,
          ...(!visible && { wording: wordingOf(text.word, whole) }),
        },
        runs: text.runs,
      })
    text.runs = []
  }
  const end = (group: Group) => flush(group.text, group.destination === 'shown')
  const readable = ({ destination }: Group) => destination === 'shown' || destination === 'hidden'

  const add = (text: string, start: number, stop: number) => {
    const group = stack.at(-1)!
    group.fresh = false
    if (group.destination === 'definition') {
      // Names of fonts, of which a file may bring its own.
      if (!isUsualFont(text))
        flush({ runs: [{ text, start, end: stop, encode: encodeRtf }], kind: 'name', word: 'fonttbl' }, false)
    }
    if (!readable(group)) return
    // A control word that nothing ends would take what is written behind it for a part of its name.
    const guard = bare && /[A-Za-z0-9]/.test(source[start - 1]!) ? ' ' : ''
    if (group.deleted) {
      cleaning.push({ start, end: stop, text: guard })
      return
    }
    const last = group.text.runs.at(-1)
    if (skip > 0) {
      // What stands in for a character goes and stays with it.
      const taken = Math.min(skip, stop - start === 4 && source[start] === '\\' ? 1 : text.length)
      skip -= taken
      if (last !== undefined) last.end = source[start] === '\\' ? stop : start + taken
      if (source[start] === '\\' || taken === text.length) return
      add(text.slice(taken), start + taken, stop)
      return
    }
    group.text.runs.push({ text, start, end: stop, encode: out => guard + encodeRtf(out) })
  }
  const addBytes = (bytes: number[], start: number, stop: number, group: Group) =>
    add(iconv.decode(Buffer.from(bytes), group.codePage), start, stop)
  const mark = (text: string, start: number, stop: number) => {
    const group = stack.at(-1)!
    // An empty group in its place keeps a control word before it from running into what comes behind.
    const encode = (out: string) => (out === '' ? '{}' : encodeRtf(out))
    if (readable(group)) group.text.runs.push({ text, start, end: stop, encode })
  }
  const begin = (word: string, group: Group) => {
    const destination = destinationOf(word, group.ignorable)
    const outer = stack.at(-2)
    group.fresh = false
    if (destination === undefined || outer?.destination === 'drop' || outer?.destination === 'picture') return
    group.destination = destination
    group.text = {
      runs: [],
      kind: word.startsWith('header') || word.startsWith('footer') ? 'header' : (kinds[word] ?? 'body'),
      word,
    }
    if (destination === 'drop') drop(droppedNames[word] ?? 'unknown parts')
  }

  const stop = scanRtf(
    source,
    {
      open(start) {
        const outer = stack.at(-1)
        skip = 0
        lead = undefined
        bare = false
        if (outer !== undefined) outer.fresh = false
        const text = outer?.text ?? { runs: [], kind: 'body' as const }
        const noted = { drafts: drafts.length, cleaning: cleaning.length }
        const state = outer ?? { destination: 'shown' as const, codePage: ansi, deleted: false, fallback: 1 }
        const { destination, codePage, deleted, fallback } = state
        stack.push({ start, destination, text, codePage, deleted, fallback, fresh: true, ignorable: false, ...noted })
      },
      close(stop) {
        const group = stack.pop()!
        const outer = stack.at(-1)
        skip = 0
        lead = undefined
        bare = false
        if (group.destination === 'drop' && outer?.destination !== 'drop') {
          drafts.length = group.drafts
          cleaning.length = group.cleaning
          cleaning.push({ start: group.start, end: stop, text: '{}' })
        } else if (group.destination === 'picture' && outer?.destination !== 'picture') {
          drafts.length = group.drafts
          cleaning.length = group.cleaning
          const picture = readPicture(source, group.start, stop)
          if (picture === undefined) {
            drop('pictures')
            cleaning.push({ start: group.start, end: stop, text: blankPicture(source.slice(group.start, stop)) })
          } else if (!blankPng.equals(picture.bytes)) embedded.push(picture)
        } else if (outer === undefined || group.text !== outer.text) end(group)
        else if (group.destination === 'hidden' || outer.destination === 'definition') end(group)
      },
      word(name, parameter, start, stop, isBare) {
        const group = stack.at(-1)!
        lead = undefined
        if (group.fresh) begin(name, group)
        if (name === 'ansicpg') ansi = group.codePage = codePageOf(parameter ?? 1252)
        else if (name === 'mac') ansi = group.codePage = 'macroman'
        else if (name === 'pc') ansi = group.codePage = 'cp437'
        else if (name === 'deff') defaultFont = parameter ?? 0
        else if (name === 'f' && group.destination === 'definition') definedFont = parameter ?? 0
        else if (name === 'fcharset') fonts.set(definedFont, charsets[parameter ?? 0] ?? ansi)
        else if (name === 'f') group.codePage = fonts.get(parameter ?? 0) ?? ansi
        else if (name === 'plain') {
          group.codePage = fonts.get(defaultFont) ?? ansi
          group.deleted = false
        } else if (name === 'deleted') {
          group.deleted = parameter !== 0
          if (group.deleted) drop('deleted text')
        } else if (name === 'uc') group.fallback = Math.max(0, parameter ?? 1)
        else if (name === 'u' && parameter !== undefined) {
          skip = 0
          add(String.fromCharCode(parameter & 0xffff), start, stop)
          skip = group.fallback
        } else if (name === 'tab') mark('\t', start, stop)
        else if (name === 'line') mark('\n', start, stop)
        else if (borders.has(name)) {
          if (readable(group)) end(group)
        } else if (Object.hasOwn(characters, name)) add(characters[name]!, start, stop)
        bare = isBare
        if (droppedWords.test(name)) cleaning.push({ start, end: stop, text: isBare ? '' : '{}' })
      },
      byte(value, start, stop) {
        const group = stack.at(-1)!
        if (skip > 0) add(' ', start, stop)
        else if (lead !== undefined) {
          addBytes([lead.byte, value], lead.start, stop, group)
          lead = undefined
        } else if (isLead(group.codePage, value)) lead = { byte: value, start }
        else addBytes([value], start, stop, group)
        if (lead === undefined) bare = false
      },
      symbol(character, start, stop) {
        const group = stack.at(-1)!
        lead = undefined
        if (character === '*' && group.fresh) group.ignorable = true
        else if (character === '\n' || character === '\r') {
          if (readable(group)) end(group)
        } else if (character === '~') add('\u00a0', start, stop)
        else if (character === '_') add('-', start, stop)
        else if (character === '-') mark('', start, stop)
        else if (character === '\\' || character === '{' || character === '}') add(character, start, stop)
        bare = false
      },
      text(start, stop) {
        const group = stack.at(-1)!
        let from = start
        if (lead !== undefined) {
          addBytes([lead.byte, source.charCodeAt(start) & 0xff], lead.start, start + 1, group)
          lead = undefined
          from++
        }
        if (from < stop) {
          const raw = source.slice(from, stop)
          add(/[\x80-\xff]/.test(raw) ? iconv.decode(Buffer.from(raw, 'latin1'), group.codePage) : raw, from, stop)
        }
        bare = false
      },
      binary(start, stop) {
        skip = 0
        const { destination } = stack.at(-1)!
        if (destination === 'picture' || destination === 'drop') return
        cleaning.push({ start, end: stop, text: '{}' })
        drop('embedded objects')
      },
    },
    context.limits.depth * 16,
  )
  if (/[^\s\0]/.test(source.slice(stop))) {
    cleaning.push({ start: stop, end: source.length, text: '' })
    drop('bytes behind the end')
  }
  const dropped = [...counts].map(([what, count]) => ({ what, count }))
  return { drafts, cleaning, dropped, embedded }
}

/** Text in a file of any code page; ASCII as it is, everything else as Unicode with a question mark to stand in. */
function encodeRtf(text: string): string {
  return text.replace(/[\\{}]|[^\x20-\x7e]/g, unit => {
    if (unit === '\\' || unit === '{' || unit === '}') return `\\${unit}`
    if (unit === '\t') return '\\tab '
    if (unit === '\n') return '\\line '
    const code = unit.charCodeAt(0)
    if (code < 32) return unit === '\r' || unit === '\0' ? ' ' : unit
    return `{\\uc1\\u${code > 32_767 ? code - 65_536 : code}?}`
  })
}

function codePageOf(number: number): string {
  const name = number === 65_001 ? 'utf-8' : number === 10_000 ? 'macroman' : `cp${number}`
  return iconv.encodingExists(name) ? name : 'cp1252'
}

function isLead(codePage: string, byte: number): boolean {
  if (codePage === 'cp932') return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)
  return /^cp9(?:36|49|50)$/.test(codePage) && byte >= 0x81 && byte <= 0xfe
}
