import { join } from 'node:path'
import { presetRules, presets } from '../shared/engine/presets.ts'
import { deliver } from './delivered.ts'
import { countIn, direct, lettersOf, within } from './letters-set.ts'

/**
 * The score cards of the presets for personal data, as a table of Markdown: `npm run bench:presets`. For each language: how
 * many hundredths of the direct identifiers and of the others stay readable, and how many of the harmless text are masked,
 * of texts that no rule was fitted to: letters as people write them (`-2`), and dense ones (`-5`), in which one of six words identifies.
 */
const models = join(import.meta.dirname, '../models')
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt']
const chosen = presets.filter(({ labels }) => labels.direct.includes('PERSON') && labels.direct.includes('ADDRESS'))

const percent = (part: number, whole: number) => ((100 * part) / Math.max(whole, 1)).toFixed(0)

/** What a preset leaves readable of the identifiers, and masks of all else, in one of the sets of a language's texts. */
async function cardOf(rules: ReturnType<typeof presetRules>, language: string, set: string): Promise<string> {
  const left = { direct: 0, others: 0 }
  const all = { direct: 0, others: 0 }
  let harmless = 0
  let masked = 0
  for (const { text, gold } of lettersOf(`${language}-${set}`)) {
    const delivered = await deliver(text, models, rules)
    const open = within(text, delivered.masked, false)
    for (const { start, end, kind } of gold) {
      const group = direct.has(kind) ? 'direct' : 'others'
      all[group]++
      if (countIn(open.slice(start, end)) > 0) left[group]++
    }
    const plain = within(text, gold, false)
    harmless += countIn(plain)
    masked += countIn(plain) - countIn(within(plain, delivered.masked, false))
  }
  return `${percent(left.direct, all.direct)} · ${percent(left.others, all.others)} · ${percent(masked, harmless)}`
}

for (const set of ['2', '5']) {
  console.log(`\n| Preset | ${languages.join(' | ')} |`)
  console.log(`|---|${languages.map(() => '---|').join('')}`)
  for (const preset of chosen) {
    const cards: string[] = []
    const [own] = languages.filter(language => preset.id.endsWith(`-${language}`))
    for (const language of languages)
      cards.push(own && own !== language ? '' : await cardOf(presetRules(preset), language, set))
    console.log(`| \`${preset.id}\` | ${cards.join(' | ')} |`)
  }
}
