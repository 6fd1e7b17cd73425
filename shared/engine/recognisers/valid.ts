import { stdnum } from 'stdnum'

/** The check of a number by the `stdnum` library (country, its name there); what it can't read is not valid. */
export function by(country: string, number: string): (text: string) => boolean {
  const validator = stdnum[country]?.[number]
  if (!validator) throw new Error(`stdnum has no ${country}.${number}`)
  return text => {
    try {
      return validator.validate(text).isValid
    } catch {
      return false
    }
  }
}

/** Sum of digits times weights. */
export const weigh = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0)

/** Digits of a text alone. */
export const digitsOf = (text: string) => text.replace(/\D/g, '')
