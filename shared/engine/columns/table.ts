import type { Column } from '../detect/entity-model.ts'
import { EngineError } from '../errors.ts'
import type { Input } from '../formats/format.ts'
import { registry, sniff } from '../formats/index.ts'
import { defaultLimits } from '../limits.ts'
import { labelGroup } from '../models/label-groups.ts'
import { type ClassifiedColumn, classifyColumn, isUncertain } from './classify.ts'
import { ownKey, ownTitle } from './headings.ts'
import { sampleColumns } from './sample.ts'

/** Labels of columns that make a table one of persons. */
const personal = ['PERSON', 'EMAIL', 'DATE_OF_BIRTH']
const scoreOfKey = 0.5

/** Columns of a table that is looked through, at most. */
const mostColumns = 1000

/**
 * Says what the columns of a table are, by their names and some of the values of each. Throws `limit_exceeded` where there are
 * more than a thousand.
 */
export function classifyColumns(columns: readonly Column[]): ClassifiedColumn[] {
  if (columns.length > mostColumns)
    throw new EngineError('limit_exceeded', `The table has more than ${mostColumns} columns`)
  const names = columns.map(({ name }) => name)
  const classified = columns.map(column => classifyColumn({ beside: names, ...column }))
  if (!classified.some(({ labels: [label] }) => label && personal.includes(label))) return classified
  return classified.map((column, n) => ofPerson(column, columns[n]!.values))
}

/** A column of a table of persons: its key stands for a person in others, and its titles are theirs. */
function ofPerson(column: ClassifiedColumn, values: readonly string[]): ClassifiedColumn {
  const isOpen = column.status === 'nothing' || (column.basis === 'form' && isUncertain(column.labels))
  const told = (label: string) => ({
    ...column,
    status: 'identified' as const,
    labels: [label],
    role: labelGroup(label),
    share: 1,
    score: scoreOfKey,
    basis: 'heading' as const,
    recogniser: undefined,
  })
  if (isOpen && ownKey.isIn(column.name)) return told('ID')
  const areWords = values.every(text => text.trim() === '' || /\p{L}{2}/u.test(text))
  return column.status === 'nothing' && areWords && ownTitle.isIn(column.name) ? told('DEMOGRAPHIC') : column
}

/**
 * The same for the beginning of a file of lines (CSV, TSV, NDJSON), of which the last may be cut off. Nothing where it is
 * of another format. Throws an {@link EngineError} where it is of none.
 */
export async function classifyFile(input: Input, signal: AbortSignal): Promise<ClassifiedColumn[] | undefined> {
  const format = await sniff(input)
  if (format.type !== 'TABLE' || !format.split) return undefined
  const columns = await sampleColumns(format, input, { registry, limits: defaultLimits, signal, options: {} })
  return classifyColumns([...columns.values()]).map((column, n) => ({ ...column, name: [...columns.keys()][n]! }))
}
