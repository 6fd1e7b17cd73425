import type { Edit } from '../format.ts'

/** The text with its edits made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  // Joined, which makes one string; added to each other they would be kept piece by piece.
  const pieces: string[] = new Array(edits.length * 2 + 1)
  let at = 0
  let count = 0
  for (const edit of edits) {
    pieces[count++] = text.slice(at, edit.start)
    pieces[count++] = edit.text
    at = edit.end
  }
  pieces[count] = text.slice(at)
  return pieces.join('')
}
