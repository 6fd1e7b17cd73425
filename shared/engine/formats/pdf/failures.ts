import { EngineError } from '../../errors.ts'

/** What the messages of errors tell that the runtime throws where something does not fit into memory. */
const tooLarge = /string length|array length|allocation failed|out of memory/i

/**
 * The named failure that an error of the runtime stands for, where the document causes it: PDFium gave up on it (a trap
 * of its WebAssembly), or it does not fit into memory or onto the stack. Any other error comes back as it is.
 */
const namedFailure = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof EngineError) return error
  if (error.name === 'RuntimeError')
    return new EngineError('corrupt_file', 'The reader of PDFs gave up on the document')
  if (!(error instanceof RangeError)) return error
  if (tooLarge.test(error.message))
    return new EngineError('limit_exceeded', 'A part of the PDF does not fit into memory')
  return /call stack/.test(error.message) ? new EngineError('limit_exceeded', 'The PDF nests too deeply') : error
}

/** Runs work on a document; what the runtime throws because of the document becomes a named failure. */
export const naming = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw namedFailure(error)
  }
}

/** The same for what comes piece by piece. */
export async function* namingEach<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces
  } catch (error) {
    throw namedFailure(error)
  }
}
