import type { PlannedRule } from './plan.ts'

/** How often a label was replaced. */
export type LabelCount = { label: string; count: number }

/** What was replaced by one rule, in all and by label, the most frequent first. Holds no values. */
export type Finding = { ruleId: string; name: string; count: number; labels: LabelCount[] }

/** Maximum number of labels counted for a rule, and for all rules of a plan together. */
const most = { ofRule: 100, ofAll: 2000 }

/** Labels by how often they stand, the most frequent first. */
export const byFrequency = (counts: ReadonlyMap<string, number>): LabelCount[] =>
  [...counts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))

function bounded(findings: Finding[]): Finding[] {
  const room = Math.max(1, Math.min(most.ofRule, Math.floor(most.ofAll / findings.length)))
  return findings.map(finding => ({ ...finding, labels: finding.labels.slice(0, room) }))
}

/** Counts replacements by rule, in the order of the plan, and by label. */
export type Tally = {
  add(rule: number, label: string, times: number): void
  findings(): Finding[]
}

/** Starts to count the replacements of rules. */
export function createTally(rules: readonly Pick<PlannedRule, 'ruleId' | 'name'>[]): Tally {
  const counts = rules.map(() => new Map<string, number>())
  return {
    add(rule, label, times) {
      const own = counts[rule]!
      own.set(label, (own.get(label) ?? 0) + times)
    },
    findings: () =>
      bounded(
        rules.map(({ ruleId, name }, rule) => {
          const labels = byFrequency(counts[rule]!)
          return { ruleId, name, count: labels.reduce((sum, { count }) => sum + count, 0), labels }
        }),
      ),
  }
}

/** Adds labels up, those that stand more than once. */
export function addLabels(labels: Iterable<LabelCount>): LabelCount[] {
  const counts = new Map<string, number>()
  for (const { label, count } of labels) counts.set(label, (counts.get(label) ?? 0) + count)
  return byFrequency(counts)
}

/** Findings that may have been stored before labels were counted. */
type Unlabelled = Omit<Finding, 'labels'> & Partial<Finding>

/** The findings of a whole from those of its chunks, which are of the same rules. */
export function mergeFindings(chunks: readonly Unlabelled[][]): Finding[] {
  const [first = []] = chunks
  return bounded(
    first.map((finding, n) => {
      const parts = chunks.flatMap(findings => findings[n] ?? [])
      const count = parts.reduce((sum, part) => sum + part.count, 0)
      return { ...finding, count, labels: addLabels(parts.flatMap(({ labels = [] }) => labels)) }
    }),
  )
}
