import { readBase64Picture, readFileAddress } from '../container/data-url-images.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Place } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { distinctNames, type Rename } from '../text/distinct-names.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { scanJson } from './scan.ts'
import { nameSenders } from './senders.ts'

/**
 * The texts of a JSON text: strings and numbers are visible, keys are names. A number that is edited becomes a string.
 * `row` numbers the records: the line of NDJSON, or the item of an array at the root. Pictures and other files in strings
 * go into `pictures` instead, where it is given.
 */
export function jsonTextNodes(
  source: string,
  unicode: boolean,
  depth: number,
  row?: number,
  pictures?: InlineImage[],
): TextNode[] {
  const nodes: TextNode[] = []
  const path = startPath()
  const { keys: names } = path
  const objects: { keys: string[]; rename: Rename; strings: Map<string, TextNode> }[] = []
  let item = 0
  let rooted = false
  const place = (kind: Place['kind']): Place => {
    const column = path.column()
    const place: Place = { kind }
    const record = row ?? (rooted ? item : undefined)
    if (record !== undefined) place.row = record
    if (column !== '') place.column = column
    return place
  }
  const encode = (text: string) => encodeJson(text, unicode)
  const value = () => {
    if (rooted && names.length === 1) item++
  }
  const add = (text: string, start: number, end: number) => {
    const node: TextNode = {
      segment: { text, place: place('cell'), visible: true },
      runs: [{ text, start, end, encode }],
    }
    nodes.push(node)
    const key = names.at(-1)
    if (key && source[start] === '"') objects.at(-1)!.strings.set(key, node)
  }
  const sink = {
    key(start: number, end: number) {
      const text = decodeJson(source.slice(start, end))
      path.turn(text)
      const { keys, rename } = objects.at(-1)!
      keys.push(text)
      const segment = { text, place: place('name'), visible: false, wording: nameWording(text) }
      nodes.push({ segment, runs: [{ text, start, end, encode: out => encode(rename(text, out)) }] })
    },
    string(start: number, end: number) {
      value()
      if (pictures === undefined || end - start < shortest) return add(decodeJson(source.slice(start, end)), start, end)
      const raw = source.slice(start, end)
      const runs = raw.includes('base64,') ? cutRuns(raw, start, encode, pictures) : []
      const text = runs.map(run => run.text).join('')
      if (runs.length > 0) {
        if (text !== '') nodes.push({ segment: { text, place: place('cell'), visible: true }, runs })
        return
      }
      const key = names.findLast(name => name !== '') ?? ''
      const picture = base64Picture(raw, start, end, key.startsWith('image/'))
      if (picture) pictures.push(picture)
      else add(decodeJson(raw), start, end)
    },
    number(start: number, end: number) {
      value()
      add(source.slice(start, end), start, end)
    },
    enter(array: boolean) {
      if (names.length === 0 && array && row === undefined) rooted = true
      else value()
      path.enter()
      const keys: string[] = []
      objects.push({ keys, rename: distinctNames(keys), strings: new Map() })
    },
    leave() {
      path.leave()
      nameSenders(objects.pop()!.strings)
    },
  }
  scanJson(source, sink, depth)
  return nodes
}

/** The keys down to where a text is read, '' for those of arrays, and the name of the column that they make. */
function startPath() {
  const keys: string[] = []
  let column: string | undefined
  return {
    keys,
    enter() {
      keys.push('')
      column = undefined
    },
    turn(key: string) {
      keys[keys.length - 1] = key
      column = undefined
    },
    leave() {
      keys.pop()
      column = undefined
    },
    column() {
      column ??= keys.filter(key => key !== '').join('.')
      return column
    },
  }
}

/** Characters of the shortest string that may hold a file. */
const shortest = 24

/** A string of base64 that is a picture: whatever `isNamed` one is taken for it. */
function base64Picture(raw: string, start: number, end: number, isNamed: boolean): InlineImage | undefined {
  if (!/^"(?:[A-Za-z0-9+]|\\?\/){16}/.test(raw)) return undefined
  const picture = readBase64Picture(decodeJson(raw), start, end, isNamed)
  return picture && { ...picture, encode: out => `"${picture.encode(out)}"`, blank: `"${picture.blank}"` }
}

/** The text of a string around the files that it holds as addresses; empty where it holds none. */
function cutRuns(raw: string, from: number, encode: (text: string) => string, files: InlineImage[]): SourceRun[] {
  const runs: SourceRun[] = []
  let at = 1
  const between = (start: number, end: number) => {
    const text = decodeJson(`"${raw.slice(start, end)}"`)
    runs.push({ text, start: from + start, end: from + end, encode: out => encode(out).slice(1, -1) })
  }
  for (const { index, 0: address } of raw.matchAll(escapedAddress)) {
    between(at, index)
    at = index + address.length
    const file = readFileAddress(address.replaceAll('\\/', '/'), from + index, from + at)
    if (file) files.push(file)
  }
  if (runs.length > 0) between(at, raw.length - 1)
  return runs
}

/** Addresses that hold files, as they stand in JSON, where a stroke may be escaped. */
const escapedAddress = /data:(?:[\w.+-]|\\?\/){0,199}(?:;[\w.=+-]{1,99}){0,9};base64,(?:[\w+=%-]|\\?\/)+/gi

function decodeJson(raw: string): string {
  // The scanner has checked every escape, so this can't fail.
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

function encodeJson(text: string, unicode: boolean): string {
  const quoted = JSON.stringify(text)
  if (unicode) return quoted
  return quoted.replace(/[^\x00-\x7f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
