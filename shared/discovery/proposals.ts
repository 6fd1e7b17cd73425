import type { ClassifiedColumn } from 'anonymisation-engine'
import { findPreset, presetRules } from 'anonymisation-engine/presets'
import type { DiscoveredColumn, Discovery } from '../api/sources.ts'
import { newRuleOf } from '../rules/presets.ts'

type Replacement = NonNullable<DiscoveredColumn['replacement']>
type Proposal = NonNullable<Discovery['workflow']>
type Entry = Proposal['rules'][number]['entries'][number]

/** What finds the whole of each cell. */
const wholeCells: Proposal['rules'][number]['rule'] = {
  name: 'Whole cells',
  description: '',
  type: 'REGEX',
  config: { regexRuleConfig: { pattern: '[\\s\\S]+' } },
}

/** What leaves less of a value than a name that stands for it, or more where that tells nobody. */
const special: Readonly<Record<string, Replacement>> = {
  DATE_OF_BIRTH: { generalise: { date: 'year' } },
  DATE: { dateShift: {} },
  AGE: { generalise: { range: 10 } },
  SECRET: { suppress: {} },
  COORDINATES: { suppress: {} },
}

/** What stays, to be measured: a workflow that replaced it would leave nothing to work with. */
const measured = new Set(['DEMOGRAPHIC', 'QUANTITY'])

/** Labels of columns of text say what was seen in it; what else stands there is looked for as well. */
const labelled: Replacement = { text: '[{{label}}]' }

/** Whether a workflow can name a column. */
const canBeNamed = ({ name }: { name: string }) => name.length > 0 && name.length <= 500

/** What the columns of a table are and become, and a workflow for it. `types`: those that a database has for them. */
export function proposalOf(
  name: string,
  classified: readonly ClassifiedColumn[],
  types: ReadonlyMap<string, string> = new Map(),
): Pick<Discovery, 'columns' | 'workflow'> {
  const columns = classified.map(({ recogniser, ...column }): DiscoveredColumn => {
    const nativeType = types.get(column.name)
    const replacement = canBeNamed(column) ? replacementFor({ ...column, recogniser }) : null
    return { ...column, ...(nativeType && { nativeType }), replacement }
  })
  return { columns, workflow: proposalFor(name, columns.filter(canBeNamed)) }
}

/** What should stand in place of a column's values; null where it may stay. */
function replacementFor({
  status,
  labels: [label],
  role,
  recogniser,
}: Pick<ClassifiedColumn, 'status' | 'labels' | 'role' | 'recogniser'>): Replacement | null {
  if (status === 'text') return labelled
  if (status !== 'identified' || label === undefined || role === 'sensitive' || measured.has(label)) return null
  if (recogniser === 'column.postcode') return { generalise: { prefix: { keep: 2 } } }
  return special[label] ?? { pseudonym: { as: label } }
}

/** A workflow for a table with these columns: nothing where none is to be replaced. */
function proposalFor(name: string, columns: readonly DiscoveredColumn[]): Proposal | null {
  const texts = columns.filter(({ status }) => status === 'text').map(one => one.name)
  const whole = entriesOf(columns.filter(({ status }) => status !== 'text'))
  const rules = [
    ...(whole.length > 0 ? [{ rule: wholeCells, entries: whole }] : []),
    ...(texts.length > 0 ? rulesForTexts(texts) : []),
  ]
  if (rules.length === 0) return null
  const quasiIdentifiers = columns
    .filter(({ role, labels: [label] }) => role === 'quasi' || label === 'DATE_OF_BIRTH')
    .map(one => one.name)
    .slice(0, 50)
  const sensitive = columns.filter(({ role }) => role === 'sensitive').map(one => one.name)
  const risk = quasiIdentifiers.length > 0 && { risk: { quasiIdentifiers, sensitive: sensitive.slice(0, 50) } }
  return { name: name.slice(0, 100), rules, ...risk }
}

/** Columns by what stands in place of their values. */
function entriesOf(columns: readonly DiscoveredColumn[]): Entry[] {
  const entries = new Map<string, Entry>()
  for (const { name, replacement } of columns) {
    if (!replacement) continue
    const key = JSON.stringify(replacement)
    const entry = entries.get(key) ?? { columns: [], replacement }
    entry.columns.push(name)
    entries.set(key, entry)
  }
  return [...entries.values()]
}

/** All that the preset `default` looks for, in the columns of text. */
const rulesForTexts = (columns: string[]): Proposal['rules'] =>
  presetRules(findPreset('default')!).map(planned => ({
    rule: newRuleOf(planned),
    entries: [{ columns, replacement: planned.replacement as Replacement }],
  }))
