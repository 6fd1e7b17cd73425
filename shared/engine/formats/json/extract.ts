import type { Place } from '../format.ts'
import type { Draft } from '../patch.ts'
import { scanJson } from './scan.ts'

/**
 * The texts of a JSON text: strings and numbers are visible, keys are names. A number that is edited becomes a string.
 * `row` numbers the records: the line of NDJSON, or the item of an array at the root.
 */
export function jsonDrafts(source: string, unicode: boolean, depth: number, row?: number): Draft[] {
  const drafts: Draft[] = []
  const path: string[] = [] // '' for arrays, otherwise the key being read
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
  const add = (kind: Place['kind'], visible: boolean, text: string, start: number, end: number) => {
    drafts.push({ segment: { text, place: place(kind), visible }, runs: [{ text, start, end, encode }] })
  }
  const sink = {
    key(start: number, end: number) {
      const text = decodeJson(source.slice(start, end))
      path[path.length - 1] = text
      add('name', false, text, start, end)
    },
    string(start: number, end: number) {
      value()
      add('cell', true, decodeJson(source.slice(start, end)), start, end)
    },
    number(start: number, end: number) {
      value()
      add('cell', true, source.slice(start, end), start, end)
    },
    enter(array: boolean) {
      if (path.length === 0 && array && row === undefined) rooted = true
      else value()
      path.push('')
    },
    leave() {
      path.pop()
    },
  }
  scanJson(source, sink, depth)
  return drafts
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
