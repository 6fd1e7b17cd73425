import type { Edit } from '../format.ts'

/** The text with its edits made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  // Joined, which makes one string; added to each other they would be kept piece by piece.
  const pieces: string[] = []
  let at = 0
  for (const edit of edits) {
    pieces.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}
