import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import type { PSM } from 'tesseract.js'
import { EngineError } from '../errors.ts'
import { cutRow, rowsOf } from './halves.ts'
import { readUpright } from './orientation.ts'
import type { OcrReader, OcrResult, OcrWord, Picture } from './picture.ts'
import { readShown } from './shown-part.ts'

/** Height of the line that a word stands in. */
export const lineHeight = ({ left, top, right, bottom, turns = 0 }: Omit<OcrWord, 'text' | 'confidence'>): number =>
  turns % 2 === 0 ? bottom - top : right - left

/** Whether the boxes of two words share anything. */
export const overlap = (a: OcrWord, b: OcrWord): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top

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

const header = ({ width, height, channels }: Picture): Buffer =>
  Buffer.from(`${channels === 1 ? 'P5' : 'P6'} ${width} ${height} 255\n`)

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
const startReader = async (languages: string[], number: 1 | 2, signal: AbortSignal): Promise<OcrReader> => {
  signal.throwIfAborted()
  const key = `${languages.join('+')} ${number}`
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
      const image = Buffer.concat([header(picture), picture.pixels])
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
        const work = engine.recognize(image, options as object, { tsv: true, text: false })
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

/**
 * Starts a reader of some languages. Pages are read in whichever orientation they can be read in; where there are two
 * processors, two threads share a page that can be cut.
 */
export const startOcr = async (languages: string[], signal: AbortSignal): Promise<OcrReader> => {
  const first = await startReader(languages, 1, signal)
  let second: Promise<OcrReader> | undefined
  const readPage = async (picture: Picture): Promise<OcrResult> => {
    const cut = availableParallelism() > 1 ? cutRow(picture) : undefined
    if (cut === undefined) return first.read(picture)
    second ??= startReader(languages, 2, signal)
    const [upper, lower] = await Promise.all([
      first.read(rowsOf(picture, 0, cut)),
      second.then(reader => reader.read(rowsOf(picture, cut, picture.height))),
    ])
    for (const word of lower.lines.flat()) {
      word.top += cut
      word.bottom += cut
    }
    const lines = [...upper.lines, ...lower.lines]
    return { lines, confidence: meanConfidence(lines) }
  }
  return {
    read: (picture, layout = 'page') =>
      layout === 'page'
        ? readShown(picture, part => readUpright(part, readPage, first.read))
        : first.read(picture, layout),
    async close() {
      await first.close()
      await (await second?.catch(() => undefined))?.close()
    },
  }
}
