import { t } from '../i18n/index.ts'
import { DOUBTFUL } from '../screens/findings.tsx'
import { Field } from '../ui/parts.tsx'
import type { Filter } from './decide.ts'
import type { Finding } from './proposals.ts'

/** Which findings are listed, and whether those of one value are one entry. */
export type Shown = { filter: Filter; search: string; state: 'all' | 'open'; byValue: boolean }

export const allOf: Shown = { filter: {}, search: '', state: 'all', byValue: false }

/** Labels of findings with their number, the most frequent first. */
export const labelsOf = (findings: Finding[]): [label: string, count: number][] => {
  const counts = new Map<string, number>()
  for (const { label } of findings) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** Asks which findings are listed. */
export function Filters({ shown, set, findings }: { shown: Shown; set(shown: Shown): void; findings: Finding[] }) {
  const { found, review: words, search } = t.value
  const { filter, state, byValue } = shown
  const labelled = (label: string) => set({ ...shown, filter: { ...filter, label: label || undefined } })
  const doubtful = (isWanted: boolean) =>
    set({ ...shown, filter: { ...filter, maxScore: isWanted ? DOUBTFUL : undefined } })
  return (
    <search class="filters">
      <Field label={found.label}>
        <select value={filter.label ?? ''} onChange={event => labelled(event.currentTarget.value)}>
          <option value="">{found.all}</option>
          {labelsOf(findings).map(([label, count]) => (
            <option key={label} value={label}>
              {label} ({count})
            </option>
          ))}
        </select>
      </Field>
      <Field label={search}>
        <input
          type="search"
          autocomplete="off"
          value={shown.search}
          onInput={event => set({ ...shown, search: event.currentTarget.value })}
        />
      </Field>
      <p class="row">
        <Check label={words.openOnly} is={state === 'open'} set={is => set({ ...shown, state: is ? 'open' : 'all' })} />
        <Check label={found.doubtful} is={filter.maxScore !== undefined} set={doubtful} />
        <Check label={words.byValue} is={byValue} set={is => set({ ...shown, byValue: is })} />
      </p>
    </search>
  )
}

const Check = ({ label, is, set }: { label: string; is: boolean; set(is: boolean): void }) => (
  <label class="choice">
    <input type="checkbox" checked={is} onChange={event => set(event.currentTarget.checked)} /> {label}
  </label>
)
