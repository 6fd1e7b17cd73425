import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createWorker, PSM } from 'tesseract.js'
import { EngineError } from '../errors.ts'

/** Pixels, rows from the top: grey (1 byte each) or red, green, blue (3). */
export type Picture = { width: number; height: number; channels: 1 | 3; pixels: Uint8Array }

/** A word that was read, with its box in pixels from the top left. */
export type OcrWord = { text: string; confidence: number; left: number; top: number; right: number; bottom: number }

/** What was read in a picture: words line by line, in reading order, and the mean confidence from 0 to 1. */
export type OcrResult = { lines: OcrWord[][]; confidence: number }

/** Reads text in pictures. One per asset: it runs in a thread of its own, which `close` ends. */
export type OcrReader = { read(picture: Picture): Promise<OcrResult>; close(): Promise<void> }

const locate = createRequire(import.meta.url)

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

/** Starts a reader of some languages. */
export const startOcr = async (languages: string[], signal: AbortSignal): Promise<OcrReader> => {
  signal.throwIfAborted()
  const worker = await startWorker(languages)
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO, user_defined_dpi: '200' })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  return {
    read: async picture => {
      signal.throwIfAborted()
      const image = Buffer.concat([header(picture), picture.pixels])
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      // A reader that is ended in the middle of its work never answers.
      const { data } = await Promise.race([worker.recognize(image, {}, { blocks: true, text: false }), aborted])
      const lines = (data.blocks ?? []).flatMap(block =>
        block.paragraphs.flatMap(paragraph =>
          paragraph.lines.map(line =>
            line.words.map(({ text, confidence, bbox }) => ({
              text,
              confidence: confidence / 100,
              left: bbox.x0,
              top: bbox.y0,
              right: bbox.x1,
              bottom: bbox.y1,
            })),
          ),
        ),
      )
      const words = lines.flat()
      const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length)
      return { lines: lines.filter(line => line.length > 0), confidence }
    },
    close: async () => {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    },
  }
}
