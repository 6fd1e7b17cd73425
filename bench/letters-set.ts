import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stretch } from './delivered.ts'

/** Letters, invoices, reports, contracts, chats and CVs in eight languages, with what identifies people marked in them. */
const folder = join(import.meta.dirname, 'letters')

/** What the marks stand for. */
export const kinds: Readonly<Record<string, string>> = {
  P: 'person',
  A: 'address',
  L: 'place',
  O: 'organisation',
  B: 'date of birth',
  D: 'date',
  G: 'age',
  N: 'number',
  T: 'telephone',
  E: 'e-mail',
  U: 'account or profile',
  K: 'secret',
}
/** Kinds that point at somebody by themselves; organisations, dates, places and ages do so together with others only. */
export const direct = new Set(['P', 'A', 'B', 'N', 'T', 'E', 'U', 'K'])

/** What is neither identifying nor harmless for sure: courts that everybody shares, laws named after people. */
const either = 'X'

type Gold = Stretch & { kind: string }
/** A text, what identifies somebody in it, and what may or may not. */
export type Letter = { name: string; text: string; gold: Gold[]; either: Stretch[] }

function lettersIn(file: string): Letter[] {
  const [, ...parts] = readFileSync(join(folder, file), 'utf8').split(/^=== (?=\S)/m)
  return parts.map((part, n) => {
    const end = part.indexOf('\n')
    const gold: Gold[] = []
    const unclear: Stretch[] = []
    let text = ''
    for (const [piece, kind, value] of part.slice(end + 1).matchAll(/\{([A-Z]):([^}]*)\}|[^{]+/g)) {
      if (kind !== undefined) {
        if (!kinds[kind] && kind !== either) throw new Error(`${file}: unknown kind ${kind}`)
        const stretch = { start: text.length, end: text.length + value!.length }
        if (kind === either) unclear.push(stretch)
        else gold.push({ ...stretch, kind })
      }
      text += value ?? piece
    }
    return { name: `${file.replace('.txt', '')} ${n + 1} ${part.slice(0, end)}`, text, gold, either: unclear }
  })
}

/** The texts of the files whose names begin so, with the language and the half of the set that each is of. */
export function* lettersOf(only = ''): Generator<Letter & { language: string; half: string }> {
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.txt') || !file.startsWith(only)) continue
    const [language = '', half = ''] = file.replace('.txt', '').split('-')
    for (const letter of lettersIn(file)) yield { ...letter, language, half }
  }
}

const readable = /[\p{L}\p{N}]/gu

/** How many letters and digits a text has. */
export const countIn = (text: string): number => text.match(readable)?.length ?? 0

/** The text with what lies within the stretches, or outside of them, made blank. */
export const within = (text: string, stretches: readonly Stretch[], kept: boolean) => {
  const units: string[] = Array.from({ length: text.length }, (_, at) => (kept ? ' ' : text[at]!))
  for (const { start, end } of stretches) for (let at = start; at < end; at++) units[at] = kept ? text[at]! : ' '
  return units.join('')
}
