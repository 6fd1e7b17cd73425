import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { verifyNested } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak, Segment } from '../format.ts'
import { findValues } from '../text/leaks.ts'
import { headerTexts } from './header-texts.ts'
import { type Entity, readEntity } from './mime.ts'
import { fieldFate, fileName, labelOf, leafBytes, leafWay } from './read.ts'

/** Reads a written message again: its headers are the expected ones, every body passes its own format's check. */
export async function verifyMail(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const source = Buffer.from(await readAll(output, context.limits.bytes)).toString('latin1')
  try {
    const leaks: Leak[] = []
    await check(readEntity(source, context.limits), expected, context, leaks)
    return leaks
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  }
}

async function check(entity: Entity, expected: Expected, context: FormatContext, leaks: Leak[]): Promise<void> {
  context.signal.throwIfAborted()
  const part = labelOf(entity)
  const wrong = (reason: string) => void leaks.push({ type: 'leak_detected', place: { kind: 'header', part }, reason })
  const segments: Segment[] = headerTexts(entity).map(({ draft }) => draft.segment)
  const shown = segments.filter(({ visible, text }) => visible && text.trim() !== '').map(({ text }) => text)
  const wanted = expected.visible.filter(({ place, text }) => place.part === part && text.trim() !== '')
  if (shown.map(normal).join('\n') !== wanted.map(({ text }) => normal(text)).join('\n'))
    wrong('The header of the output is not the expected one')
  if (entity.fields.some(field => fieldFate(field) === 'drop')) wrong('A header field should have been left out')
  const structure = [
    ...entity.fields.map(({ raw }) => raw.slice(0, raw.indexOf(':'))),
    entity.type.value,
    entity.disposition.value,
    ...[...entity.type.all].filter(([key]) => key !== 'name').flat(),
    ...entity.disposition.all.keys(),
    entity.encoding,
  ]
  const header = Buffer.from(entity.fields.map(({ raw }) => raw).join(''), 'latin1')
  leaks.push(...findValues(expected.gone, segments, [header], structure))
  for (const child of entity.parts) await check(child, expected, context, leaks)
  if (entity.boundary !== '') return
  const { bytes, isText } = leafBytes(entity)
  if (bytes.length === 0) return
  const name = fileName(entity) ?? `body.${entity.type.value.split('/')[1] ?? 'bin'}`
  const found = await verifyNested(bytes, name, part, expected, context, leafWay(entity))
  const unread = found.some(({ type }) => type === 'corrupt_file')
  const plain = { format: 'txt', options: { encoding: 'utf-8' } }
  leaks.push(...(unread && isText ? await verifyNested(bytes, name, part, expected, context, plain) : found))
}

/** Header text as it survives folding; control characters are blanks there. */
function normal(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .trim()
}
