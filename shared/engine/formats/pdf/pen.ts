import type { Font, Glyph } from './fonts.ts'
import { apply, type Matrix, multiply, unit } from './matrix.ts'
import type { State } from './state.ts'
import type { Targets } from './targets.ts'
import type { Operand, Operation, Splice } from './tokens.ts'

const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`

/** A number as content streams write it. */
export const written = (value: number): string => {
  const text = value.toFixed(4)
  return text.includes('.') ? text.replace(/\.?0+$/, '') || '0' : text
}

/**
 * Follows the text of a content stream glyph by glyph and, where `targets` says so, rewrites the operation that shows
 * it: `splices` gains what must change and `touched` is told.
 */
export const textPen = (targets: Targets, splices: Splice[], touched: () => void) => {
  let matrix: Matrix = unit
  let line: Matrix = unit
  // Text that clips: how many glyphs were shown since BT, and how many of them are left.
  let clipping = { shown: 0, left: 0 }

  const nextLine = (x: number, y: number) => {
    line = multiply([1, 0, 0, 1, x, y], line)
    matrix = line
  }

  /** Moves on by `amount` (text space, before scaling) along the direction of writing. */
  const advance = (amount: number, state: State) => {
    const vertical = state.font?.vertical === true
    matrix = multiply([1, 0, 0, 1, vertical ? 0 : amount * state.scale, vertical ? amount : 0], matrix)
  }

  /** Whether a whole string is out of reach: it runs level, and nothing has to go at its height. */
  const isFar = (font: Font, { ctm, size, scale, rise }: State): boolean => {
    if (font.vertical) return false
    const toPage = multiply([size * scale, 0, 0, size, 0, rise], multiply(matrix, ctm))
    const em = Math.max(Math.hypot(toPage[0], toPage[1]), Math.hypot(toPage[2], toPage[3]))
    return Math.abs(toPage[1]) < 1e-9 * em && !targets.near(toPage[5] - em, toPage[5] + em)
  }

  const isHit = (glyph: Glyph, font: Font, state: State): boolean => {
    const { size, scale, rise } = state
    const toPage = multiply([size * scale, 0, 0, size, 0, rise], multiply(matrix, state.ctm))
    const [x, y] = apply(toPage, glyph.shiftX, glyph.shiftY)
    const [middleX, middleY] = font.vertical
      ? apply(toPage, 0, glyph.advance / 2)
      : apply(toPage, glyph.advance / 2, 0.25)
    const em = Math.max(Math.hypot(toPage[0], toPage[1]), Math.hypot(toPage[2], toPage[3]))
    return targets.hit(x, y, middleX, middleY, em)
  }

  /** Shows one string: what of it stays, in the form of a TJ array's elements; undefined when all of it does. */
  const show = (bytes: Uint8Array, state: State): string | undefined => {
    const { font, size } = state
    if (!font) return undefined
    const glyphs = font.glyphs(bytes)
    if (state.mode < 4 && isFar(font, state)) {
      let distance = 0
      for (const glyph of glyphs)
        distance += glyph.advance * size + state.charSpace + (glyph.space ? state.wordSpace : 0)
      advance(distance, state)
      return undefined
    }
    const parts: string[] = []
    let kept = 0
    let gone = 0
    let cut = false
    const flushGone = () => {
      if (gone !== 0) parts.push(written(-1000 * gone))
      gone = 0
    }
    for (const glyph of glyphs) {
      const spacing = state.charSpace + (glyph.space ? state.wordSpace : 0)
      const distance = glyph.advance * size + spacing
      const clips = state.mode >= 4
      if (clips) clipping.shown++
      if (isHit(glyph, font, state)) {
        if (glyph.start > kept) {
          flushGone()
          parts.push(hex(bytes.subarray(kept, glyph.start)))
        }
        kept = glyph.end
        cut = true
        if (size !== 0) gone += distance / size
      } else {
        if (clips) clipping.left++
        if (kept === glyph.start) flushGone()
      }
      advance(distance, state)
    }
    if (!cut) return undefined
    if (kept < bytes.length) {
      flushGone()
      parts.push(hex(bytes.subarray(kept)))
    }
    flushGone()
    return parts.join(' ')
  }

  const showArray = (items: Operand[], state: State): string | undefined => {
    let cut = false
    const parts = items.map(item => {
      if (item.kind === 'number') {
        advance((-item.value / 1000) * state.size, state)
        return written(item.value)
      }
      if (item.kind !== 'string') return ''
      const rest = show(item.value, state)
      if (rest !== undefined) cut = true
      return rest ?? hex(item.value)
    })
    return cut ? parts.join(' ') : undefined
  }

  const rewrite = ({ start, end }: Operation, before: string, array: string) => {
    splices.push({ start, end, bytes: Buffer.from(`${before}[${array}] TJ`) })
    touched()
  }

  return {
    /** Takes in an operation; `values` are the numbers among its operands. */
    take(operation: Operation, state: State, values: number[]): void {
      const { operator, operands } = operation
      const [x = 0, y = 0] = values
      const last = operands.at(-1)
      switch (operator) {
        case 'BT':
          matrix = unit
          line = unit
          clipping = { shown: 0, left: 0 }
          return
        case 'ET':
          // A clip of no glyphs would be no clip at all, and show what the glyphs had cut out.
          if (clipping.shown > 0 && clipping.left === 0)
            splices.push({ start: operation.end, end: operation.end, bytes: Buffer.from(' 0 0 0 0 re W n') })
          clipping = { shown: 0, left: 0 }
          return
        case 'Td':
          nextLine(x, y)
          return
        case 'TD':
          state.leading = -y
          nextLine(x, y)
          return
        case 'Tm':
          if (values.length >= 6) {
            line = values.slice(-6) as unknown as Matrix
            matrix = line
          }
          return
        case 'T*':
          nextLine(0, -state.leading)
          return
        case 'Tj':
        case "'":
        case '"': {
          if (operator === '"') {
            state.wordSpace = x
            state.charSpace = y
          }
          if (operator !== 'Tj') nextLine(0, -state.leading)
          if (last?.kind !== 'string') return
          const rest = show(last.value, state)
          const before = operator === 'Tj' ? '' : operator === "'" ? 'T* ' : `${written(x)} Tw ${written(y)} Tc T* `
          if (rest !== undefined) rewrite(operation, before, rest)
          return
        }
        case 'TJ': {
          if (last?.kind !== 'array') return
          const rest = showArray(last.items, state)
          if (rest !== undefined) rewrite(operation, '', rest)
          return
        }
      }
    },
  }
}
