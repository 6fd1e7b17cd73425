import { addLabels, type Finding, type LabelCount, type Replaced } from 'anonymisation-engine'

/** A match, and the line of a text file that it stands in. */
export type Placed = Replaced & { line?: number; column?: number }

/** What came of one file; `leftOut` says why it was not to be processed. */
export type Outcome = {
  file: string
  output?: string
  /** Where the certificate of its job was saved. */
  certificate?: string
  leftOut?: string
  findings: (Omit<Finding, 'labels'> & Partial<Finding>)[]
  problems: string[]
  /** What the output lacks, and how often. */
  dropped?: { what: string; count: number }[]
  warnings?: string[]
  format?: string
  /** What a text or table was read in. */
  encoding?: string
  matches?: Placed[]
}

/** Whether a file was to be anonymised and isn't. */
export const hasFailed = ({ problems }: Outcome): boolean => problems.length > 0

/** How much was replaced by label, whichever rule found it; the most frequent first. */
export const labelCounts = ({ findings }: Pick<Outcome, 'findings'>): LabelCount[] =>
  addLabels(findings.flatMap(({ name, count, labels = [{ label: name, count }] }) => labels)).filter(
    ({ count }) => count > 0,
  )
