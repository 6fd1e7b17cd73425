import { inflateSync } from 'node:zlib'
import type { FormatContext } from '../../format.ts'

/** Text of a page (from 0) as a reader of another make finds it. */
export type SecondReader = (page: number) => string | undefined

const Platform = globalThis.DecompressionStream

/**
 * Stands in for the platform's class, which PDF.js sends the content of each page through: three streams and another
 * thread for what one call inflates. It fails on damaged data as well, which the library then reads by itself.
 */
const inflateAtOnce = () => {
  let inflated: Promise<Uint8Array> | undefined
  const write = (bytes: Uint8Array) => {
    inflated = (async () => inflateSync(bytes))()
    return inflated
  }
  const read = async () => {
    const value = await inflated
    inflated = undefined
    return { value, done: value === undefined }
  }
  return {
    writable: { getWriter: () => ({ write, close: async () => {} }) },
    readable: { getReader: () => ({ read }) },
  }
}

// Handed over here, the library's worker runs in this thread and is part of the bundle; else it would look for a file.
const loadLibrary = async () => {
  const library = await import('pdfjs-dist/legacy/build/pdf.mjs')
  // @ts-expect-error The package has no types for its worker, which is only handed on.
  const worker: unknown = await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
  Object.assign(globalThis, {
    pdfjsWorker: worker,
    // biome-ignore lint/complexity/useArrowFunction: it is called by `new`.
    DecompressionStream: function (format: ConstructorParameters<typeof Platform>[0]) {
      return format === 'deflate' ? inflateAtOnce() : new Platform(format)
    },
  })
  return library
}

/** Reads the whole document with PDF.js, which orders and joins text by rules of its own. */
export const secondReader = async (
  bytes: Uint8Array,
  wanted: boolean,
  context: FormatContext,
): Promise<SecondReader> => {
  if (!wanted) return () => undefined
  const { getDocument, VerbosityLevel } = await loadLibrary()
  const task = getDocument({
    data: Uint8Array.from(bytes),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  })
  try {
    const document = await task.promise
    const texts: string[] = []
    for (let page = 1; page <= document.numPages; page++) {
      context.signal.throwIfAborted()
      const opened = await document.getPage(page)
      const { items } = await opened.getTextContent({ disableNormalization: true })
      texts.push(items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
      opened.cleanup()
    }
    return page => texts[page]
  } finally {
    await task.destroy()
  }
}
