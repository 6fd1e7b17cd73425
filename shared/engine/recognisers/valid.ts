/** Sum of digits times weights. */
export const scoreIf = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0)

/** Digits of a text alone. */
export const digitsOf = (text: string) => text.replace(/\D/g, '')
