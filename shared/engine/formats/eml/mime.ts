import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../errors.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { encodingOf } from './transfer.ts'
import { asUtf8, isDoubtful } from './words.ts'

/** A header field; `raw` is as it is written, with its folding and its line end. What is no UTF-8 in it is so in `value`. */
export type Field = { name: string; value: string; raw: string }

/** A message or a part of one. Text is a string of bytes. */
export type Entity = {
  /** Section number as in IMAP: `1`, `1.2`; empty for the message itself. */
  section: string
  fields: Field[]
  /** The blank line that ends the header, or nothing where the message ends before, or its body begins without one. */
  gap: string
  eol: string
  type: Parameters
  disposition: Parameters
  encoding: string
  body: string
  parts: Entity[]
  boundary: string
  /** Whether there is text before the first part, and behind the last: none of it is part of the message. */
  asides: number
}

/** A line between fields that is none, with those that continue it. */
const strayAt = /\S[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*(?=[!-9;-~]+[ \t]*:)/y
const fieldAt = /([!-9;-~]+)[ \t]*:((?:[^\r\n]|\r(?!\n)|\r?\n[ \t])*)(\r?\n|$)/y

const setAt = /charset\s*=\s*["']?(?!utf|us-ascii|ascii|iso-2022|hz)([\w.:-]+)/i

/** The character set that a body of a message says, looked for once it is asked for. */
function setOf(source: string): () => string | undefined {
  let found: RegExpExecArray | null | undefined
  return () => {
    if (found === undefined) found = setAt.exec(source)
    return found?.[1]
  }
}

/** The value of a field as UTF-8. Clients read other bytes in the set that a body of the message says. */
function asText(value: string, set: () => string | undefined): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) || isDoubtful(value) ? value : asUtf8(bytes, set()).toString('latin1')
}

/** Reads a message and its parts, without decoding any body; what doesn't say its type is of the `implied` one. Throws `corrupt_file` or `limit_exceeded`. */
export function readEntity(
  source: string,
  limits: { depth: number; entries: number },
  section = '',
  level = 0,
  implied = 'text/plain',
  set = setOf(source),
): Entity {
  if (level > limits.depth) throw new EngineError('limit_exceeded', 'The message is nested too deeply')
  const fields: Field[] = []
  let at = 0
  // A message copied out of a mailbox begins with a line of its own, which tells of its way as `Received` does.
  if (section === '' && source.startsWith('From ')) {
    // Of several messages only the first would be read as one.
    if (/\r?\n\r?\nFrom [^\r\n]*\d{4}[^\r\n]*\r?\n[!-9;-~]+:/.test(source))
      throw new EngineError('unsupported_format', 'Mailboxes (mbox) are not supported; save each message as .eml')
    at = source.indexOf('\n') + 1
    fields.push({ name: 'from ', value: '', raw: source.slice(0, at) })
  }
  for (;;) {
    fieldAt.lastIndex = strayAt.lastIndex = at
    const match = fieldAt.exec(source)
    const raw = match?.[0] ?? (fields.length > 0 ? strayAt.exec(source)?.[0] : undefined)
    if (raw === undefined) break
    const [, name = '', value = ''] = match ?? []
    fields.push({ name: name.toLowerCase(), value: asText(value, set), raw })
    at += raw.length
  }
  const gap = /^\r?\n/.exec(source.slice(at, at + 2))?.[0] ?? ''
  // A body may begin without a blank line, but not where its lines could say what it is.
  if (gap === '' && /^(?:content-[\w-]+|mime-version)[ \t]*:/im.test(source.slice(at).split(/\r?\n\r?\n/, 1)[0]!))
    throw new EngineError('corrupt_file', `The header of the message is malformed${section && ` (part ${section})`}`)
  const get = (name: string) => fields.find(field => field.name === name)?.value ?? ''
  const type = readParameters(get('content-type').trim() || implied)
  const entity: Entity = {
    section,
    fields,
    gap,
    eol: /^[^\n]*\r\n/.test(fields[0]?.raw ?? source.slice(at)) ? '\r\n' : '\n',
    type,
    disposition: readParameters(get('content-disposition')),
    encoding: encodingOf(get('content-transfer-encoding')),
    body: source.slice(at + gap.length),
    parts: [],
    boundary: '',
    asides: 0,
  }
  if (!type.value.startsWith('multipart/')) return entity
  entity.boundary = type.all.get('boundary')?.trimEnd() ?? ''
  const { texts, asides } = split(entity.body, entity.boundary)
  entity.asides = asides.filter(text => /\S/.test(text)).length
  if (texts.length === 0 && (entity.asides > 0 || entity.boundary === '')) return withoutParts(entity)
  const impliedWithin = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  entity.parts = texts.map((text, index) =>
    readEntity(
      text,
      limits,
      section === '' ? String(index + 1) : `${section}.${index + 1}`,
      level + 1,
      impliedWithin,
      set,
    ),
  )
  if (entity.parts.length > limits.entries) throw new EngineError('limit_exceeded', 'The message has too many parts')
  return entity
}

const fieldOfPart = /^content-[\w-]+[ \t]*:/im

/** A part whose boundary stands nowhere in it is the text that it holds, unless there are parts in it that nobody can tell. */
function withoutParts(entity: Entity): Entity {
  if (fieldOfPart.test(entity.body)) throw new EngineError('corrupt_file', 'A part of the message has no boundary')
  return { ...entity, type: { value: 'text/plain', all: new Map(), plain: false }, boundary: '', asides: 0 }
}

/** The texts between boundary lines, and what stands before the first and after the last, which belongs to nobody. */
function split(body: string, boundary: string): { texts: string[]; asides: string[] } {
  if (boundary === '') return { texts: [], asides: [body] }
  const escaped = boundary.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const line = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
  const texts: string[] = []
  const asides: string[] = []
  let from = -1
  for (const match of body.matchAll(line)) {
    const end = match.index + match[0].length
    if (from >= 0) texts.push(body.slice(from, Math.max(from, match.index)))
    else asides.push(body.slice(0, match.index))
    from = -1
    if (match[1] !== undefined) return { texts, asides: [...asides, body.slice(end)] }
    from = end + (/^\r?\n/.exec(body.slice(end, end + 2))?.[0].length ?? 0)
  }
  // A message cut off keeps what there is of its last part.
  if (from >= 0) texts.push(body.slice(from))
  else asides.push(body)
  return { texts, asides }
}
