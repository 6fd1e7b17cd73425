import { type PDFContext, type PDFDict, PDFName, type PDFObject, type PDFRef, PDFStream } from '@cantoo/pdf-lib'
import { EngineError } from '../../../errors.ts'
import { compressed, decode, dictAt, nameAt, nameText, numbersAt, resolve } from '../objects/objects.ts'
import type { Targets } from './glyph-targets.ts'
import { markedContent } from './marked-content.ts'
import { matrixOf, multiply } from './matrix.ts'
import { type FontCache, initialState, numbers, type State, setState } from './state.ts'
import { textStateWriter } from './text-state-writer.ts'
import { type Splice, splice, tokenise } from './tokens.ts'

/** What the cutter shares between the streams of one document. */
export type GlyphRemoval = {
  context: PDFContext
  fonts: FontCache
  names: { next: number }
  /** Forms that were shown in a changed copy: nothing may lead to them any longer without showing them. */
  replaced: Set<PDFObject>
  /** Numbers of the marked content that lost glyphs, for each page. */
  touched: Map<PDFObject, ReadonlySet<number>>
  /** The standard fonts of labels, one each for all pages: readers load a font once for each object that describes it. */
  labelFonts: Map<string, PDFRef>
}

/** Starts the cutting of a document. */
export const startGlyphRemoval = (context: PDFContext): GlyphRemoval => ({
  context,
  fonts: new Map(),
  names: { next: 1 },
  replaced: new Set(),
  touched: new Map(),
  labelFonts: new Map(),
})

/** A content stream without the glyphs that had to go, and the resources that it now needs. */
export type Cut = {
  bytes: Uint8Array
  resources: PDFDict | undefined
  touched: boolean
  /** Numbers of the marked content that lost glyphs, in forms too. */
  marked: ReadonlySet<number>
  /** Saved graphics states that the stream leaves behind (above 0) or takes too many of (below). */
  balance: { left: number; missing: number }
}

const maxDepth = 24

/**
 * Removes the glyphs that stand in `targets` from a content stream and from the forms that it shows. What it removes
 * gives way to an exact displacement; all else stays byte for byte. A form is changed in a copy, since other pages may
 * show it too.
 */
export const cutStream = (
  removal: GlyphRemoval,
  source: Uint8Array,
  resources: PDFDict | undefined,
  targets: Targets,
  start: State = initialState(),
  depth = 0,
): Cut => {
  if (depth > maxDepth) throw new EngineError('limit_exceeded', 'Forms of a page nest too deeply')
  const splices: Splice[] = []
  const added = new Map<string, PDFRef>()
  const shown = new Set<string>()
  const inForms = new Set<number>()
  const marks = markedContent(resources, splices)
  const pen = textStateWriter(targets, splices, marks.touch)
  const saved: State[] = []
  let state = start
  let missing = 0
  const tokens = tokenise(source)

  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    const { operator, operands } = operation
    const values = numbers(operands)
    if (operator === 'q') saved.push({ ...state })
    else if (operator === 'Q') {
      const restored = saved.pop()
      if (restored) state = restored
      else missing++
    } else if (operator === 'Do') {
      const name = operands.find(operand => operand.kind === 'name')
      const cut = name && cutForm(removal, name.value, resources, targets, state, depth)
      if (name && !cut) shown.add(name.value)
      else if (name && cut) {
        const fresh = `Cut${removal.names.next++}`
        added.set(fresh, cut.copy)
        for (const number of cut.marked) inForms.add(number)
        splices.push({ start: name.start, end: name.end, bytes: Buffer.from(`/${fresh}`) })
        marks.touch()
      }
    } else if (setState(state, operation, values, resources, removal.fonts)) {
      // The state has taken it in.
    } else if (!marks.take(operation)) pen.take(operation, state, values)
  }
  const marked = new Set([...marks.end(), ...inForms])
  const touched = splices.length > 0
  for (const { start, end } of tokens.comments()) splices.push({ start, end, bytes: new Uint8Array(0) })
  return {
    bytes: splices.length > 0 ? splice(source, splices) : source,
    resources: added.size > 0 ? withForms(removal.context, resources, added, shown) : resources,
    touched,
    marked,
    balance: { left: saved.length, missing },
  }
}

/** Cuts a form as it is shown here; undefined when nothing of it had to go. */
const cutForm = (
  removal: GlyphRemoval,
  name: string,
  resources: PDFDict | undefined,
  targets: Targets,
  state: State,
  depth: number,
): { copy: PDFRef; marked: ReadonlySet<number> } | undefined => {
  const { context } = removal
  const forms = dictAt(resources, 'XObject')
  const form = resolve(context, forms?.get(PDFName.of(name)))
  if (!(form instanceof PDFStream) || nameAt(form.dict, 'Subtype') !== 'Form') return undefined
  const bytes = decode(form)
  if (!bytes) return undefined
  const ctm = multiply(matrixOf(numbersAt(form.dict, 'Matrix')), state.ctm)
  const own = dictAt(form.dict, 'Resources') ?? resources
  const cut = cutStream(removal, bytes, own, targets, { ...state, ctm }, depth + 1)
  if (!cut.touched) return undefined
  removal.replaced.add(form)
  const copy = compressed(context, cut.bytes, form.dict)
  if (cut.resources) copy.dict.set(PDFName.of('Resources'), cut.resources)
  return { copy: context.register(copy), marked: cut.marked }
}

/** The resources with the changed forms in place of those that are shown no longer, as a copy: pages share resources. */
const withForms = (
  context: PDFContext,
  resources: PDFDict | undefined,
  added: Map<string, PDFRef>,
  shown: Set<string>,
): PDFDict => {
  const copy = resources ? resources.clone(context) : context.obj({})
  const forms = context.obj({})
  for (const [name, form] of dictAt(resources, 'XObject')?.entries() ?? [])
    if (shown.has(nameText(name))) forms.set(name, form)
  for (const [name, ref] of added) forms.set(PDFName.of(name), ref)
  copy.set(PDFName.of('XObject'), forms)
  return copy
}
