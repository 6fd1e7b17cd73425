import type { Editor, Extent, Input, Segment } from './formats/format.ts'

/** How far a run has come, in bytes of its input, over all the times that it goes through the file. */
export type Progress = {
  /** The input, whose bytes are counted as they are read. */
  input: Input
  /** Begins to go through the file once more, which will take this share (0 to 1) of what is left. */
  pass(share: number, extent?: Extent): void
  /** The editor, whose batches are counted. */
  editor(edit: Editor): Editor
  /** Counts a batch that has been worked on. */
  batch(segments: readonly Segment[]): void
  /** The output that is read again, whose bytes are counted. */
  output(output: Input): Input
}

/** Bytes of a file that a slow run reads at a time: models take a second or so for the text of them. */
const slowPart = 64 * 1024

/** Counts nothing. */
const untold = (input: Input): Progress => ({
  input,
  pass() {},
  editor: edit => edit,
  batch() {},
  output: output => output,
})

/**
 * Follows a run through a file of so many bytes. What `tell` is told grows and is never more than all. How many times a run
 * goes through its file shows only in the end, so each takes a share of what is left. A `slow` run, of models, is counted
 * in smaller parts of the file.
 */
export function createProgress(
  input: Input,
  bytes: number,
  tell?: (bytes: number) => void,
  { slow = false } = {},
): Progress {
  if (!tell) return untold(input)
  const part = slow ? slowPart : Number.POSITIVE_INFINITY
  let most = 0
  let from = 0
  let to = 0
  let extent: Extent | undefined
  let read = 0
  let characters = 0
  const reached = (fraction: number) => {
    const made = Math.floor(bytes * (from + (to - from) * Math.min(1, fraction)))
    if (!(made > most)) return
    most = made
    tell(made)
  }
  const counted = (file: Input, size: number): Input => {
    const add = (piece: Uint8Array) => {
      read += piece.length
      // What is held in memory is read at once, and worked on after that.
      if (!extent) reached(read / size)
    }
    return {
      ...file,
      async read(start, end) {
        const piece = await file.read(start, end)
        add(piece)
        return piece
      },
      async *stream(start, end) {
        for await (const piece of file.stream(start, end))
          for (let at = 0; at < piece.length; at += part) {
            const counted = piece.subarray(at, at + part)
            yield counted
            add(counted)
          }
      },
    }
  }
  const batch = (segments: readonly Segment[]) => {
    if (!extent) return
    if ('pages' in extent) return reached((segments.at(-1)?.place.page ?? 0) / extent.pages)
    for (const { text } of segments) characters += text.length
    reached(characters / extent.characters)
  }
  return {
    input: counted(input, bytes),
    pass(share, within) {
      from = to
      to += (1 - to) * share
      extent = within
      read = 0
      characters = 0
    },
    editor: edit =>
      Object.assign(
        async (segments: Segment[]) => {
          const edits = await edit(segments)
          batch(segments)
          return edits
        },
        { cells: edit.cells, show: edit.show },
      ),
    batch,
    output: output => counted(output, output.size),
  }
}
