import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliver, type Stretch } from './delivered.ts'

/**
 * Anonymises letters, invoices, medical reports, contracts, chats and CVs in eight languages with the defaults and says what
 * of the identifiers can still be read, and how much of what is gone was one: `npm run bench:letters`. The texts were
 * written for this, with names from nowhere; the rules were fitted to the files `-1`, and those that end in `-2` were
 * written before the rules were run on them.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, show: { type: 'boolean', default: false } } })
const folder = join(import.meta.dirname, 'letters')
const models = join(import.meta.dirname, '../models')

const kinds: Readonly<Record<string, string>> = {
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
const direct = new Set(['P', 'A', 'B', 'N', 'T', 'E', 'U', 'K'])

type Gold = Stretch & { kind: string }
type Letter = { name: string; text: string; gold: Gold[] }

function lettersOf(file: string): Letter[] {
  const [, ...parts] = readFileSync(join(folder, file), 'utf8').split(/^=== (?=\w)/m)
  return parts.map((part, n) => {
    const end = part.indexOf('\n')
    const gold: Gold[] = []
    let text = ''
    for (const [piece, kind, value] of part.slice(end + 1).matchAll(/\{([A-Z]):([^}]*)\}|[^{]+/g)) {
      if (kind !== undefined) {
        if (!kinds[kind]) throw new Error(`${file}: unknown kind ${kind}`)
        gold.push({ start: text.length, end: text.length + value!.length, kind })
      }
      text += value ?? piece
    }
    return { name: `${file.replace('.txt', '')} ${n + 1} ${part.slice(0, end)}`, text, gold }
  })
}

const letters = /[\p{L}\p{N}]/gu
const countIn = (text: string) => text.match(letters)?.length ?? 0

type Count = { gold: number; left: number; masked: number; right: number }
const counts = new Map<string, Count>()
const add = (key: string, more: Partial<Count>) => {
  const count = counts.get(key) ?? { gold: 0, left: 0, masked: 0, right: 0 }
  for (const [name, n] of Object.entries(more)) count[name as keyof Count] += n
  counts.set(key, count)
}

/** The text with what lies within the stretches, or outside of them, made blank. */
const within = (text: string, stretches: readonly Stretch[], kept: boolean) => {
  const units: string[] = Array.from({ length: text.length }, (_, at) => (kept ? ' ' : text[at]!))
  for (const { start, end } of stretches) for (let at = start; at < end; at++) units[at] = kept ? text[at]! : ' '
  return units.join('')
}

for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.txt') || (values.only && !file.startsWith(values.only))) continue
  const [language = '', half = ''] = file.replace('.txt', '').split('-')
  for (const { name, text, gold } of lettersOf(file)) {
    const { masked } = await deliver(text, models, ['QUANTITY'])
    const open = within(text, masked, false)
    for (const { start, end, kind } of gold) {
      const rest = countIn(open.slice(start, end))
      const keys = [`half ${half}`, `half ${half} ${language}`, `half ${half} ${kinds[kind]}`]
      if (direct.has(kind)) keys.push(`half ${half} direct`)
      for (const key of keys) add(key, { gold: 1, left: Number(rest > 0) })
      if (rest > 0 && values.show)
        console.log(`${name}: LEFT ${kinds[kind]} «${text.slice(start, end)}» as «${open.slice(start, end)}»`)
    }
    const goldText = within(text, gold, true)
    for (const { start, end } of masked) {
      const all = countIn(text.slice(start, end))
      const right = countIn(goldText.slice(start, end))
      for (const key of [`half ${half}`, `half ${half} ${language}`]) add(key, { masked: all, right })
      if (right < all && values.show) console.log(`${name}: MORE «${text.slice(start, end)}»`)
    }
  }
}

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)
console.log(
  `${'set'.padEnd(34)}${'identifiers'.padStart(12)}${'left'.padStart(8)}${'left'.padStart(9)}${'precision'.padStart(11)}`,
)
for (const [key, { gold, left, masked, right }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `${key.padEnd(34)}${String(gold).padStart(12)}${String(left).padStart(8)}${percent(left, gold).padStart(9)}${percent(right, masked).padStart(11)}`,
  )
