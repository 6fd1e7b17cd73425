import { EngineError } from '../../errors.ts'
import { embeddedSegments } from '../container/embedded-files.ts'
import type { Editor, FormatContext, Input, OpenFile, Output, Place, Segment, WriteReport } from '../format.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { finishReport, startReport } from '../report.ts'
import { batches, charactersOf, editTextNodes, segmentsOf, splice } from '../text/text-nodes.ts'
import { zipWriter } from '../zip/write.ts'
import { closePackage, type OfficePackage, openPackage, type Part } from './package.ts'
import type { PartContent } from './part-state.ts'
import { raisedStyles } from './raised-styles.ts'
import { addressNodes, writeInner, writeRelationships, writeTypes } from './write.ts'
import { readPart } from './xml-part.ts'

const ways = { streamed: [], embedded: true, maker: false }

/** Opens a text document or a presentation: all of it in memory, part by part. */
export async function openDocument(input: Input, context: FormatContext): Promise<OpenFile> {
  const opened = await openPackage(input, context, ways)
  try {
    return openParts(opened, context)
  } catch (error) {
    await closePackage(opened)
    throw error
  }
}

function openParts(opened: OfficePackage, context: FormatContext): OpenFile {
  const pages = slideNumbers(opened)
  if (pages.size > context.limits.pages) throw new EngineError('limit_exceeded', 'The presentation has too many slides')
  const styles = [...opened.parts.values()].find(({ kind }) => kind === 'styles')?.source?.text ?? ''
  const raised = raisedStyles(styles, context.limits.depth)
  const contents = new Map<string, PartContent>()
  // Read once and kept: the second pass asks for the very same segments.
  const contentOf = (part: Part): PartContent => {
    const known = contents.get(part.entry)
    if (known !== undefined) return known
    context.signal.throwIfAborted()
    const place = placeOf(part, pages.get(part.entry))
    const content = readPart(part.source!.text, {
      ...{ place, depth: context.limits.depth, gone: part.gone, sheets: opened.sheetNames, raised },
    })
    contents.set(part.entry, content)
    return content
  }
  return {
    extent() {
      const parts = [opened.root, ...opened.parts.values()].filter(({ content }) => content === 'xml')
      return { characters: charactersOf(parts.flatMap(part => contentOf(part).nodes)) }
    },
    async *segments() {
      for (const part of [opened.root, ...opened.parts.values()])
        yield* partSegments(part, contentOf, opened.sheetNames)
    },
    async write(output, edit, escalations) {
      if (escalations.length > 0) throw new EngineError('internal', 'An Office file has no pages to escalate')
      return writeParts(opened, contentOf, output, edit)
    },
    close: () => closePackage(opened),
  }
}

async function* partSegments(
  part: Part,
  contentOf: (part: Part) => PartContent,
  sheets: SheetNames,
): AsyncGenerator<Segment[]> {
  const nodes = part.content === 'xml' ? contentOf(part).nodes : []
  for (const batch of batches([...nodes, ...addressNodes(part, sheets)])) yield segmentsOf(batch)
  if (part.nested !== undefined) yield* embeddedSegments(part.nested, part.name)
}

async function writeParts(
  opened: OfficePackage,
  contentOf: (part: Part) => PartContent,
  output: Output,
  edit: Editor,
): Promise<WriteReport> {
  const report = startReport()
  const dropped = new Map(opened.dropped)
  const zip = zipWriter(output)
  await writeTypes(opened, zip)
  for (const part of [opened.root, ...opened.parts.values()]) {
    if (part.content === 'xml') {
      const content = contentOf(part)
      const patches = await editTextNodes(content.nodes, edit)
      await zip.add(part.name, part.source!.encode(splice(part.source!.text, [...content.cleaning, ...patches])))
      for (const [what, count] of content.dropped) dropped.set(what, (dropped.get(what) ?? 0) + count)
    }
    await writeRelationships(part, opened, edit, zip)
    await writeInner(part, opened, edit, zip, report)
  }
  await zip.end()
  return finishReport(report, dropped)
}

const kinds: Record<string, Place['kind']> = {
  header: 'header',
  footer: 'header',
  footnotes: 'note',
  endnotes: 'note',
  comments: 'comment',
}

function placeOf({ name, kind }: Part, page: number | undefined): Place {
  return { kind: kinds[kind] ?? 'body', part: name, ...(page === undefined ? {} : { page }) }
}

/** The slides of a presentation by the names of their parts, in the order in which they are shown, from 1. */
function slideNumbers({ parts, main }: OfficePackage): Map<string, number> {
  const part = parts.get(main)!
  const order = new Map<string, number>()
  if (!part.source!.text.includes('sldId')) return order
  for (const [, id] of part.source!.text.matchAll(/<(?:\w+:)?sldId\s[^>]*?\br:id="([^"]+)"/g)) {
    const target = part.relationships.find(relationship => relationship.id === id)?.target
    if (target !== undefined) order.set(target, order.size + 1)
  }
  return order
}
