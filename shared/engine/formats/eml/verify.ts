import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { verifyEmbedded } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak, Segment } from '../format.ts'
import { findValues } from '../text/leaks.ts'
import { headerTexts } from './header-texts.ts'
import { type Entity, readEntity } from './mime.ts'
import { fieldAction, fileName, isRepeated, labelOf, leafBytes, leafWay } from './read.ts'
import { decodedAgain, rereadMail, sameBytes, sameWords } from './verify-reader.ts'
import { isFixedParameter, isKeptParameter, isKnownType } from './vocabulary.ts'

/** Reads a written message again: its headers are the expected ones, every body passes its own format's check. */
export async function verifyMail(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const source = Buffer.from(await readAll(output, context.limits.bytes)).toString('latin1')
  try {
    const found: Found = { leaks: [], bodies: [] }
    const root = readEntity(source, context.limits)
    await check(root, expected, context, found)
    if (found.leaks.length > 0) return found.leaks
    return await checkAgain(root, Buffer.from(source, 'latin1'), found.bodies, expected)
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  }
}

/** What is wrong with a message, and what its bodies hold, as they are sent and as text in UTF-8. */
type Found = { leaks: Leak[]; bodies: Uint8Array[] }

async function check(entity: Entity, expected: Expected, context: FormatContext, found: Found): Promise<void> {
  const { leaks, bodies } = found
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
  if (entity.fields.some(field => fieldAction(field) === 'drop' || isRepeated(field, entity)))
    wrong('A header field should have been left out')
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
  for (const child of entity.parts) await check(child, expected, context, found)
  if (entity.boundary !== '') return
  const { raw, bytes, isText } = leafBytes(entity)
  bodies.push(raw, bytes)
  if (!sameBytes(raw, await decodedAgain(entity))) wrong('A body of the output is read in two ways')
  if (bytes.length === 0) return
  const name = fileName(entity) ?? `body.${entity.type.value.split('/')[1] ?? 'bin'}`
  const nested = await verifyEmbedded(bytes, name, part, expected, context, leafWay(entity))
  const unread = nested.some(({ type }) => type === 'corrupt_file')
  const plain = { format: 'txt', options: { encoding: 'utf-8' } }
  leaks.push(...(unread && isText ? await verifyEmbedded(bytes, name, part, expected, context, plain) : nested))
}

const isShown = (name: string) => fieldAction({ name, value: '' }) === 'shown'

/** Has the whole message read by another parser: its fields are the expected ones, and nothing of it holds a value. */
async function checkAgain(
  root: Entity,
  message: Uint8Array,
  bodies: readonly Uint8Array[],
  expected: Expected,
): Promise<Leak[]> {
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
  if (!files.every(file => bodies.some(body => sameBytes(body, file))))
    return [{ type: 'leak_detected', place: { kind: 'body' }, reason: 'A part of the output is read in two ways' }]
  return findValues(
    expected.gone,
    texts.map(text => ({ text })),
    [],
    [],
  )
}

/** Header text as it survives folding; control characters are blanks there. */
function normal(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .trim()
}
