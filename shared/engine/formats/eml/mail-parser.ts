import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime'

/** What the parser has within: it is told of each line, and gathers what the body of a part holds. */
type Inside = {
  processLine(line: Uint8Array, isLast: boolean): Promise<void>
  currentNode?: { contentDecoder?: { chunks?: unknown[] } | null }
}

/** Pieces of a body that are put together at once. */
const mostPieces = 2000

const lineFeed = Buffer.from('\n')

/** The same pieces as one, if all are of the kinds that are known. */
function together(pieces: readonly unknown[]): Buffer | undefined {
  const bytes: Uint8Array[] = []
  for (const piece of pieces) {
    if (piece === '\n') bytes.push(lineFeed)
    else if (piece instanceof Uint8Array) bytes.push(piece)
    else return undefined
  }
  return Buffer.concat(bytes)
}

/** Puts the pieces together that came since the last time, as soon as they are many. */
function gatherer(): (pieces: unknown[]) => void {
  let known: unknown[] | undefined
  let done = 0
  return pieces => {
    if (pieces !== known) done = 0
    known = pieces
    if (pieces.length - done < mostPieces) return
    const whole = together(pieces.slice(done))
    if (whole) pieces.splice(done, pieces.length, whole)
    done = pieces.length
  }
}

/**
 * Has PostalMime parse a message. It keeps every line of a body, and every line feed, by itself, to make a `Blob` of them in
 * the end, which takes longer than all else that it does. So that there are few, they are put together on the way.
 */
export function parseMail(message: Uint8Array, options: PostalMimeOptions = {}): Promise<Email> {
  const parser = new PostalMime(options)
  const inside = parser as unknown as Partial<Inside>
  const { processLine } = inside
  if (processLine) {
    const gather = gatherer()
    inside.processLine = (line, isLast) => {
      const pieces = inside.currentNode?.contentDecoder?.chunks
      if (Array.isArray(pieces)) gather(pieces)
      return processLine.call(parser as unknown as Inside, line, isLast)
    }
  }
  return parser.parse(message)
}
