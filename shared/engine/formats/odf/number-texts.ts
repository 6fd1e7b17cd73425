/** A part of what a style of numbers shows, which may only fill room. */
type Part = { text: string; isFill: boolean }

/** Elements of a style of numbers that say how all of it looks, and when. */
const unseen = new Set(['style:text-properties', 'style:map'])

const texts = new Set(['number:text', 'number:currency-symbol'])

const fill = 'number:fill-character'

/** Whether an element holds what a style of numbers shows as it is. */
export const isNumberText = (element: string): boolean => texts.has(element) || element === fill

/** Joins what styles of numbers show side by side, one text for each list that is told of. */
export class NumberTexts<T extends Part> {
  #parts: T[] = []
  readonly #tell: (parts: T[]) => void

  constructor(tell: (parts: T[]) => void) {
    this.#tell = tell
  }

  add(part: T): void {
    this.#parts.push(part)
  }

  /** Notes where an element begins or ends: nearly all part texts. */
  tag(element: string): void {
    if (this.#parts.length === 0 || isNumberText(element) || unseen.has(element)) return
    this.#tell(withoutRoom(this.#parts))
    this.#parts = []
  }
}

/** Whether a text in an element is the character that fills room, of which readers take but one. */
export const fillsRoom = (element: string, text: string): boolean => element === fill && text.length === 1

/** Parts without blanks that only fill the room beside others. */
function withoutRoom<T extends Part>(parts: readonly T[]): T[] {
  return parts.map((part, index) => {
    const [before, behind] = [parts[index - 1]?.text ?? ' ', parts[index + 1]?.text ?? ' ']
    const isRoom = part.isFill && part.text.trim() === '' && (/\s$/.test(before) || /^\s/.test(behind))
    return isRoom ? { ...part, text: '' } : part
  })
}
