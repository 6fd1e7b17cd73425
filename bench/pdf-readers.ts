import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { guarded } from './guarded.ts'
import type { Outcome } from './pdf-readers-child.ts'

// What poppler and MuPDF still read in outputs: from each input three frequent words and one that only either of them reads
// are replaced, and no output may show one of them to either or hold it in its bytes (a word that one of them only glues
// together of two that the other finds apart is counted by itself); other words must still be there
// (those that poppler only joins otherwise, as all their letters stand at their place, are counted apart); pages without a match
// must look to poppler as before, and qpdf must find nothing wrong. Arguments: folders of PDFs; figures come for each.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every so many-th file is taken. */
    every: { type: 'string', default: '1' },
    /** Seconds of processor time after which a file is given up. */
    seconds: { type: 'string', default: '60' },
  },
})

const pdfsIn = (folder: string): string[] => {
  if (existsSync(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.toLowerCase().endsWith('.pdf'))
      .sort()
      .map(name => join(folder, name))
  console.log(`skipped: ${folder} is not there`)
  return []
}

const { check, close } = guarded<string, Outcome>(
  fileURLToPath(new URL('pdf-readers-child.ts', import.meta.url)),
  Number(values.seconds),
)

/** Figures of one folder. */
const checkAll = async (folder: string) => {
  const totals = {
    files: 0,
    leaking: 0,
    glued: 0,
    damaged: 0,
    slow: 0,
    touched: 0,
    pictures: 0,
    compared: 0,
    differing: 0,
    missing: 0,
    rejoined: 0,
    words: 0,
    seconds: 0,
  }
  const kinds: Record<string, number> = {}
  for (const path of pdfsIn(folder).filter((_, i) => i % Number(values.every) === 0)) {
    const outcome: Outcome = await check(path)
    const {
      leaks = [],
      glued = [],
      touched = 0,
      pictures = [],
      compared = 0,
      differing = [],
      missing = 0,
      rejoined = 0,
      words = 0,
    } = outcome
    const kind = outcome.complaints?.length === 0 ? `${outcome.kind}, though no other program complains` : outcome.kind
    kinds[kind] = (kinds[kind] ?? 0) + 1
    totals.files++
    if (leaks.length > 0) totals.leaking++
    if (glued.length > 0) totals.glued++
    if (outcome.damage) totals.damaged++
    if (outcome.seconds > 10) totals.slow++
    totals.touched += touched
    totals.pictures += pictures.length
    totals.compared += compared
    totals.differing += differing.length
    totals.missing += missing
    totals.rejoined += rejoined
    totals.words += words
    totals.seconds += outcome.seconds
    console.log(JSON.stringify({ path, ...outcome }))
  }
  console.log(
    `${folder} ${JSON.stringify({ ...totals, seconds: Math.round(totals.seconds) })} ${JSON.stringify(kinds)}`,
  )
}

for (const folder of positionals) await checkAll(folder)
close()
