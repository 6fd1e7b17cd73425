import { withoutMarks } from '../../detect/normalise.ts'
import { writeEmbedded } from '../container/embedded-files.ts'
import type { Editor, Output, WriteReport } from '../format.ts'
import { blankPicture, blankPng } from '../ooxml/blank-image.ts'
import { knownInHidden } from '../ooxml/known-values.ts'
import { applyEdits } from '../plain/write.ts'
import { finishReport, mergeReport, startReport } from '../report.ts'
import { editTextNodes, type Patch, splice } from '../text/text-nodes.ts'
import { encodeXml } from '../xml/text.ts'
import { type ZipWriter, zipWriter } from '../zip/write.ts'
import { isObject, manifestNames, type OdfPackage, type OdfPart } from './package.ts'

/** Writes an OpenDocument file part by part, as its patches say. */
export async function writeDocument(opened: OdfPackage, output: Output, edit: Editor): Promise<WriteReport> {
  const report = startReport()
  const zip = await beginPackage(opened, output)
  const charts = editorOfCharts(opened, edit)
  for (const part of opened.parts) {
    const { name, source, content } = part
    if (source !== undefined && content !== undefined) {
      const patches = await editTextNodes(content.nodes, isObject(part) ? charts.object : charts.text)
      await zip.add(name, source.encode(splice(source.text, [...content.cleaning, ...patches])))
    } else await writeFile(zip, opened, part, edit, report)
  }
  await endPackage(zip, opened)
  return finishReport(report, opened.dropped)
}

/**
 * Edits the texts of a document first, and then those of the charts in it, in which numbers and dates that were replaced stand
 * in the form for programs.
 */
function editorOfCharts({ parts }: OdfPackage, edit: Editor): { text: Editor; object: Editor } {
  const nodes = parts.filter(isObject).flatMap(({ content }) => content?.nodes ?? [])
  const known = knownInHidden(nodes.map(({ segment }) => segment.text))
  return {
    async text(batch) {
      const found = await edit(batch)
      batch.forEach(({ text }, index) => {
        for (const { start, end, text: by } of found[index] ?? [])
          known.noteForms(withoutMarks(text.slice(start, end)), by)
      })
      return found
    },
    async object(batch) {
      const found = await edit(batch)
      const completed = batch.map((segment, index) => known.complete(segment, found[index] ?? []))
      edit.show?.(
        batch.flatMap(({ later, place, text }, index) =>
          later ? { place, text: withoutMarks(applyEdits(text, completed[index]!)) } : [],
        ),
      )
      return completed
    },
  }
}

/** The archive of an output, which begins with the type of the file where the input states it. */
export async function beginPackage({ mimetype }: OdfPackage, output: Output): Promise<ZipWriter> {
  const zip = zipWriter(output)
  // First and unpacked, so that the type can be read off the first bytes.
  if (mimetype !== '') await zip.add('mimetype', Buffer.from(mimetype), { store: true })
  return zip
}

/** Writes a part that is a file of its own: anonymised, or kept as it is. */
export async function writeFile(
  zip: ZipWriter,
  opened: OdfPackage,
  { name, entry, nested, kept }: OdfPart,
  edit: Editor,
  report: WriteReport,
  whole?: boolean,
): Promise<void> {
  if (nested !== undefined) {
    const { bytes, report: inner } = await writeEmbedded(nested, name, edit, whole)
    await zip.add(name, bytes)
    mergeReport(report, inner)
  } else if (kept) {
    await zip.add(name, await opened.zip.bytes(entry))
    report.warnings.push('Pictures were kept as they are and not looked into')
  }
}

/** Writes what a package ends with: the empty picture, if there is one, and the manifest. */
export async function endPackage(zip: ZipWriter, opened: OdfPackage): Promise<void> {
  if (opened.blanked) await zip.add(blankPicture, blankPng, { store: true })
  await zip.add('META-INF/manifest.xml', opened.manifest.encode(manifestOf(opened)))
  await zip.end()
}

/** The manifest without what was left out, and with the empty picture. */
function manifestOf({ manifest, parts, blanked }: OdfPackage): string {
  const source = manifest.text
  const names = new Map(parts.map(({ entry, name }) => [entry, name]))
  const patches: Patch[] = []
  let at = -1
  for (const { path, start, end } of manifestNames(source).entries) {
    const name = names.get(path)
    const isFolder = path.endsWith('/') && (path === '/' || parts.some(part => part.entry.startsWith(path)))
    if (path === '/') at = end
    if (name !== undefined && name !== path)
      patches.push({ start, end, text: source.slice(start, end).replace(encodeXml(path), encodeXml(name)) })
    else if (name === undefined && !isFolder) patches.push({ start, end, text: '' })
  }
  const prefix = /<((?:[\w.-]+:)?)manifest[\s>]/.exec(source)?.[1] ?? ''
  if (blanked && at >= 0) {
    const attributes = `${prefix}full-path="${blankPicture}" ${prefix}media-type="image/png"`
    patches.push({ start: at, end: at, text: `<${prefix}file-entry ${attributes}/>` })
  }
  return splice(source, patches)
}
