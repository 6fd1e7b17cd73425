/** An affine map `[a b c d e f]` as PDF writes it: (x, y) goes to (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [number, number, number, number, number, number]

/** The map that changes nothing. */
export const unit: Matrix = [1, 0, 0, 1, 0, 0]

/** First `m`, then `n`. */
export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
]

/** Where a map puts a point. */
export const apply = ([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** Six numbers as a map; anything else is the map that changes nothing. */
export const matrixOf = (numbers: number[] | undefined): Matrix =>
  numbers?.length === 6 ? (numbers as unknown as Matrix) : unit
