import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliver, rulesBut } from './delivered.ts'
import { countIn, direct, kinds, lettersOf, within } from './letters-set.ts'

/**
 * Anonymises letters, invoices, medical reports, contracts, chats and CVs in eight languages with the defaults and says what
 * of the identifiers can still be read, and how much of what is gone was one: `npm run bench:letters`. The texts were
 * written for this, with names from nowhere; the rules were fitted to the files `-1`, those that end in `-2` were
 * written before the rules were run on them, and a class of misses found there was mended since. The files `-3` are short hard
 * cases: chats, forms, signatures, plates, dates in words, secrets; what they showed was mended too. Those that end in `-4` and
 * `-5` are in ten languages and dense: discharge letters, bank statements, judgments, tickets with logs. What the former showed was
 * mended; what is missed in the latter was not looked at, and `--half 5` is the figure to quote. The files `-7` are judgments, deeds,
 * reports of the police, statements of banks, tickets and chats of more countries in seven of the languages, denser still, and what
 * they showed was mended as far as it was general.
 * The files `-9` are discharge letters, tickets with logs, reports of the police, leases and chats in ten languages, written before the
 * patterns were looked at; what they showed was mended as far as it was general, so theirs is the figure of what was fitted.
 * Those that end in `-10` are references, claims, findings of laboratories, deeds, minutes, notes of call centres and newsletters in the same
 * languages; what they showed was mended too. The files `-11` are of the same writer and of further kinds (statements, case notes, threads of
 * mail, transcripts, pasted tables, logs, pages read by OCR): nobody looked at what is missed in them, so `--half 11` is a figure to quote.
 * Those that end in `-6` are notes of nurses, files of schools and youth welfare, minutes, payslips and forms in seven languages; what
 * they showed was mended. `pii-ner` 2.3.0 learnt from the files `-3`, `-4`, `-6` and `-7`, and not from the others. The files `-8` are in 19
 * languages, kept back from the texts that it learnt from too (`models/pii-ner/train/letters`): `--half 8` is the other figure to quote.
 * 2.4.0 learnt from the files `-9` and `-10` as well, and from more texts; the files `-12` are every tenth of these, kept back.
 * 2.5.0 learnt from more texts again; the files `-13` are every tenth of these.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    half: { type: 'string' },
    show: { type: 'boolean', default: false },
    // A folder of models in place of the shipped ones.
    models: { type: 'string' },
  },
})
const models = values.models ?? join(import.meta.dirname, '../models')

type Count = { gold: number; left: number; masked: number; right: number }
const counts = new Map<string, Count>()
const add = (key: string, more: Partial<Count>) => {
  const count = counts.get(key) ?? { gold: 0, left: 0, masked: 0, right: 0 }
  for (const [name, n] of Object.entries(more)) count[name as keyof Count] += n
  counts.set(key, count)
}

for (const { name, text, gold, either, language, half } of lettersOf(values.only)) {
  if (values.half && values.half !== half) continue
  const { masked } = await deliver(text, models, rulesBut(['QUANTITY']))
  const open = within(text, masked, false)
  for (const { start, end, kind } of gold) {
    const rest = countIn(open.slice(start, end))
    const keys = [`half ${half}`, `half ${half} ${language}`, `half ${half} ${kinds[kind]}`]
    if (direct.has(kind)) keys.push(`half ${half} direct`)
    for (const key of keys) add(key, { gold: 1, left: Number(rest > 0) })
    if (rest > 0 && values.show)
      console.log(`${name}: LEFT ${kinds[kind]} «${text.slice(start, end)}» as «${open.slice(start, end)}»`)
  }
  const goldText = within(text, [...gold, ...either], true)
  for (const { start, end } of masked) {
    const all = countIn(text.slice(start, end))
    const right = countIn(goldText.slice(start, end))
    for (const key of [`half ${half}`, `half ${half} ${language}`]) add(key, { masked: all, right })
    if (right < all && values.show) console.log(`${name}: MORE «${text.slice(start, end)}»`)
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
