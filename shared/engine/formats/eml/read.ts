import { EngineError } from '../../errors.ts'
import { type EmbeddedFile, type OpenEmbeddedOptions, openEmbedded } from '../container/embedded-files.ts'
import type { FormatContext } from '../format.ts'
import { declaredEncoding } from '../html/declared-encoding.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { refusal } from '../unsupported.ts'
import { addressRuns } from './addresses.ts'
import { flowed } from './flowed.ts'
import { type Entity, type Field, readEntity } from './mime.ts'
import { withoutOldFiles } from './old-files.ts'
import { isSigned, signedContent } from './signed.ts'
import { decodeTransfer, endOfBase64, isKnownEncoding } from './transfer.ts'
import { asUtf8, decodeHeader, encodeText } from './words.ts'

/** A body that another format reads. `bytes` is its content as that format is given it: texts are UTF-8. */
export type Leaf = { nested: EmbeddedFile; bytes: Buffer; isText: boolean; way: OpenEmbeddedOptions }

/**
 * A message with its bodies opened. Bodies without an entry have no content; those in `gone` are left out. `oldFiles` stood
 * between lines of text, and `asides` around the parts and behind base64: they are left out too.
 */
export type Mail = {
  root: Entity
  leaves: Map<Entity, Leaf>
  gone: Set<Entity>
  signatures: number
  oldFiles: number
  asides: number
}

/** Header fields that people write and read. */
const shown = /^(?:from|to|cc|bcc|reply-to|sender|subject|date|comments|keywords|organization|thread-topic)$/

/** Fields that hold only what the format itself defines, and what that is. */
const technical: Record<string, RegExp> = {
  // Written anew where more is said.
  'mime-version': /^/,
  'content-transfer-encoding': /^/,
  'content-language': /^[a-z]{2,3}(?:-[a-z0-9]{2,4})?(?:, ?[a-z]{2,3}(?:-[a-z0-9]{2,4})?)*$/i,
  importance: /^(?:high|normal|low)$/i,
  priority: /^(?:urgent|normal|non-urgent)$/i,
  'x-priority': /^[1-5](?: \((?:highest|high|normal|low|lowest)\))?$/i,
  sensitivity: /^(?:personal|private|company-confidential|normal)$/i,
  'auto-submitted': /^(?:no|auto-generated|auto-replied|auto-notified)$/i,
}

/** What becomes of a header field. All that tells of the way of a message, of its programs and servers, goes. */
export function fieldAction({
  name,
  value,
}: Pick<Field, 'name' | 'value'>): 'shown' | 'hidden' | 'parameters' | 'keep' | 'drop' {
  if (shown.test(name)) return 'shown'
  if (name === 'content-type' || name === 'content-disposition') return 'parameters'
  if (name === 'content-id' || name === 'content-description' || name === 'content-location') return 'hidden'
  return Object.hasOwn(technical, name) && technical[name]!.test(value.trim()) ? 'keep' : 'drop'
}

/** Whether a field tells again of what a body is, perhaps otherwise: only the first of its name counts. */
export const isRepeated = (field: Field, { fields }: Entity): boolean =>
  /^(?:content-(?:type|disposition|transfer-encoding)|mime-version)$/.test(field.name) &&
  fields.find(({ name }) => name === field.name) !== field

/** Fields that hold names and addresses. */
const addressed = /^(?:from|to|cc|bcc|reply-to|sender|keywords)$/

