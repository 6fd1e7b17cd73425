import { createLookup, isNear, isPlaceholder, type Lookup, labelOf, meant, readCodes, wordStart } from './lookup.ts'
import { codeLength, type Entry } from './placeholders.ts'

/** How a value is written where it comes back: as it is, or within a string of JSON. */
export type Writing = 'text' | 'json'

/** A character, with those before it, that a word may begin with. */
const wordAt = new RegExp(`${wordStart}.$`, 'su')

/** What became of the placeholders of a text. Quotes no values. */
export type Restored = {
  text: string
  /** How many placeholders were put back, those that were altered included. */
  restored: number
  /** Those that a model had altered, as they stood and as they were taken. */
  altered: { found: string; placeholder: string }[]
  /** What looks like a placeholder and is none of the session; it was left as it stood. */
  unknown: string[]
}

/** A part of a text, what stands before it, and whether it ends there. */
export type Part = { text: string; before?: string; writing?: Writing }

/** Characters before a placeholder that tell whether it stands in an address. */
export const contextLength = 300

/** The beginning of a web address up to here. */
const inAddress = /(?:https?:\/\/|www\.)[^\s"'<>()[\]{}|\\^`]*$/i

function write(value: string, before: string, writing: Writing): string {
  const plain = inAddress.test(before.slice(-contextLength)) ? encodeURIComponent(value) : value
  return writing === 'json' ? JSON.stringify(plain).slice(1, -1) : plain
}

/** The placeholder that a label and what follows it surely are, and where it ends; of an unknown one only where. */
type Resolved = { end: number; entry?: Entry }

function resolve(lookup: Lookup, label: string, text: string, [start, at]: [number, number]): Resolved | undefined {
  const readings = readCodes(text, at)
  const named = (code: string) => lookup.byName.get(`${label}_${code}`)
  for (const { code, end } of readings) {
    const entry = named(code) ?? named(meant(code) ?? '')
    if (entry) return { end, entry }
  }
  // What is repaired must otherwise be as it was given.
  const isKept = text.slice(start, at) === `${label}_`
  for (const { code, end, broken } of isKept ? readings : []) {
    const sure = meant(code)
    if (broken || !sure || code !== code.toUpperCase()) continue
    const near = lookup.codes.get(label)!.filter(known => isNear(sure, known))
    if (near.length === 1) return { end, entry: named(near[0]!) }
  }
  const [first] = readings
  return first && isPlaceholder(text.slice(start, first.end)) ? { end: first.end } : undefined
}

/** Puts values back in place of placeholders, also of those that a model has altered where only one can be meant. */
export type Restorer = {
  restore(part: Part): Restored
  /**
   * Where the end of a text begins that may belong to a placeholder which goes on behind it; its length where none does. The
   * text begins with the last two characters of what was sent on before, if there are any.
   */
  holdFrom(text: string): number
}

/** Makes the restorer of a session. */
export function createRestorer(entries: readonly Entry[]): Restorer {
  const lookup = createLookup(entries)
  const longest = Math.max(0, ...[...lookup.codes.keys()].map(({ length }) => length))
  /** Signs between the characters of a placeholder make it longer, but not by more than this. */
  const reach = (longest + codeLength.most + 2) * 2 + 10
  const starts = [...lookup.codes.keys()].map(label => label.replaceAll('_', ''))
  return {
    restore({ text: given, before = '', writing = 'text' }) {
      const report: Restored = { text: '', restored: 0, altered: [], unknown: [] }
      const text = before + given
      let done = before.length
      lookup.labels.lastIndex = 0
      for (let match = lookup.labels.exec(text); match; match = lookup.labels.exec(text)) {
        const label = labelOf(lookup, match[1]!)
        const start = match.index
        const found =
          label && start >= done ? resolve(lookup, label, text, [start, start + match[0].length]) : undefined
        if (!found) {
          lookup.labels.lastIndex = start + 1
          continue
        }
        lookup.labels.lastIndex = found.end
        const stood = text.slice(start, found.end)
        if (!found.entry) {
          report.unknown.push(stood)
          continue
        }
        const { placeholder, value } = found.entry
        report.text += text.slice(done, start) + write(value, text.slice(0, start), writing)
        report.restored++
        if (stood !== placeholder) report.altered.push({ found: stood, placeholder })
        done = found.end
      }
      report.text += text.slice(done)
      return report
    },
    holdFrom(text) {
      for (let at = Math.max(0, text.length - reach); at < text.length; at++) {
        if (!wordAt.test(text.slice(Math.max(0, at - 2), at + 1)) || !/[\p{L}\p{N}]/u.test(text[at]!)) continue
        if (mayGoOn(text.slice(at), starts)) return at
      }
      return text.length
    },
  }
}

/** Whether a stretch at the end of a text may be the beginning of a placeholder, or one that its next sign decides on. */
function mayGoOn(text: string, labels: readonly string[]): boolean {
  const squeezed = text
    .replace(/%5F|&#95;|&lowbar;|\\n/gi, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  const most = codeLength.most + 3
  return labels.some(label => {
    if (label.startsWith(squeezed)) return true
    return squeezed.startsWith(label) && squeezed.length - label.length <= most && !/\n\s*\n/.test(text)
  })
}
