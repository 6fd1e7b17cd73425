import { addLabels, byFrequency, type LabelCount } from 'anonymisation-engine'

/** Most labels of one result that are added to its job's: an expression holds 4 KB. */
const MAX = 100
const PREFIX = 'label '

/** The replacements of a job by label: an attribute of its row for each, so that they add up without being read. */
export type LabelAttributes = { [attribute: `${typeof PREFIX}${string}`]: number }

/** What adds the labels of a result to its job's, for an expression with ADD. */
export function addingLabels(findings: readonly { labels?: LabelCount[] }[]) {
  const labels = addLabels(findings.flatMap(({ labels = [] }) => labels)).slice(0, MAX)
  return {
    add: labels.map((_, n) => `, #l${n} :l${n}`).join(''),
    names: Object.fromEntries(labels.map(({ label }, n) => [`#l${n}`, PREFIX + label])),
    values: Object.fromEntries(labels.map(({ count }, n) => [`:l${n}`, count])),
  }
}

/** What a job has replaced so far by label, the most frequent first. */
export const labelsOf = (job: LabelAttributes): LabelCount[] =>
  byFrequency(
    new Map(
      Object.entries(job).flatMap(([name, count]) =>
        name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), count] as const] : [],
      ),
    ),
  ).slice(0, MAX)
