import { type PDFDict, PDFName, type PDFPage, type PDFRef } from '@cantoo/pdf-lib'
import { contentOf, resourcesOf } from './content/content.ts'
import { targetsOf } from './content/glyph-targets.ts'
import { cutStream, type GlyphRemoval } from './content/remove-glyphs.ts'
import { compressed, dictAt } from './objects/objects.ts'
import type { CharPlace } from './text/char-place.ts'
import { drawLabels, type Label, labelFontName, labelFontsOf } from './text/replacement-labels.ts'

const standardFont = ({ context, labelFonts }: GlyphRemoval, name: string): PDFRef => {
  const known = labelFonts.get(name)
  if (known) return known
  const font = context.register(
    context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: name, Encoding: 'WinAnsiEncoding' }),
  )
  labelFonts.set(name, font)
  return font
}

/**
 * Draws labels over a page and, unless the page is to become a picture, removes the characters under them: a picture is
 * taken of the page as it was, with opaque boxes over what has to go. `staying` lists the characters that stay.
 */
export const editPage = (
  cutting: GlyphRemoval,
  page: PDFPage,
  labels: Label[],
  picture: boolean,
  staying: () => CharPlace[],
): void => {
  const { node } = page
  const { context } = cutting
  const own = resourcesOf(page)
  const source = contentOf(page)
  const targets = targetsOf(picture ? [] : labels.flatMap(label => label.places), staying)
  const cut = cutStream(cutting, source, own, targets)
  cutting.touched.set(node, cut.marked)
  const before = 'q\n'.repeat(1 + cut.balance.missing)
  const after = `\n${'Q\n'.repeat(1 + cut.balance.left)}q\n${drawLabels(labels, picture)}\nQ\n`
  const content = Buffer.concat([Buffer.from(before), cut.bytes, Buffer.from(after)])
  node.set(PDFName.of('Contents'), context.register(compressed(context, content)))
  const resources = cut.resources === own || !cut.resources ? (own?.clone(context) ?? context.obj({})) : cut.resources
  const fonts = dictAt(resources, 'Font')?.clone(context) ?? (context.obj({}) as PDFDict)
  for (const font of labelFontsOf(picture ? [] : labels))
    fonts.set(PDFName.of(labelFontName(font)), standardFont(cutting, font))
  resources.set(PDFName.of('Font'), fonts)
  node.set(PDFName.of('Resources'), resources)
}
