import { EngineError } from '../../errors.ts'

/** An attribute and where it stands. `start` includes the blank before it. The value is as written, entities and all. */
export type XmlAttribute = {
  name: string
  /** Its name until namespaces are resolved, see `names.ts`. */
  canonical: string
  value: string
  start: number
  end: number
  valueStart: number
  valueEnd: number
}

/** Receives the pieces of a document in order. Offsets are those of the source; nothing is skipped. */
export type XmlSink = {
  open(name: string, start: number, end: number, empty: boolean, attributes: XmlAttribute[]): void
  /** Called for empty elements too, with `start === end`. */
  close(name: string, start: number, end: number): void
  /** Character data between tags. With `cdata` the stretch includes the section's marks. */
  text(start: number, end: number, cdata: boolean): void
  /** Comments and processing instructions, the XML declaration among them. */
  other?(kind: 'comment' | 'instruction' | 'declaration', start: number, end: number): void
}

const nameAt = /[A-Za-z_:\u0080-\uffff][\w.\-:\u00b7-\uffff]*/y
const attributeAt = /[ \t\r\n]+([A-Za-z_:\u0080-\uffff][\w.\-:\u00b7-\uffff]*)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')/y
const blankAt = /[ \t\r\n]*/y
/** A 1 for each unit of ASCII that a name may begin with, or go on with. */
const unitsOf = (pattern: RegExp) =>
  Uint8Array.from({ length: 0x80 }, (_, unit) => Number(pattern.test(String.fromCharCode(unit))))
const nameStart = unitsOf(/[A-Za-z_:]/)
const nameUnit = unitsOf(/[\w.\-:]/)
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const none: XmlAttribute[] = []

/**
 * Walks a well-formed XML document without building a tree, resolving no entity and reading no DTD: a document with
 * one is refused. Throws `corrupt_file` on anything ill-formed and `limit_exceeded` beyond `depth` nested elements.
 */
export function scanXml(source: string, sink: XmlSink, depth = 1024): void {
  if (forbidden.test(source)) throw malformed('holds a control character', 0)
  const open: string[] = []
  let roots = 0
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0
  const first = at
  while (at < source.length) {
    const tag = source.indexOf('<', at)
    const end = tag < 0 ? source.length : tag
    if (end > at) {
      if (open.length > 0) sink.text(at, end, false)
      else if (!isBlank(source, at, end)) throw malformed('has text outside its root', at)
    }
    if (tag < 0) break
    const next = source.charCodeAt(tag + 1)
    if (next === 33) {
      at = declared(source, tag, open.length > 0, sink)
    } else if (next === 63) {
      at = after(source, '?>', tag)
      const isDeclaration = tag === first && /^<\?xml[ \t\r\n?]/.test(source.slice(tag, tag + 6))
      sink.other?.(isDeclaration ? 'declaration' : 'instruction', tag, at)
    } else if (next === 47) {
      const name = open.pop()
      const end = nameEnd(source, tag + 2)
      const isSame = name !== undefined && end - tag - 2 === name.length && source.startsWith(name, tag + 2)
      if (!isSame) throw malformed('has an end tag that closes nothing', tag)
      at = blankEnd(source, end) + 1
      if (source.charCodeAt(at - 1) !== 62) throw malformed('has an unfinished tag', tag)
      sink.close(name, tag, at)
    } else {
      let stop = nameEnd(source, tag + 1)
      if (stop < 0) throw malformed('has a tag without a name', tag)
      const name = source.slice(tag + 1, stop)
      if (open.length === 0 && ++roots > 1) throw malformed('has two roots', tag)
      let attributes = none
      const code = source.charCodeAt(stop)
      if (code !== 62 && code !== 47) {
        attributes = attributesFrom(source, stop)
        stop = blankEnd(source, attributes.at(-1)?.end ?? stop)
      }
      const empty = source.charCodeAt(stop) === 47
      at = stop + (empty ? 2 : 1)
      if (source.charCodeAt(at - 1) !== 62) throw malformed('has an unfinished tag', tag)
      if (!empty) {
        open.push(name)
        if (open.length > depth) throw new EngineError('limit_exceeded', 'The XML is nested too deeply')
      }
      sink.open(name, tag, at, empty, attributes)
      if (empty) sink.close(name, at, at)
    }
  }
  if (open.length > 0 || roots === 0) throw malformed('ends too early', source.length)
}

