import type { ClassifiedColumn } from '../../../shared/engine/columns/classify.ts'

/** What a column was told to be, in the words of the gold labels. */
export function told({ status, role, labels: [label] }: ClassifiedColumn): string {
  if (status === 'text') return 'text'
  if (status !== 'identified') return '-'
  return role === 'sensitive' ? '*' : label!
}

/** Precision, recall and F1 over the columns that are something by either. */
export function scoreOf(columns: readonly { is: string; gold: string }[]) {
  const something = (which: 'is' | 'gold') => columns.filter(column => column[which] !== '-').length
  const right = columns.filter(({ is, gold }) => is === gold && gold !== '-').length
  const [precision, recall] = [right / something('is'), right / something('gold')]
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}
