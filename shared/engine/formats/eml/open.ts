import { splitName } from '../../file-names.ts'
import { readAll } from '../../input.ts'
import { choicesWithin, embeddedSegments, writeEmbedded } from '../container/embedded-files.ts'
import type { Edit, Editor, FormatContext, Input, OpenFile, Output, Place, Segment, WriteReport } from '../format.ts'
import { applyEdits } from '../plain/write.ts'
import { finishReport, mergeReport, startReport } from '../report.ts'
import { type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import { fromFirstField } from './beginning.ts'
import { editedDate } from './date-field.ts'
import { displayNames, type HeaderText, headerTexts } from './header-texts.ts'
import type { Entity, Field } from './mime.ts'
import { writeParameter } from './parameters.ts'
import { closeMail, fieldAction, fileName, isRepeated, labelOf, type Mail, openMail } from './read.ts'
import { base64, decodeTransfer, encodeTransfer, isOldEncoding } from './transfer.ts'
import { isFixedParameter, isKeptParameter, isKnownType, plainType } from './vocabulary.ts'
import { foldField, isDoubtful } from './words.ts'

/** Opens a message; see `Format.open`. */
export async function openEml(input: Input, context: FormatContext): Promise<OpenFile> {
  const source = Buffer.from(await readAll(input, context.limits.bytes)).toString('latin1')
  const mail = await openMail(fromFirstField(source), context)
  return {
    within: () => choicesWithin(Array.from(mail.leaves, ([entity, { nested }]) => [labelOf(entity), nested])),
    segments: () => segmentsOf(mail),
    write: (output, edit) => write(mail, output, edit),
    close: () => closeMail(mail),
  }
}

/** All texts, and in the end the names of correspondents once more, to be known wherever they stand. */
async function* segmentsOf(mail: Mail): AsyncGenerator<Segment[]> {
  yield* entitySegments(mail.root, mail)
  const names = displayNames(mail.root)
  if (names.length > 0) yield names
}

async function* entitySegments(entity: Entity, mail: Mail): AsyncGenerator<Segment[]> {
  if (mail.gone.has(entity)) return
  const header = headerTexts(entity)
  if (header.length > 0) yield header.map(({ node }) => node.segment)
  for (const part of entity.parts) yield* entitySegments(part, mail)
  const leaf = mail.leaves.get(entity)
  if (leaf !== undefined) yield* embeddedSegments(leaf.nested, labelOf(entity))
}

async function write(mail: Mail, output: Output, edit: Editor): Promise<WriteReport> {
  const report = startReport()
  const dropped = new Map<string, number>()
  const text = await writeEntity(mail.root, { mail, edit, report, dropped })
  if (mail.signatures > 0) dropped.set('signatures', mail.signatures)
  if (mail.asides > 0) dropped.set('preambles and epilogues', mail.asides)
  if (mail.oldFiles > 0) dropped.set('attachments', (dropped.get('attachments') ?? 0) + mail.oldFiles)
  await output.write(Buffer.from(text, 'latin1'))
  return finishReport(report, dropped)
}

type Writing = { mail: Mail; edit: Editor; report: WriteReport; dropped: Map<string, number> }

async function writeEntity(entity: Entity, writing: Writing): Promise<string> {
  const { mail, edit, dropped } = writing
  const header = headerTexts(entity)
  const edits = header.length > 0 ? await edit(header.map(({ node }) => node.segment)) : []
  const dates = datesOf(header, edits)
  edit.show?.([...dates.values()])
  const parts: string[] = []
  for (const part of entity.parts) {
    if (!mail.gone.has(part)) parts.push(await writeEntity(part, writing))
    else dropped.set('attachments', (dropped.get('attachments') ?? 0) + 1)
  }
  const boundary = entity.boundary === '' ? '' : newBoundary(entity, parts)
  const { body, encoding, utf8 } = await writeBody(entity, writing)
  const fields = writeFields(entity, changedFields(header, edits, dates), { encoding, utf8, boundary }, dropped)
  const { eol } = entity
  const gap = entity.gap === '' ? eol : entity.gap
  if (boundary === '') return fields + gap + body
  const texts = parts.length > 0 ? parts : [eol]
  return `${fields}${gap}${texts.map(text => `--${boundary}${eol}${text}${eol}`).join('')}--${boundary}--${eol}`
}

/** A boundary that stands in no part. The one that there was may hold a name, or tell of programs and times. */
function newBoundary({ section }: Entity, parts: readonly string[]): string {
  const base = `=_part_${section === '' ? '0' : section.replaceAll('.', '_')}`
  let boundary = base
  for (let n = 1; parts.some(part => part.includes(boundary)); n++) boundary = `${base}_${n}`
  return boundary
}

/** The body of a part in its transfer encoding; whether it had to become UTF-8. */
async function writeBody(entity: Entity, { mail, edit, report }: Writing) {
  const { encoding, body, eol } = entity
  const leaf = mail.leaves.get(entity)
  if (leaf === undefined) return { body: entity.boundary === '' ? '' : body, encoding, utf8: false }
  const { bytes, report: inner } = await writeEmbedded(leaf.nested, labelOf(entity), edit)
  mergeReport(report, inner)
  const written = Buffer.from(bytes)
  // Base64 that says more than its bytes is written anew: nobody has looked at the rest.
  const canonical =
    !isOldEncoding(encoding) &&
    (encoding !== 'base64' || base64(decodeTransfer(body, encoding), '') === body.replace(/\s/g, ''))
  const charset = entity.type.all.get('charset')
  const hasCharset = !leaf.isText || charset === undefined || isFixedParameter('charset', charset)
  if (written.equals(leaf.bytes) && canonical && hasCharset) return { body, encoding, utf8: false }
  const message = leaf.nested.format.id === 'eml' && /^(?:7bit|8bit|binary)$/.test(encoding)
  if (message) return { body: written.toString('latin1'), encoding, utf8: false }
  // Messages to people and programs, such as reports of delivery, are read without a transfer encoding.
  const isPlain = leaf.isText || entity.type.value.startsWith('message/')
  const wanted = isPlain || encoding === 'quoted-printable' ? encoding : 'base64'
  return { ...encodeTransfer(written, wanted, eol), utf8: leaf.isText }
}

/** What the fields of dates say in the end, with their places. */
function datesOf(header: HeaderText[], edits: readonly Edit[][]): Map<Field, { place: Place; text: string }> {
  return new Map(
    header.flatMap(({ field, node: { segment } }, index) => {
      const { later, place, text } = segment
      return field && later ? [[field, { place, text: editedDate(text, edits[index] ?? []) }]] : []
    }),
  )
}

/**
 * The fields with edits and what stands in them now, nothing where they go; the name of the file without its ending; and
 * the type of the content, where it is another.
 */
type Changes = { fields: Map<Field, string>; stem?: string; type?: string }

function changedFields(header: HeaderText[], edits: readonly Edit[][], dates: ReturnType<typeof datesOf>): Changes {
  const changes: Changes = { fields: new Map() }
  header.forEach(({ field, what, node }, index) => {
    const own = edits[index] ?? []
    if (what === 'name') changes.stem = applyEdits(node.segment.text, own)
    else if (what === 'type' && own.length > 0) changes.type = plainType(node.segment.text)
    else if (field === undefined) return
    else if (own.length > 0 || isUnclear(field))
      changes.fields.set(field, dates.get(field)?.text ?? splice(field.value, fieldPatches(field, node, own)).trim())
  })
  return changes
}

const isRecoded = ({ raw, value }: Field) => !raw.includes(value)

const isUnclear = (field: Field) => isRecoded(field) || isDoubtful(field.value)

/** The patches of a field, with those of the runs beside its edits that readers differ over. */
function fieldPatches(field: Field, node: TextNode, edits: readonly Edit[]): Patch[] {
  const patches = patchesOf(node, edits)
  if (!isUnclear(field)) return patches
  const edited = patches.toSorted((a, b) => a.start - b.start)
  let next = 0
  for (const { start, end, text, encode } of node.runs) {
    while (next < edited.length && edited[next]!.end <= start) next++
    const isEdited = next < edited.length && edited[next]!.start < end
    const source = field.value.slice(start, end)
    const isPlain = !/[^\x00-\x7f]/.test(source) && !isDoubtful(source)
    if (encode && !isPlain && !isEdited) patches.push({ start, end, text: encode(text) })
  }
  return patches
}

function writeFields(
  entity: Entity,
  { fields: changed, stem, type: otherType }: Changes,
  body: { encoding: string; utf8: boolean; boundary: string },
  dropped: Map<string, number>,
): string {
  const { eol, type, disposition } = entity
  const former = fileName(entity)
  const name = stem === undefined ? former : stem + splitName(former!).extension
  let out = ''
  let hasEncoding = false
  for (const field of entity.fields) {
    const label = field.raw.slice(0, field.raw.indexOf(':'))
    // A line of blanks ends the header for some readers.
    const lines = field.raw.replace(/\r?\n[ \t]+(?=\r?\n)/g, '')
    const raw = /\n$/.test(lines) ? lines : lines + eol
    const action = fieldAction(field)
    const text = changed.get(field)
    const drop = (what: string) => dropped.set(what, (dropped.get(what) ?? 0) + 1)
    if (action === 'drop') drop(field.name === '' ? 'lines of a header that are no field' : 'transport headers')
    else if (isRepeated(field, entity)) drop('repeated headers')
    else if (text === '' && field.name === 'date') drop('dates of messages')
    else if (text !== undefined) out += foldField(`${label}: ${text}`, eol) + eol
    else if (field.name === 'content-transfer-encoding') {
      hasEncoding = true
      out += body.encoding === field.value.trim().toLowerCase() ? raw : `${label}: ${body.encoding}${eol}`
    } else if (field.name === 'mime-version') out += field.value.trim() === '1.0' ? raw : `${label}: 1.0${eol}`
    else if (action === 'parameters') {
      const isType = field.name === 'content-type'
      const { value, all, plain } = isType ? type : disposition
      const kind = isType ? (otherType ?? value) : isKnownType(value) ? value : 'attachment'
      const kept = keptParameters(all)
      const isNamed = kept.every(([key, own]) => (key !== 'name' && key !== 'filename') || own === name)
      const hasBoundary = all.has('boundary')
      const same =
        plain &&
        !isRecoded(field) &&
        kind === value &&
        isNamed &&
        !body.utf8 &&
        !hasBoundary &&
        kept.length === all.size
      const written = kept.map(([key, own]) => {
        if (key === 'name' || key === 'filename') return writeParameter(key, name ?? own)
        if (key === 'boundary') return writeParameter(key, body.boundary)
        return writeParameter(key, key === 'charset' && body.utf8 ? 'utf-8' : own)
      })
      if (body.utf8 && isType && !kept.some(([key]) => key === 'charset'))
        written.push(writeParameter('charset', 'utf-8'))
      out += same ? raw : `${label}: ${kind}${written.map(own => `;${eol}\t${own}`).join('')}${eol}`
    } else out += raw
  }
  if (!hasEncoding && body.encoding !== entity.encoding) out += `Content-Transfer-Encoding: ${body.encoding}${eol}`
  if (body.utf8 && !entity.fields.some(field => field.name === 'content-type'))
    out += `Content-Type: text/plain; charset="utf-8"${eol}`
  return out
}

/** Parameters that stay. Dates, sizes and whatever a program thought of besides go, and values that the format doesn't have. */
function keptParameters(all: Map<string, string>): [string, string][] {
  return [...all].filter(([key, value]) => isKeptParameter(key) || isFixedParameter(key, value))
}
