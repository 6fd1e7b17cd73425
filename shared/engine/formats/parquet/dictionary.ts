import type { Stored } from './values.ts'

/** Most values of a dictionary, and most bytes of it. */
const dictionaryValues = 50_000
const dictionaryBytes = 1024 * 1024

/** The distinct values of a column, each with its number. It closes for good once it would be no gain. */
export type Dictionary = { numbers: Map<Stored, number>; bytes: number; isOpen: boolean }

/** An empty dictionary for values of a physical type. */
export function createDictionary(type: string): Dictionary {
  // A map takes the two noughts for one, and there are but two logical values.
  return { numbers: new Map(), bytes: 0, isOpen: !['FLOAT', 'DOUBLE', 'BOOLEAN'].includes(type) }
}

/** The numbers of a page's values; undefined where the page is to be written without the dictionary. */
export function numbered(dictionary: Dictionary, values: readonly Stored[]): number[] | undefined {
  if (!dictionary.isOpen) return undefined
  const { numbers } = dictionary
  const size = numbers.size
  const list = numbersOf(dictionary, values)
  const fresh = numbers.size - size
  if (size === 0 && fresh > 100 && fresh > values.length * 0.6) numbers.clear()
  else if (numbers.size > dictionaryValues || dictionary.bytes > dictionaryBytes) {
    // What this page added is taken out again; what comes later is written without the dictionary.
    for (const value of [...numbers.keys()].slice(size)) numbers.delete(value)
  } else return list
  dictionary.isOpen = false
  return undefined
}

function numbersOf(dictionary: Dictionary, values: readonly Stored[]): number[] {
  const { numbers } = dictionary
  const list = new Array<number>(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    let number = numbers.get(value)
    if (number === undefined) {
      number = numbers.size
      numbers.set(value, number)
      dictionary.bytes += typeof value === 'string' ? value.length + 4 : 8
    }
    list[index] = number
  }
  return list
}
