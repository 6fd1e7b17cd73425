import { emptyPicture, readBase64Picture, readPicture } from '../container/data-url-images.ts'
import type { Embedded } from '../container/inline-images.ts'
import type { Place } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { distinctNames, type Rename } from '../text/distinct-names.ts'
import type { Draft } from '../text/text-nodes.ts'
import { scanJson } from './scan.ts'

/**
 * The texts of a JSON text: strings and numbers are visible, keys are names. A number that is edited becomes a string.
 * `row` numbers the records: the line of NDJSON, or the item of an array at the root. Strings that are pictures go into
 * `pictures` instead, where it is given.
 */
export function jsonDrafts(
  source: string,
  unicode: boolean,
  depth: number,
  row?: number,
  pictures?: Embedded[],
): Draft[] {
  const drafts: Draft[] = []
  const path: string[] = [] // '' for arrays, otherwise the key being read
  const objects: { keys: string[]; rename: Rename }[] = []
  let item = 0
  let rooted = false
  const place = (kind: Place['kind']): Place => {
    const column = path.filter(name => name !== '').join('.')
    const record = row ?? (rooted ? item : undefined)
    return { kind, ...(record === undefined ? {} : { row: record }), ...(column === '' ? {} : { column }) }
  }
  const encode = (text: string) => encodeJson(text, unicode)
  const value = () => {
    if (rooted && path.length === 1) item++
  }
  const add = (text: string, start: number, end: number) =>
    void drafts.push({ segment: { text, place: place('cell'), visible: true }, runs: [{ text, start, end, encode }] })
  const sink = {
    key(start: number, end: number) {
      const text = decodeJson(source.slice(start, end))
      path[path.length - 1] = text
      const { keys, rename } = objects.at(-1)!
      keys.push(text)
      const segment = { text, place: place('name'), visible: false, wording: nameWording(text) }
      drafts.push({ segment, runs: [{ text, start, end, encode: out => encode(rename(text, out)) }] })
    },
    string(start: number, end: number) {
      value()
      const picture = pictures && end - start > shortest && jsonPicture(source.slice(start, end), start, end)
      if (picture) return void pictures.push(picture)
      add(decodeJson(source.slice(start, end)), start, end)
    },
    number(start: number, end: number) {
      value()
      add(source.slice(start, end), start, end)
    },
    enter(array: boolean) {
      if (path.length === 0 && array && row === undefined) rooted = true
      else value()
      path.push('')
      const keys: string[] = []
      objects.push({ keys, rename: distinctNames(keys) })
    },
    leave() {
      path.pop()
      objects.pop()
    },
  }
  scanJson(source, sink, depth)
  return drafts
}

/** Characters of the shortest string that may be a picture. */
const shortest = 64

/** A string that holds a picture, as an address or as bare base64. */
function jsonPicture(raw: string, start: number, end: number): Embedded | undefined {
  if (!/^"(?:data:image\/|[A-Za-z0-9+/]{16})/i.test(raw)) return undefined
  const text = decodeJson(raw)
  if (text === emptyPicture) return undefined
  const picture = readPicture(text, start, end) ?? readBase64Picture(text, start, end)
  return picture && { ...picture, encode: out => `"${picture.encode(out)}"`, blank: `"${picture.blank}"` }
}

function decodeJson(raw: string): string {
  // The scanner has checked every escape, so this can't fail.
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

function encodeJson(text: string, unicode: boolean): string {
  const quoted = JSON.stringify(text)
  if (unicode) return quoted
  return quoted.replace(/[^\x00-\x7f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
