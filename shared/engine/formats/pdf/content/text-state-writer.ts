import type { Font, Glyph } from '../fonts/fonts.ts'
import type { Targets } from './glyph-targets.ts'
import { type Matrix, multiply, unit } from './matrix.ts'
import type { State } from './state.ts'
import type { Operand, Operation, Splice } from './tokens.ts'

const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`

/** A number as content streams write it. */
export const written = (value: number): string => {
  const text = value.toFixed(4)
  return text.includes('.') ? text.replace(/\.?0+$/, '') || '0' : text
}

/** Where the text of a content stream stands, and what its rewriting gives. */
type Writer = {
  readonly targets: Targets
  readonly splices: Splice[]
  readonly touched: () => void
  matrix: Matrix
  line: Matrix
  /** Text that clips: how many glyphs were shown since BT, and how many of them are left. */
  clipping: { shown: number; left: number }
}

const nextLine = (writer: Writer, x: number, y: number) => {
  writer.line = multiply([1, 0, 0, 1, x, y], writer.line)
  writer.matrix = writer.line
}

/** Moves on by `amount` (text space, before scaling) along the direction of writing. */
const advance = (writer: Writer, amount: number, state: State) => {
  const vertical = state.font?.vertical === true
  writer.matrix = multiply([1, 0, 0, 1, vertical ? 0 : amount * state.scale, vertical ? amount : 0], writer.matrix)
}

/** A string that is shown, and where. */
type Shown = {
  bytes: Uint8Array
  font: Font
  glyphs: Glyph[]
  state: State
  /** From the space of a glyph to the page; and the height of the font there. */
  toPage: Matrix
  em: number
  /** Where the next glyph stands when the line has moved on by 1. */
  stepX: number
  stepY: number
}

const shownString = ({ matrix }: Writer, bytes: Uint8Array, state: State, font: Font): Shown => {
  const { size, scale } = state
  const placed = multiply(matrix, state.ctm)
  const toPage = multiply([size * scale, 0, 0, size, 0, state.rise], placed)
  const em = Math.max(Math.hypot(toPage[0], toPage[1]), Math.hypot(toPage[2], toPage[3]))
  const [stepX, stepY] = font.vertical ? [placed[2], placed[3]] : [scale * placed[0], scale * placed[1]]
  return { bytes, font, glyphs: font.glyphs(bytes), state, toPage, em, stepX, stepY }
}

/** How far a string moves the line on; undefined when something may have to go where one of its glyphs stands. */
const passedBy = (targets: Targets, { font, glyphs, state, toPage, em, stepX, stepY }: Shown): number | undefined => {
  const { size, charSpace, wordSpace } = state
  if (font.vertical || state.mode >= 4) return undefined
  let [at, low, high] = [0, 0, 0]
  for (const { advance, space } of glyphs) {
    const width = advance * size
    low = Math.min(low, at, at + width)
    high = Math.max(high, at, at + width)
    at += width + charSpace + (space ? wordSpace : 0)
  }
  const [x, y, endX, endY] = [low * stepX, low * stepY, high * stepX, high * stepY]
  const near = targets.near(
    toPage[4] + Math.min(x, endX) - em,
    toPage[5] + Math.min(y, endY) - em,
    toPage[4] + Math.max(x, endX) + em,
    toPage[5] + Math.max(y, endY) + em,
  )
  return near ? undefined : at
}

/** Whether a glyph has to go that is shown when the line has moved on by `at`. */
const isHit = (targets: Targets, { font, toPage, em, stepX, stepY }: Shown, glyph: Glyph, at: number): boolean => {
  const [x, y] = [toPage[4] + at * stepX, toPage[5] + at * stepY]
  const [alongX, alongY] = font.vertical ? [0, glyph.advance / 2] : [glyph.advance / 2, 0.25]
  return targets.hit(
    x + toPage[0] * glyph.shiftX + toPage[2] * glyph.shiftY,
    y + toPage[1] * glyph.shiftX + toPage[3] * glyph.shiftY,
    x + toPage[0] * alongX + toPage[2] * alongY,
    y + toPage[1] * alongX + toPage[3] * alongY,
    em,
    isLevel(toPage, em) && !font.vertical ? Math.abs(toPage[0]) * glyph.advance : undefined,
  )
}

/** How far from level text may be, as a share of its height, so that the boxes of its letters are as wide as these. */
const slant = 0.01

const isLevel = (toPage: Matrix, em: number): boolean =>
  Math.abs(toPage[1]) <= slant * em && Math.abs(toPage[2]) <= slant * em

/** Removes the glyphs that have to go and moves on behind the string: what stays, and undefined when all of it does. */
const removeHit = (writer: Writer, shown: Shown): string | undefined => {
  const { bytes, glyphs, state } = shown
  const { size, charSpace, wordSpace } = state
  const clips = state.mode >= 4
  const parts: string[] = []
  let cut = false
  let kept = 0
  let gone = 0
  let start = 0
  let at = 0
  const keep = (end: number) => {
    if (end <= kept) return
    if (gone !== 0) parts.push(written(-1000 * gone))
    gone = 0
    parts.push(hex(bytes.subarray(kept, end)))
  }
  for (const glyph of glyphs) {
    const distance = glyph.advance * size + charSpace + (glyph.space ? wordSpace : 0)
    const end = start + glyph.length
    if (clips) writer.clipping.shown++
    if (isHit(writer.targets, shown, glyph, at)) {
      keep(start)
      cut = true
      kept = end
      if (size !== 0) gone += distance / size
    } else if (clips) writer.clipping.left++
    start = end
    at += distance
  }
  advance(writer, at, state)
  if (!cut) return undefined
  keep(bytes.length)
  if (gone !== 0) parts.push(written(-1000 * gone))
  return parts.join(' ')
}

/** Shows one string: what of it stays, in the form of a TJ array's elements; undefined when all of it does. */
const show = (writer: Writer, bytes: Uint8Array, state: State): string | undefined => {
  if (!state.font) return undefined
  const shown = shownString(writer, bytes, state, state.font)
  const passed = passedBy(writer.targets, shown)
  if (passed === undefined) return removeHit(writer, shown)
  advance(writer, passed, state)
  return undefined
}

const showArray = (writer: Writer, items: Operand[], state: State): string | undefined => {
  let cut = false
  const parts = items.map(item => {
    if (item.kind === 'number') {
      advance(writer, (-item.value / 1000) * state.size, state)
      return written(item.value)
    }
    if (item.kind !== 'string') return ''
    const rest = show(writer, item.value, state)
    if (rest !== undefined) cut = true
    return rest ?? hex(item.value)
  })
  return cut ? parts.join(' ') : undefined
}

/** Puts another operation in the place of one that shows text: `array` is what it still shows, undefined for all. */
const rewrite = (writer: Writer, { start, end }: Operation, before: string, array: string | undefined) => {
  if (array === undefined) return
  writer.splices.push({ start, end, bytes: Buffer.from(`${before}[${array}] TJ`) })
  writer.touched()
}

/** Shows the last operand; `before` says in other operators what the operation does besides. */
const showLast = (writer: Writer, operation: Operation, state: State, before: string) => {
  const last = operation.operands.at(-1)
  if (last?.kind === 'string') rewrite(writer, operation, before, show(writer, last.value, state))
}

/** Takes in an operation; `values` are the numbers among its operands. */
type Handler = (writer: Writer, operation: Operation, state: State, values: number[]) => void

/** The operators of text objects, text positioning and text showing (ISO 32000-2, 9.4). */
const handlers: Record<string, Handler> = {
  BT: writer => {
    writer.matrix = unit
    writer.line = unit
    writer.clipping = { shown: 0, left: 0 }
  },
  ET: (writer, { end }) => {
    const { shown, left } = writer.clipping
    // A clip of no glyphs would be no clip at all, and show what the glyphs had cut out.
    if (shown > 0 && left === 0) writer.splices.push({ start: end, end, bytes: Buffer.from(' 0 0 0 0 re W n') })
    writer.clipping = { shown: 0, left: 0 }
  },
  Td: (writer, _, __, [x = 0, y = 0]) => nextLine(writer, x, y),
  TD: (writer, _, state, [x = 0, y = 0]) => {
    state.leading = -y
    nextLine(writer, x, y)
  },
  Tm: (writer, _, __, values) => {
    if (values.length < 6) return
    writer.line = values.slice(-6) as unknown as Matrix
    writer.matrix = writer.line
  },
  'T*': (writer, _, state) => nextLine(writer, 0, -state.leading),
  Tj: (writer, operation, state) => showLast(writer, operation, state, ''),
  "'": (writer, operation, state) => {
    nextLine(writer, 0, -state.leading)
    showLast(writer, operation, state, 'T* ')
  },
  '"': (writer, operation, state, [x = 0, y = 0]) => {
    state.wordSpace = x
    state.charSpace = y
    nextLine(writer, 0, -state.leading)
    showLast(writer, operation, state, `${written(x)} Tw ${written(y)} Tc T* `)
  },
  TJ: (writer, operation, state) => {
    const last = operation.operands.at(-1)
    if (last?.kind === 'array') rewrite(writer, operation, '', showArray(writer, last.items, state))
  },
}

/**
 * Follows the text of a content stream glyph by glyph and, where `targets` says so, rewrites the operation that shows
 * it: `splices` gains what must change and `touched` is called.
 */
export const textStateWriter = (targets: Targets, splices: Splice[], touched: () => void) => {
  const clipping = { shown: 0, left: 0 }
  const writer: Writer = { targets, splices, touched, matrix: unit, line: unit, clipping }
  return {
    /** Takes in an operation of any kind; `values` are the numbers among its operands. */
    take(operation: Operation, state: State, values: number[]): void {
      if (Object.hasOwn(handlers, operation.operator)) handlers[operation.operator]!(writer, operation, state, values)
    },
  }
}
