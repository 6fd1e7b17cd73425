import { bufferInput, type ClassifiedColumn, classifyColumns, classifyFile, EngineError } from 'anonymisation-engine'
import type { Discovery } from '../api/sources.ts'
import type { SourceContext } from '../sources/connector.ts'
import { SourceError } from '../sources/errors.ts'
import { type Beginning, readBeginning, type Source } from '../sources/sources.ts'
import { proposalOf } from './proposals.ts'

/** Values of a column that are looked at. */
const mostValues = 256

/** Says what the columns of a table or a file of lines are by its beginning, and proposes a workflow for them. */
export async function discover(source: Source, context: SourceContext, name: string): Promise<Discovery> {
  const beginning = await readBeginning(source, context, name)
  const { entry } = beginning
  const classified = await classify(beginning, context.signal)
  const types = new Map('columns' in beginning ? beginning.columns.map(one => [one.name, one.nativeType]) : [])
  return { entry, ...proposalOf(entry.name, classified, types) }
}

async function classify(beginning: Beginning, signal: AbortSignal): Promise<ClassifiedColumn[]> {
  try {
    const columns = 'rows' in beginning ? classifyColumns(columnsOf(beginning)) : await classifyLines(beginning, signal)
    if (columns) return columns
  } catch (error) {
    if (error instanceof EngineError) throw new SourceError('source_unsupported', error.message)
    throw error
  }
  throw new SourceError(
    'source_unsupported',
    'Only tables of databases and files of CSV or JSON lines can be looked through in a source. Load other tables into a job, ' +
      'and ask for the columns of their assets',
  )
}

const columnsOf = ({ columns, rows }: Extract<Beginning, { rows: unknown }>) =>
  columns.map(({ name }, at) => ({
    name,
    values: rows
      .flatMap(row => row[at] ?? [])
      .filter(text => text.trim() !== '')
      .slice(0, mostValues),
  }))

const classifyLines = ({ entry, bytes }: Extract<Beginning, { bytes: unknown }>, signal: AbortSignal) =>
  classifyFile(bufferInput(entry.name, bytes), { signal, opens: 'lines' })
