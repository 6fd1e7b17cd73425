import { EngineError } from './errors.ts'
import type { Format, FormatContext, Input, Limits, Place, Registry, Segment } from './formats/format.ts'
import { registry, sniff } from './formats/index.ts'
import type { PageView } from './formats/page-views.ts'
import { defaultLimits } from './limits.ts'

/** Texts that make one page where a file has no pages of its own, and characters that end one early. */
const page = { texts: 400, characters: 400_000 }

/** Unpacked bytes of a document, which is read as a whole before its first text is known: as many take some seconds. */
const documentBytes = 128 * 1024 ** 2

/** What people see of a file at once: the picture of a page, or texts in their order. Holds content. */
export type ShownPage = {
  /** How many there are; null where only reading to the end would tell. */
  pages: number | null
  /** Whether others follow. */
  more: boolean
  view?: PageView
  texts: { place: Place; text: string }[]
}

/**
 * Shows a page of a file, from 1: of formats of pages its picture, of others those texts that a person sees who opens the
 * file. Pictures in it are not read. Undefined where there is no such page; throws an {@link EngineError} for a file that
 * can't be read.
 */
export async function showPage(call: {
  input: Input
  number: number
  signal: AbortSignal
  limits?: Partial<Limits>
  options?: Record<string, unknown>
}): Promise<ShownPage | undefined> {
  const { input, number, signal, options = {} } = call
  const limits = { ...defaultLimits, ...call.limits }
  if (input.size > limits.bytes) throw tooLarge(limits)
  const format = await sniff(input)
  const context = { registry: withoutPictures, limits, signal, options, drawings: { pixels: 0 } }
  if (format.draw) {
    const { pages, view } = await format.draw(input, number, context)
    return view && { pages, more: number < pages, view, texts: [] }
  }
  if (isDrawing(format)) throw new EngineError('unsupported_format', 'Drawings of this kind cannot be shown')
  return showTexts(format, input, number, context)
}

const tooLarge = ({ bytes }: Limits) => new EngineError('limit_exceeded', `The file is larger than ${bytes} bytes`)

async function showTexts(
  format: Format,
  input: Input,
  number: number,
  context: FormatContext,
): Promise<ShownPage | undefined> {
  const { limits } = context
  const inflatedBytes = format.keepsText ? Math.min(limits.inflatedBytes, documentBytes) : limits.inflatedBytes
  const file = await format.open(input, { ...context, limits: { ...limits, inflatedBytes } })
  try {
    let [at, characters] = [1, 0]
    let texts: Segment[] = []
    for await (const batch of file.segments()) {
      // Whoever reads from memory lets nothing else run, and so no timer.
      await new Promise(resolve => setImmediate(resolve))
      context.signal.throwIfAborted()
      for (const segment of batch.filter(isSeen)) {
        if (texts.length === page.texts || characters > page.characters) {
          if (at === number) return { pages: null, more: true, texts: texts.map(textOf) }
          at++
          texts = []
          characters = 0
        }
        texts.push(segment)
        characters += segment.text.length
      }
    }
    // A file without texts has one page, which is empty.
    return at === number ? { pages: at, more: false, texts: texts.map(textOf) } : undefined
  } finally {
    await file.close()
  }
}

const isSeen = ({ visible, hint, text }: Segment): boolean => visible && !hint && text.trim() !== ''

const textOf = ({ place, text }: Segment) => ({ place, text })

/** Kinds of vector graphics, whose words are read from what they look like. */
const isDrawing = ({ id }: Format): boolean => id === 'emf' || id === 'wmf'

/** A format of a file in another one, unless it has to be read from what it looks like, which takes long. */
const readable = (format: Format): Format => {
  if (format.draw || isDrawing(format)) throw new EngineError('unsupported_format')
  return format
}

const withoutPictures: Registry = {
  find: id => {
    const format = registry.find(id)
    return format && readable(format)
  },
  of: (bytes, name) => readable(registry.of(bytes, name)),
}