/** What a field says, cut where what says it is written by different rules. */
export function fieldRuns({ name, value }: Field): SourceRun[] {
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

/** The body of a part without its transfer encoding, and as its format is given it. */
export function leafBytes({ body, encoding, type }: Entity): { raw: Buffer; bytes: Buffer; isText: boolean } {
  const raw = decodeTransfer(body, encoding)
  if (!type.value.startsWith('text/')) return { raw, bytes: raw, isText: false }
  const said = /^text\/(?:html|xml)$/.test(type.value) ? declaredEncoding(raw) : undefined
  // What a file can say of itself is not in UTF-16.
  const charset = type.all.get('charset') ?? (said && /^utf-?16/i.test(said) ? undefined : said)
  return { raw, bytes: asUtf8(raw, charset), isText: true }
}

/** How the format of a body is found: by its type where that says it, else by content and name. */
export function leafWay(entity: Entity): OpenEmbeddedOptions {
  const { value, all } = entity.type
  const named = fileName(entity) !== undefined
  if (/^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/.test(value)) return { format: 'eml' }
  if (value === 'text/html') return { format: 'html', options: { encoding: 'utf-8' } }
  if (value === 'text/plain' && all.get('format')?.toLowerCase() === 'flowed')
    return { format: flowed(all.get('delsp')?.toLowerCase() === 'yes'), options: { encoding: 'utf-8' } }
  if (value === 'text/plain' && !named) return { format: 'txt', options: { encoding: 'utf-8' } }
  return value.startsWith('text/') ? { options: { encoding: 'utf-8' } } : {}
}

/**
 * Opens a message and everything in it. A body that nothing can read is left out, unless it is all there is: one of a kind that
 * no format knows, and a piece of a message, which may begin and end within an encoded line.
 */
export async function openMail(source: string, context: FormatContext): Promise<Mail> {
  const root = readEntity(source, context.limits)
  const mail: Mail = { root, leaves: new Map(), gone: new Set(), signatures: 0, oldFiles: 0, asides: 0 }
  await openBodies(root, mail, context)
  if (mail.gone.has(root)) {
    const isPiece = root.type.value === 'message/partial'
    const what = isPiece
      ? 'is a piece of a larger one; join its pieces'
      : 'consists only of a file in an unsupported format'
    throw new EngineError('unsupported_format', `The message ${what}`)
  }
  numberParts(root, mail.gone)
  return mail
}

/** Numbers the parts as they will stand in the output: those that are left out have no number. */
function numberParts(entity: Entity, gone: ReadonlySet<Entity>): void {
  entity.parts
    .filter(part => !gone.has(part))
    .forEach((part, index) => {
      part.section = entity.section === '' ? String(index + 1) : `${entity.section}.${index + 1}`
      numberParts(part, gone)
    })
}

const isOpaque = ({ type }: Entity) => /^application\/(?:x-)?pkcs7-mime$/.test(type.value)

/** What was wrapped into a signature becomes the part itself: whoever can read the message can read it. */
function unwrap(entity: Entity, context: FormatContext): void {
  const bytes = decodeTransfer(entity.body, entity.encoding)
  if (!isSigned(bytes)) throw new EngineError('encrypted_file', 'The message is encrypted')
  const content = signedContent(bytes)
  if (content === undefined)
    throw new EngineError('unsupported_format', 'The message is a signature without its content')
  const { section, fields } = entity
  const inner = readEntity(content.toString('latin1'), context.limits, section, 1)
  const own = fields.filter(({ name }) => !name.startsWith('content-'))
  const eol = entity.eol
  // The content was signed with line ends of its own.
  const contentFields = inner.fields.filter(({ name }) => name.startsWith('content-'))
  const adapted = contentFields.map(field => ({ ...field, raw: `${field.raw.replace(/\r?\n$/, '')}${eol}` }))
  Object.assign(entity, { ...inner, section, eol, gap: entity.gap || eol, fields: [...own, ...adapted] })
}

async function openBodies(entity: Entity, mail: Mail, context: FormatContext): Promise<void> {
  context.signal.throwIfAborted()
  if (entity.type.value === 'multipart/encrypted') throw new EngineError('encrypted_file', 'The message is encrypted')
  while (isOpaque(entity)) {
    unwrap(entity, context)
    mail.signatures++
  }
  if (entity.boundary !== '') {
    mail.asides += entity.asides
    for (const part of entity.parts) await openBodies(part, mail, context)
    if (entity.parts.length > 0 && entity.parts.every(part => mail.gone.has(part))) mail.gone.add(entity)
    return
  }
  if (!isKnownEncoding(entity.encoding) || entity.type.value === 'message/partial') {
    mail.gone.add(entity)
    return
  }
  if (entity.encoding === 'base64' && /\S/.test(entity.body.slice(endOfBase64(entity.body)))) mail.asides++
  const { bytes, isText } = leafBytes(entity)
  if (bytes.length === 0) return
  // Refused whatever it is called: it must not pass as text of an unknown kind.
  if (refusal(bytes)) {
    mail.gone.add(entity)
    return
  }
  const way = leafWay(entity)
  const name = fileName(entity) ?? `body.${entity.type.value.split('/')[1] ?? 'bin'}`
  const text = isText ? withoutOldFiles(bytes.toString('latin1')) : { text: '', count: 0 }
  mail.oldFiles += text.count
  const content = text.count > 0 ? Buffer.from(text.text, 'latin1') : bytes
  const nested = await openEmbedded(content, name, context, way)
  // Text of a kind that nothing knows is still text.
  const plain: OpenEmbeddedOptions = { format: 'txt', options: { encoding: 'utf-8' } }
  const known = nested ?? (isText ? await openEmbedded(content, name, context, plain) : undefined)
  if (known === undefined) mail.gone.add(entity)
  else mail.leaves.set(entity, { nested: known, bytes, isText, way: nested === undefined ? plain : way })
}

/** Closes every file in the message. */
export async function closeMail({ leaves }: Mail): Promise<void> {
  for (const { nested } of leaves.values()) await nested.file.close()
}
