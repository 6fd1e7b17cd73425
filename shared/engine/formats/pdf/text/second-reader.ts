import { inflateSync } from 'node:zlib'
import { EngineError } from '../../../errors.ts'
import { withFlatStates } from './second-states.ts'

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

/**
 * The library warns while it is loaded, before its verbosity can be set, where there is no canvas: it would need one to
 * draw pages, and here it only reads them.
 */
const withoutWarnings = async <T>(load: () => Promise<T>): Promise<T> => {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!/^Warning: Cannot (?:load|polyfill) /.test(String(words[0]))) warn(...words)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}

type Message = { chunk?: object }
type Listener = (event: { data: Message }) => void

/**
 * Carries messages between the two sides of the library, which run in one thread: left to itself it copies all that they
 * say. Of that a side only changes the list of a chunk of text once it is sent.
 */
const createPort = () => {
  const listeners = new Set<Listener>()
  return {
    postMessage(message: Message): void {
      const data = message.chunk ? { ...message, chunk: { ...message.chunk } } : message
      Promise.resolve().then(() => {
        for (const listen of [...listeners]) listen({ data })
      })
    },
    addEventListener(_: string, listener: Listener, { signal }: { signal: AbortSignal }): void {
      listeners.add(listener)
      signal.addEventListener('abort', () => listeners.delete(listener))
    },
  }
}

type Port = ReturnType<typeof createPort>

// The library's worker runs in this thread and is part of the bundle; else it would look for a file.
const loadLibrary = async () => {
  const library = await withoutWarnings(() => import('pdfjs-dist/legacy/build/pdf.mjs'))
  // @ts-expect-error The package has no types for its worker.
  const { WorkerMessageHandler } = await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
  const listenTo: (port: Port) => void = port => WorkerMessageHandler.initializeFromPort(port)
  Object.assign(globalThis, {
    // biome-ignore lint/complexity/useArrowFunction: it is called by `new`.
    DecompressionStream: function (format: ConstructorParameters<typeof Platform>[0]) {
      return format === 'deflate' ? inflateAtOnce() : new Platform(format)
    },
  })
  return { ...library, listenTo }
}

/** A stretch of text as the second reader puts it, from where its line begins on the page to where it ends. */
export type Piece = {
  text: string
  endsLine: boolean
  start: [x: number, y: number]
  end: [x: number, y: number]
  /** From the line to the top of its letters. */
  up: [x: number, y: number]
}

/** A document opened by PDF.js, which orders and joins text by rules of its own. */
export type SecondReader = { pages: number; read(page: number): Promise<Piece[]>; close(): Promise<void> }

/** Asks the library, whose errors of any kind mean that it gave up; what does not fit into memory is named as elsewhere. */
const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new EngineError('corrupt_file', 'The second reader of PDFs gave up on the document')
  }
}

/** Opens a document with PDF.js. Throws `corrupt_file` where it gives up on the document or a page. */
export const openSecond = async (bytes: Uint8Array): Promise<SecondReader> => {
  const { getDocument, listenTo, PDFWorker, VerbosityLevel } = await loadLibrary()
  const verbosity = VerbosityLevel.ERRORS
  const port = createPort()
  listenTo(port)
  const worker = PDFWorker.create({ port: port as never, verbosity })
  const task = getDocument({
    worker,
    data: new Uint8Array(bytes),
    verbosity,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  })
  const close = async () => {
    await task.destroy()
    worker.destroy()
  }
  try {
    const document = await asked(() => task.promise)
    return {
      pages: document.numPages,
      read: async page => {
        const opened = await asked(() => document.getPage(page + 1))
        const { items } = await asked(() => withFlatStates(() => opened.getTextContent({ disableNormalization: true })))
        opened.cleanup()
        return items.flatMap(item => ('str' in item ? [pieceOf(item)] : []))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Item = { str: string; hasEOL: boolean; transform: number[]; width: number; height: number }

const pieceOf = ({ str, hasEOL, transform, width, height }: Item): Piece => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const [along, upwards] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1]
  return {
    text: str,
    endsLine: hasEOL,
    start: [x, y],
    end: [x + (a / along) * width, y + (b / along) * width],
    up: [(c / upwards) * height, (d / upwards) * height],
  }
}

/** How far apart two pieces stand, in heights of their letters, that are not of one word: of columns, or of lines. */
const apart = 1.5

/** Whether a piece begins elsewhere than the one before it ends, which the reader joins where both stand at one height. */
export const standsApart = (before: Piece | undefined, { start, up }: Piece): boolean =>
  before !== undefined && Math.hypot(start[0] - before.end[0], start[1] - before.end[1]) > apart * Math.hypot(...up)

/** The text of a page as the second reader puts it. */
export const secondText = (pieces: Piece[]): string =>
  pieces
    .map((piece, i) => `${standsApart(pieces[i - 1], piece) ? ' ' : ''}${piece.text}${piece.endsLine ? '\n' : ''}`)
    .join('')
