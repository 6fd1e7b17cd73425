import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import type { PSM } from 'tesseract.js'
import { EngineError } from '../errors.ts'
import { greyIfAsClear } from './grey.ts'
import { cutRow, rowsOf } from './halves.ts'
import { readUpright } from './orientation.ts'
import type { Layout, OcrReader, OcrResult, OcrWord, Picture } from './picture.ts'
import { readShown } from './shown-part.ts'
import { readLevel, wordSize } from './slant.ts'

/** Height of the line that a word stands in. */
export const lineHeight = (word: Omit<OcrWord, 'text' | 'confidence'>): number => {
  const { width, height } = wordSize(word)
  return (word.turns ?? 0) % 2 === 0 ? height : width
}

const locate = createRequire(import.meta.url)

/** How Tesseract goes through a picture, in its numbers: finding columns and blocks by itself, or taking all of it for one. */
const [anyLayout, oneBlock] = ['3', '6'] as PSM[]

/** The file of a language's data, in the package that ships it. */
const dataOf = (language: string): string => {
  if (!/^[a-z]{3}(_[a-z]+)?$/i.test(language))
    throw new EngineError('invalid_workflow', 'A language of pictures must be a code of three letters')
  try {
    const home = dirname(locate.resolve(`@tesseract.js-data/${language}/package.json`))
    return join(home, '4.0.0_best_int', `${language}.traineddata.gz`)
  } catch {
    // The package isn't installed: a setting of the operator, not a fault of the document.
    throw new EngineError('invalid_workflow', `No data for reading pictures in the language ${language}`)
  }
}

