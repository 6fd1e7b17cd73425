import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { verifyEmbedded } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak, Segment } from '../format.ts'
import { findValues } from '../text/leaks.ts'
import { headerTexts } from './header-texts.ts'
import { type Entity, readEntity } from './mime.ts'
import { fieldAction, fileName, labelOf, leafBytes, leafWay } from './read.ts'
import { decodeTransfer } from './transfer.ts'
import { decodedAgain, rereadMail, sameBytes, sameWords } from './verify-reader.ts'
import { isFixedParameter, isKeptParameter, isKnownType } from './vocabulary.ts'

/** Reads a written message again: its headers are the expected ones, every body passes its own format's check. */
export async function verifyMail(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const source = Buffer.from(await readAll(output, context.limits.bytes)).toString('latin1')
  try {
    const leaks: Leak[] = []
    const root = readEntity(source, context.limits)
    await check(root, expected, context, leaks)
    return leaks.length > 0 ? leaks : await checkAgain(root, Buffer.from(source, 'latin1'), expected)
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  }
}

async function check(entity: Entity, expected: Expected, context: FormatContext, leaks: Leak[]): Promise<void> {
  context.signal.throwIfAborted()
  const part = labelOf(entity)
  const wrong = (reason: string) => void leaks.push({ type: 'leak_detected', place: { kind: 'header', part }, reason })
  const segments: Segment[] = headerTexts(entity).map(({ node }) => node.segment)
  // Dates are told of when the rest of a header is: they come last.
  const shown = [...segments.filter(({ later }) => !later), ...segments.filter(({ later }) => later)]
    .filter(({ visible, text }) => visible && text.trim() !== '')
    .map(({ text }) => text)
  const wanted = expected.visible.filter(({ place, text }) => place.part === part && text.trim() !== '')
  if (shown.map(normal).join('\n') !== wanted.map(({ text }) => normal(text)).join('\n'))
    wrong('The header of the output is not the expected one')
  if (entity.fields.some(field => fieldAction(field) === 'drop')) wrong('A header field should have been left out')
  const structure = [
    ...entity.fields.map(({ raw }) => raw.slice(0, raw.indexOf(':'))),
    ...[entity.type.value, entity.disposition.value].filter(isKnownType),
    ...[...entity.type.all, ...entity.disposition.all].flatMap(([key, value]) =>
      isFixedParameter(key, value) ? [key, value] : isKeptParameter(key) ? [key] : [],
    ),
    entity.encoding,
  ]
  const header = Buffer.from(entity.fields.map(({ raw }) => raw).join(''), 'latin1')
  leaks.push(...findValues(expected.gone, segments, [header], structure))
  for (const child of entity.parts) await check(child, expected, context, leaks)
  if (entity.boundary !== '') return
  if (!sameBytes(decodeTransfer(entity.body, entity.encoding), await decodedAgain(entity)))
    wrong('A body of the output is read in two ways')
  const { bytes, isText } = leafBytes(entity)
  if (bytes.length === 0) return
  const name = fileName(entity) ?? `body.${entity.type.value.split('/')[1] ?? 'bin'}`
  const found = await verifyEmbedded(bytes, name, part, expected, context, leafWay(entity))
  const unread = found.some(({ type }) => type === 'corrupt_file')
  const plain = { format: 'txt', options: { encoding: 'utf-8' } }
  leaks.push(...(unread && isText ? await verifyEmbedded(bytes, name, part, expected, context, plain) : found))
}

const isShown = (name: string) => fieldAction({ name, value: '' }) === 'shown'

/** Has the whole message read by another parser: its fields are the expected ones, and nothing of it holds a value. */
async function checkAgain(root: Entity, message: Uint8Array, expected: Expected): Promise<Leak[]> {
  const { fields, texts, files } = await rereadMail(message)
  const part = labelOf(root)
  const wanted = expected.visible.filter(({ place }) => place.part === part && place.kind === 'header')
  const isDate = ({ name }: { name: string }) => name === 'date'
  const shown = [...fields.filter(field => !isDate(field)), ...fields.filter(isDate)].filter(
    ({ name, text }) => isShown(name) && text.trim() !== '',
  )
  const texted = wanted.filter(({ text }) => text.trim() !== '')
  const same = shown.length === texted.length && shown.every(({ text }, index) => sameWords(texted[index]!.text, text))
  if (!same) {
    const reason = 'The header of the output is read in two ways'
    return [{ type: 'leak_detected', place: { kind: 'header', part }, reason }]
  }
  const bodies = bodiesOf(root)
  if (!files.every(file => bodies.some(body => sameBytes(body, file))))
    return [{ type: 'leak_detected', place: { kind: 'body' }, reason: 'A part of the output is read in two ways' }]
  return findValues(
    expected.gone,
    texts.map(text => ({ text })),
    [],
    [],
  )
}

/** What the bodies of a message hold, as they are sent and as text in UTF-8. */
function bodiesOf(entity: Entity): Uint8Array[] {
  if (entity.boundary !== '') return entity.parts.flatMap(bodiesOf)
  return [decodeTransfer(entity.body, entity.encoding), leafBytes(entity).bytes]
}

/** Header text as it survives folding; control characters are blanks there. */
function normal(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .trim()
}
