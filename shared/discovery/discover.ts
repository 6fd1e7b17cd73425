import { bufferInput, type ClassifiedColumn, classifyColumns, classifyFile, EngineError } from 'anonymisation-engine'
import type { DiscoveredColumn, Discovery } from '../api/sources.ts'
import type { SourceContext } from '../sources/connector.ts'
import { SourceError } from '../sources/errors.ts'
import { type Beginning, readBeginning, type Source } from '../sources/sources.ts'
import { proposalFor, replacementFor } from './proposals.ts'

/** Values of a column that are looked at. */
const mostValues = 256

/** Says what the columns of a table or a file of lines are by its beginning, and proposes a workflow for them. */
export async function discover(source: Source, context: SourceContext, name: string): Promise<Discovery> {
  const beginning = await readBeginning(source, context, name)
  const { entry } = beginning
  const classified = await classify(beginning, context.signal)
  const types = new Map('columns' in beginning ? beginning.columns.map(one => [one.name, one.nativeType]) : [])
  const columns = classified.map(({ recogniser, ...column }): DiscoveredColumn => {
    const nativeType = types.get(column.name)
    return { ...column, ...(nativeType && { nativeType }), replacement: replacementFor({ ...column, recogniser }) }
  })
  return { entry, columns, workflow: proposalFor(entry.name, columns) }
}

async function classify(beginning: Beginning, signal: AbortSignal): Promise<ClassifiedColumn[]> {
  if ('rows' in beginning) {
    const { columns, rows } = beginning
    return classifyColumns(
      columns.map(({ name }, at) => ({
        name,
        values: rows
          .flatMap(row => row[at] ?? [])
          .filter(text => text.trim() !== '')
          .slice(0, mostValues),
      })),
    )
  }
  const columns = await classifyFile(bufferInput(beginning.entry.name, beginning.bytes), signal).catch(error => {
    if (error instanceof EngineError) throw new SourceError('source_unsupported', error.message)
    throw error
  })
  if (columns) return columns
  throw new SourceError(
    'source_unsupported',
    'Only tables of databases and files of CSV or JSON lines can be looked through',
  )
}