/** Starts Tesseract's thread. It takes all languages from one directory, so one is made of links for the time. */
const startWorker = async (languages: string[]) => {
  // Loaded where pictures are read: those who open the same files for less do without.
  const { createWorker } = await import('tesseract.js')
  const files = languages.map(dataOf)
  const directory = await mkdtemp(join(tmpdir(), 'ocr-'))
  try {
    await Promise.all(files.map(file => symlink(file, join(directory, basename(file)))))
    return await createWorker(languages, 1, {
      langPath: directory,
      cacheMethod: 'none',
      logger: () => {},
      errorHandler: () => {},
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The languages that the option `ocrLanguages` names (codes of three letters, as Tesseract has them); English else. */
export const ocrLanguages = (options: Record<string, unknown>): string[] => {
  const { ocrLanguages: wanted } = options
  const list = typeof wanted === 'string' ? wanted.split(/[\s,+]+/) : Array.isArray(wanted) ? wanted.map(String) : []
  return list.length > 0 ? list : ['eng']
}

/**
 * A picture as Leptonica writes its own memory to files (`pixSerializeToMemory`): all else it reads dot by dot. Words of 32
 * bits, the first dot, or red, in the highest byte; rows begin with a word of their own. Threads share it.
 */
const inWords = ({ width, height, channels, pixels }: Picture): SharedArrayBuffer => {
  const bytes = channels === 1 ? 1 : 4
  const words = Math.ceil((width * bytes) / 4)
  const head = 28
  const shared = new SharedArrayBuffer(head + 4 * words * height)
  const result = Buffer.from(shared)
  result.write('spix', 'latin1')
  const colours = 0
  for (const [i, value] of [width, height, 8 * bytes, words, colours, 4 * words * height].entries())
    result.writeUInt32LE(value, 4 + 4 * i)
  const data = result.subarray(head)
  if (channels === 1)
    for (let y = 0; y < height; y++) data.set(pixels.subarray(y * width, (y + 1) * width), 4 * y * words)
  else
    for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
      data[to] = pixels[from]!
      data[to + 1] = pixels[from + 1]!
      data[to + 2] = pixels[from + 2]!
    }
  data.swap32()
  return shared
}

type Engine = Awaited<ReturnType<typeof startWorker>> & { worker: Thread }

/**
 * Engines of this thread, by their languages: starting one takes longer than reading a small picture. A worker's thread
 * that has any is given no second asset.
 */
const engines = new Map<string, { engine: Promise<Engine>; users: number }>()

const startEngine = async (languages: string[]): Promise<Engine> => {
  const engine = (await startWorker(languages)) as Engine
  await engine.setParameters({ tessedit_pageseg_mode: anyLayout, user_defined_dpi: '200' })
  return engine
}

/** Ends the engines that nobody uses: one that has read a large picture keeps the memory that it took. */
export const endIdleReaders = async (): Promise<void> => {
  const idle = [...engines].filter(([, { users }]) => users === 0)
  for (const [key] of idle) engines.delete(key)
  await Promise.all(idle.map(async ([, { engine }]) => (await engine).terminate()))
}

/** Tesseract's thread keeps the program from ending only while somebody uses it. */
const hold = ({ worker }: Engine, users: number): void => {
  if (users > 0) worker.ref()
  else worker.unref()
}

/** Level of words in the rows of {@link linesOf}. */
const wordLevel = '5'

/**
 * The words in Tesseract's table of what it read, line by line: a row each with level, page, block, paragraph, line, word,
 * left, top, width, height, confidence and text. Its tree of the same takes it a tenth of the time of reading.
 */
const linesOf = (table: string): OcrWord[][] => {
  const lines: OcrWord[][] = []
  let last = ''
  for (const row of table.split('\n')) {
    const [level, page, block, paragraph, line, , x = 0, y = 0, width = 0, height = 0, confidence, ...text] =
      row.split('\t')
    if (level !== wordLevel) continue
    const [left, top] = [Number(x), Number(y)]
    const [right, bottom] = [left + Number(width), top + Number(height)]
    const place = [page, block, paragraph, line].join()
    if (place !== last) lines.push([])
    last = place
    lines.at(-1)?.push({ text: text.join('\t'), confidence: Number(confidence) / 100, left, top, right, bottom })
  }
  return lines
}

/** One of the readers of some languages. On abort the thread that reads is ended, in the middle of its work if need be. */
const startReader = async (languages: string[], thread: 0 | 1, signal: AbortSignal): Promise<OcrReader> => {
  signal.throwIfAborted()
  const key = `${languages.join('+')} ${thread}`
  const held = engines.get(key) ?? { engine: startEngine(languages), users: 0 }
  engines.set(key, held)
  held.users++
  const engine = await held.engine.catch(error => {
    engines.delete(key)
    throw error
  })
  hold(engine, held.users)
  let open = true
  return {
    async read(picture, layout = 'page') {
      signal.throwIfAborted()
      const image = inWords(picture)
      const options = layout === 'page' ? {} : { tessedit_pageseg_mode: oneBlock }
      const stopped = Promise.withResolvers<never>()
      const stop = () => {
        engines.delete(key)
        void engine.terminate()
        // A reader that is ended in the middle of its work never answers.
        stopped.reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        const work = engine.recognize(image as never, options as object, { tsv: true, text: false })
        const { data } = await Promise.race([work, stopped.promise])
        const lines = linesOf(data.tsv ?? '')
        return { lines, confidence: meanConfidence(lines) }
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    async close() {
      if (!open) return
      open = false
      held.users--
      hold(engine, held.users)
    },
  }
}

/** The mean confidence of words, from 0 to 1; 0 where there is none. */
export const meanConfidence = (lines: OcrWord[][]): number => {
  const words = lines.flat()
  return words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length)
}

/** Pictures that either thread reads at the moment, for all readers. */
const busy = [0, 0]

/**
 * Starts a reader of some languages. Pages are read in whichever orientation they can be read in. Where there are two
 * processors, two threads share a page that can be cut, and read two at a time of the others.
 */
export const startOcr = async (languages: string[], signal: AbortSignal): Promise<OcrReader> => {
  const threads: Promise<OcrReader>[] = [startReader(languages, 0, signal)]
  await threads[0]
  const readIn = async (thread: 0 | 1, picture: Picture, layout?: Layout): Promise<OcrResult> => {
    busy[thread]!++
    try {
      threads[thread] ??= startReader(languages, thread, signal)
      return await (await threads[thread]).read(picture, layout)
    } finally {
      busy[thread]!--
    }
  }
  const areTwo = availableParallelism() > 1
  const read: OcrReader['read'] = (picture, layout) => readIn(areTwo && busy[0]! > busy[1]! ? 1 : 0, picture, layout)
  const readPage = async (picture: Picture): Promise<OcrResult> => {
    const cut = areTwo ? cutRow(picture) : undefined
    if (cut === undefined) return read(picture)
    const [upper, lower] = await Promise.all([
      readIn(0, rowsOf(picture, 0, cut)),
      readIn(1, rowsOf(picture, cut, picture.height)),
    ])
    for (const word of lower.lines.flat()) {
      word.top += cut
      word.bottom += cut
    }
    const lines = [...upper.lines, ...lower.lines]
    return { lines, confidence: meanConfidence(lines) }
  }
  return {
    read: (picture, layout = 'page') => {
      const clear = greyIfAsClear(picture)
      return layout === 'page'
        ? readShown(clear, part => readLevel(part, level => readUpright(level, readPage, read)))
        : read(clear, layout)
    },
    async close() {
      for (const thread of threads) await (await thread.catch(() => undefined))?.close()
    },
  }
}