/** Whether nothing but blanks stands between two places. */
export function isBlank(source: string, start = 0, end = source.length): boolean {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at)
    if (code !== 32 && (code > 13 || code < 9 || code === 11 || code === 12)) return false
  }
  return true
}

/** Where the name ends that begins at a place; -1 where none does. */
function nameEnd(source: string, at: number): number {
  let end = at
  if (nameStart[source.charCodeAt(end)] === 1) {
    do end++
    while (nameUnit[source.charCodeAt(end)] === 1)
    if (!(source.charCodeAt(end) >= 0x80)) return end
  }
  nameAt.lastIndex = at
  return nameAt.test(source) ? nameAt.lastIndex : -1
}

/** Where the blanks end that may stand at a place. */
function blankEnd(source: string, at: number): number {
  if (source.charCodeAt(at) > 32) return at
  blankAt.lastIndex = at
  blankAt.test(source)
  return blankAt.lastIndex
}

/** Where the name of an attribute ends that is written in the usual way, ` name="`; -1 for any other. */
function usualName(source: string, at: number): number {
  if (source.charCodeAt(at) !== 32) return -1
  const end = nameEnd(source, at + 1)
  return source.charCodeAt(end) === 61 && source.charCodeAt(end + 1) === 34 ? end : -1
}

/** The attribute that begins at a place with the blank before it. */
function attributeFrom(source: string, start: number): XmlAttribute | undefined {
  const nameEnd = usualName(source, start)
  const valueStart = nameEnd + 2
  const valueEnd = nameEnd < 0 ? -1 : source.indexOf('"', valueStart)
  if (valueEnd >= 0) {
    const value = source.slice(valueStart, valueEnd)
    if (value.includes('<')) return undefined
    const name = source.slice(start + 1, nameEnd)
    return { name, canonical: name, value, start, end: valueEnd + 1, valueStart, valueEnd }
  }
  attributeAt.lastIndex = start
  const match = attributeAt.exec(source)
  if (match === null) return undefined
  const end = attributeAt.lastIndex
  const quoted = match[2]!
  const from = end - quoted.length + 1
  const name = match[1]!
  return { name, canonical: name, value: quoted.slice(1, -1), start, end, valueStart: from, valueEnd: end - 1 }
}

/** Attributes that are looked through one by one for a name: more have a list of names. */
const fewAttributes = 16

/** The attributes of a tag whose name ends at `from`. */
function attributesFrom(source: string, from: number): XmlAttribute[] {
  const first = attributeFrom(source, from)
  if (first === undefined) return none
  // Most have one: a list that begins with it has no room to grow.
  const attributes = [first]
  let at = first.end
  let names: Set<string> | undefined
  for (let found = attributeFrom(source, at); found; found = attributeFrom(source, at)) {
    const { name, end } = found
    if (attributes.length === fewAttributes) names = new Set(attributes.map(other => other.name))
    if (names ? names.has(name) : attributes.some(other => other.name === name))
      throw malformed('repeats an attribute', at)
    names?.add(name)
    attributes.push(found)
    at = end
  }
  return attributes
}

function declared(source: string, tag: number, inside: boolean, sink: XmlSink): number {
  if (source.startsWith('<!--', tag)) {
    const end = after(source, '-->', tag + 4)
    sink.other?.('comment', tag, end)
    return end
  }
  if (inside && source.startsWith('<![CDATA[', tag)) {
    const end = after(source, ']]>', tag)
    sink.text(tag, end, true)
    return end
  }
  if (source.startsWith('<!DOCTYPE', tag))
    throw new EngineError('corrupt_file', 'The XML has a document type declaration, which is not accepted')
  throw malformed('has an unknown declaration', tag)
}

function after(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from)
  if (at < 0) throw malformed('ends too early', from)
  return at + mark.length
}

function malformed(what: string, at: number): EngineError {
  return new EngineError('corrupt_file', `The XML ${what} (at character ${at})`)
}
