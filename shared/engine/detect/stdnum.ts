import { stdnum } from 'stdnum'

/** The check of a number by the `stdnum` library (country, its name there), however its parts are separated. */
export function stdnumCheck(country: string, number: string): (text: string) => boolean {
  const validator = stdnum[country]?.[number]
  if (!validator) throw new Error(`stdnum has no ${country}.${number}`)
  const passes = (text: string) => {
    try {
      return validator.validate(text).isValid
    } catch {
      return false // what it can't even read is not valid
    }
  }
  return text => passes(text) || passes(text.replace(/[ ./-]/g, ''))
}
