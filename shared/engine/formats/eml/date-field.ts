import type { Edit } from '../format.ts'
import { applyEdits } from '../plain/write.ts'

const date =
  /^(?:(\p{L}{3}), *)?(\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}) \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|[A-Z]{1,4})(?: \([^()]*\))?$/iu

/**
 * What the field of a message's date says after edits. What was a date is one still, on its own day of the week, or it is
 * nothing: programs that read mail take no other text there.
 */
export function editedDate(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  const edited = applyEdits(text, edits)
  if (!date.test(text.trim())) return edited
  const [, weekday, day] = date.exec(edited.trim()) ?? []
  if (day === undefined) return ''
  const actual = new Date(`${day} UTC`).toUTCString().slice(0, 3)
  return weekday === undefined ? edited : edited.replace(weekday, actual)
}
