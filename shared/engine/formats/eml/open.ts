import { EngineError } from '../../errors.ts'
import type { FormatContext } from '../format.ts'
import { type Nested, type NestedWay, openNested } from '../nested.ts'
import type { Run } from '../patch.ts'
import { refusal } from '../refused.ts'
import { addressRuns } from './addresses.ts'
import { type Entity, type Field, readEntity } from './mime.ts'
import { decodeTransfer } from './transfer.ts'
import { decodeCharset, decodeHeader, encodeText } from './words.ts'

/** A body that another format reads. `bytes` is its content as that format is given it: texts are UTF-8. */
export type Leaf = { nested: Nested; bytes: Buffer; isText: boolean; way: NestedWay }

/** A message with its bodies opened. Bodies without an entry have no content; those in `gone` are left out. */
export type Mail = { root: Entity; leaves: Map<Entity, Leaf>; gone: Set<Entity> }

/** Header fields that people write and read. */
const shown = /^(?:from|to|cc|bcc|reply-to|sender|subject|date|comments|keywords|organization|thread-topic)$/

/** Fields that hold only what the format itself defines. */
const technical =
  /^(?:mime-version|content-transfer-encoding|content-language|importance|priority|x-priority|sensitivity|auto-submitted)$/

/** What becomes of a header field. All that tells of the way of a message, of its programs and servers, goes. */
export function fieldFate(name: string): 'shown' | 'hidden' | 'parameters' | 'keep' | 'drop' {
  if (shown.test(name)) return 'shown'
  if (name === 'content-type' || name === 'content-disposition') return 'parameters'
  if (name === 'content-id' || name === 'content-description' || name === 'content-location') return 'hidden'
  return technical.test(name) ? 'keep' : 'drop'
}

/** Fields that hold names and addresses. */
const addressed = /^(?:from|to|cc|bcc|reply-to|sender|keywords)$/

/** What a field says, cut where what says it is written by different rules. */
export function fieldRuns({ name, value }: Field): Run[] {
  const start = value.length - value.trimStart().length
  const raw = value.trim()
  if (raw === '') return []
  if (addressed.test(name)) return addressRuns(raw, start)
  return [{ text: decodeHeader(raw), start, end: start + raw.length, encode: encodeText }]
}

/** What a part is called in places and reports. */
export const labelOf = (entity: Entity): string => (entity.section === '' ? 'message' : entity.section)

/** The name of the file that a part is. */
export function fileName({ type, disposition }: Entity): string | undefined {
  return disposition.all.get('filename') ?? type.all.get('name')
}

/** The body of a part as its format is given it. */
export function leafBytes(entity: Entity): { bytes: Buffer; isText: boolean } {
  const raw = decodeTransfer(entity.body, entity.encoding)
  if (!entity.type.value.startsWith('text/')) return { bytes: raw, isText: false }
  return { bytes: Buffer.from(decodeCharset(raw, entity.type.all.get('charset'))), isText: true }
}

/** How the format of a body is found: by its type where that says it, else by content and name. */
export function leafWay(entity: Entity): NestedWay {
  const { value } = entity.type
  const named = fileName(entity) !== undefined
  if (value === 'message/rfc822' || value === 'message/global') return { format: 'eml' }
  if (value === 'text/html') return { format: 'html', options: { encoding: 'utf-8' } }
  if (value === 'text/plain' && !named) return { format: 'txt', options: { encoding: 'utf-8' } }
  return value.startsWith('text/') ? { options: { encoding: 'utf-8' } } : {}
}

/** Opens a message and everything in it. A body that nothing can read is left out, unless it is all there is. */
export async function openMail(source: string, context: FormatContext): Promise<Mail> {
  const root = readEntity(source, context.limits)
  const mail: Mail = { root, leaves: new Map(), gone: new Set() }
  await openBodies(root, mail, context)
  if (mail.gone.has(root))
    throw new EngineError('unsupported_format', 'The message is nothing but a file in a format that is not supported')
  return mail
}

async function openBodies(entity: Entity, mail: Mail, context: FormatContext): Promise<void> {
  context.signal.throwIfAborted()
  if (/^(?:multipart\/encrypted|application\/(?:x-)?pkcs7-mime)$/.test(entity.type.value))
    throw new EngineError('encrypted_file', 'The message is encrypted')
  if (entity.boundary !== '') {
    for (const part of entity.parts) await openBodies(part, mail, context)
    if (entity.parts.length > 0 && entity.parts.every(part => mail.gone.has(part))) mail.gone.add(entity)
    return
  }
  const { bytes, isText } = leafBytes(entity)
  if (bytes.length === 0) return
  // Refused whatever it is called: it must not pass as text of an unknown kind.
  if (refusal(bytes)) {
    mail.gone.add(entity)
    return
  }
  const way = leafWay(entity)
  const name = fileName(entity) ?? `body.${entity.type.value.split('/')[1] ?? 'bin'}`
  const nested = await openNested(bytes, name, context, way)
  // Text of a kind that nothing knows is still text.
  const plain: NestedWay = { format: 'txt', options: { encoding: 'utf-8' } }
  const known = nested ?? (isText ? await openNested(bytes, name, context, plain) : undefined)
  if (known === undefined) mail.gone.add(entity)
  else mail.leaves.set(entity, { nested: known, bytes, isText, way: nested === undefined ? plain : way })
}

/** Closes every file in the message. */
export async function closeMail({ leaves }: Mail): Promise<void> {
  for (const { nested } of leaves.values()) await nested.file.close()
}
