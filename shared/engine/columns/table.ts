import type { Column } from '../detect/entity-model.ts'
import { EngineError } from '../errors.ts'
import type { Format, FormatContext, Input, Limits } from '../formats/format.ts'
import { registry, sniff } from '../formats/index.ts'
import { defaultLimits } from '../limits.ts'
import { labelGroup } from '../models/label-groups.ts'
import { profileOf } from '../recognisers/columns.ts'
import { type ClassifiedColumn, classifyColumn, isUncertain } from './classify.ts'
import { mayBeOwnKey, ownKey, ownName, ownTitle } from './headings.ts'
import { readColumns, sampleColumns } from './sample.ts'

/** Labels of columns that make a table one of persons, and one with a person in each row. */
const ofRow = ['DATE_OF_BIRTH', 'AGE']
const personal = ['PERSON', 'EMAIL', ...ofRow]
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
  const has = (labels: readonly string[]) => classified.some(({ labels: [label] }) => label && labels.includes(label))
  if (!has(personal)) return classified
  return classified.map((column, n) => ofPerson(column, columns[n]!, has(ofRow)))
}

/** A column of a table of persons: its key stands for a person in others, and its titles are theirs. */
function ofPerson(column: ClassifiedColumn, given: Column, isInRow: boolean): ClassifiedColumn {
  const { values } = given
  const { heading } = profileOf(given)
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
  if (isOpen && (ownKey.isIn(heading) || (mayBeOwnKey(heading) && areDifferent(values)))) return told('ID')
  const areWords = values.every(text => text.trim() === '' || /\p{L}{2}/u.test(text))
  if (column.status === 'nothing' && areWords && isInRow && ownName.isIn(heading)) return told('PERSON')
  return column.status === 'nothing' && areWords && ownTitle.isIn(heading) ? told('DEMOGRAPHIC') : column
}

/** Values that must differ for a column of them to be taken for a key. */
const fewestKeys = 10
const areDifferent = (values: readonly string[]) =>
  values.length >= fewestKeys && new Set(values).size === values.length

/** How a file is looked through. */
type Looking = {
  signal: AbortSignal
  /** Of tables that are read as a whole. */
  limits?: Partial<Limits>
  /** Whether those are opened at all (workbooks, Parquet, JSON arrays), or files of lines only. */
  opens: 'lines' | 'tables'
  /** How the table is written, where somebody has said so. */
  options?: Record<string, unknown>
}

/**
 * The same for a file: of lines (CSV, TSV, NDJSON) for their beginning, of which the last may be cut off. Nothing where it is of
 * another format than asked for. Throws an {@link EngineError} where it is of none, or can't be read.
 */
export async function classifyFile(
  input: Input,
  { signal, limits: given, opens, options = {} }: Looking,
): Promise<ClassifiedColumn[] | undefined> {
  const format = await sniff(input)
  if (format.type !== 'TABLE' || (opens === 'lines' && !format.split)) return undefined
  const limits = { ...defaultLimits, ...given }
  const context = { registry, limits, signal, options }
  const columns = format.split
    ? await sampleColumns(format, input, context)
    : await columnsOfWhole(format, input, context)
  return classifyColumns([...columns.values()]).map((column, n) => ({ ...column, name: [...columns.keys()][n]! }))
}

async function columnsOfWhole(format: Format, input: Input, context: FormatContext) {
  const { bytes } = context.limits
  if (input.size > bytes) throw new EngineError('limit_exceeded', `The file is larger than ${bytes} bytes`)
  const columns: Parameters<typeof readColumns>[0] = new Map()
  await readColumns(columns, format, input, context)
  return columns
}
