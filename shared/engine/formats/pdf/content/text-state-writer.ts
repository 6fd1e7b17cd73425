import type { Glyph } from '../fonts/fonts.ts'
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

/**
 * Follows the text of a content stream glyph by glyph and, where `targets` says so, rewrites the operation that shows
 * it: `splices` gains what must change and `touched` is told.
 */
export const textStateWriter = (targets: Targets, splices: Splice[], touched: () => void) => {
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

  /** Shows one string: what of it stays, in the form of a TJ array's elements; undefined when all of it does. */
  const show = (bytes: Uint8Array, state: State): string | undefined => {
    const { font, size, scale, charSpace, wordSpace } = state
    if (!font) return undefined
    const glyphs = font.glyphs(bytes)
    const placed = multiply(matrix, state.ctm)
    const toPage = multiply([size * scale, 0, 0, size, 0, state.rise], placed)
    const em = Math.max(Math.hypot(toPage[0], toPage[1]), Math.hypot(toPage[2], toPage[3]))
    // Where the next glyph stands when the line has moved on by 1.
    const [stepX, stepY] = font.vertical ? [placed[2], placed[3]] : [scale * placed[0], scale * placed[1]]

    /** Whether nothing has to go where any glyph of the string may stand. */
    const isFar = (): boolean => {
      if (font.vertical || state.mode >= 4) return false
      let [at, low, high] = [0, 0, 0]
      for (const { advance, space } of glyphs) {
        const width = advance * size
        low = Math.min(low, at, at + width)
        high = Math.max(high, at, at + width)
        at += width + charSpace + (space ? wordSpace : 0)
      }
      const [x, y, endX, endY] = [low * stepX, low * stepY, high * stepX, high * stepY]
      if (
        targets.near(
          toPage[4] + Math.min(x, endX) - em,
          toPage[5] + Math.min(y, endY) - em,
          toPage[4] + Math.max(x, endX) + em,
          toPage[5] + Math.max(y, endY) + em,
        )
      )
        return false
      advance(at, state)
      return true
    }

    /** Whether a glyph has to go that is shown when the line has moved on by `at`. */
    const isHit = (glyph: Glyph, at: number): boolean => {
      const [x, y] = [toPage[4] + at * stepX, toPage[5] + at * stepY]
      const [alongX, alongY] = font.vertical ? [0, glyph.advance / 2] : [glyph.advance / 2, 0.25]
      return targets.hit(
        x + toPage[0] * glyph.shiftX + toPage[2] * glyph.shiftY,
        y + toPage[1] * glyph.shiftX + toPage[3] * glyph.shiftY,
        x + toPage[0] * alongX + toPage[2] * alongY,
        y + toPage[1] * alongX + toPage[3] * alongY,
        em,
      )
    }

    if (isFar()) return undefined
    const parts: string[] = []
    let kept = 0
    let gone = 0
    let cut = false
    let start = 0
    let at = 0
    const flushGone = () => {
      if (gone !== 0) parts.push(written(-1000 * gone))
      gone = 0
    }
    for (const glyph of glyphs) {
      const spacing = charSpace + (glyph.space ? wordSpace : 0)
      const distance = glyph.advance * size + spacing
      const clips = state.mode >= 4
      if (clips) clipping.shown++
      if (isHit(glyph, at)) {
        if (start > kept) {
          flushGone()
          parts.push(hex(bytes.subarray(kept, start)))
        }
        kept = start + glyph.length
        cut = true
        if (size !== 0) gone += distance / size
      } else {
        if (clips) clipping.left++
        if (kept === start) flushGone()
      }
      start += glyph.length
      at += distance
    }
    advance(at, state)
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
