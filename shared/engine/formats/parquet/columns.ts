import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { EngineError } from '../../errors.ts'
import type { Stored } from './values.ts'
import { showing } from './values.ts'

/** A column of values: a leaf of the schema. */
export type Leaf = {
  /** Names from the root, joined by dots, without those that only say that something is a list or a map. */
  name: string
  path: SchemaTree[]
  element: SchemaElement
  /** Greatest repetition and definition level. */
  repeats: number
  defines: number
  /** What rules are given for a value, as UTF-8 bytes; nothing where no value has a text. */
  show: ((value: Stored) => string) | undefined
  /** What the column must become to hold an edited value: nothing where it can as it is. */
  becomes: 'text' | 'bytes' | undefined
}

/** Whether a node only says that its parent is a list, or is the element of such a list. */
function isWrapper(path: readonly SchemaTree[], at: number): boolean {
  const kind = (node: SchemaTree | undefined) => node?.element.logical_type?.type ?? node?.element.converted_type
  const parent = kind(path[at - 1])
  if (['LIST', 'MAP', 'MAP_KEY_VALUE'].includes(parent ?? '')) return true
  return kind(path[at - 2]) === 'LIST' && path[at - 1]!.children.length === 1
}

/** The columns of a file in the order in which they are stored. Throws `unsupported_format` for a type unknown to it. */
export function leavesOf({ schema }: Pick<FileMetaData, 'schema'>, tree: SchemaTree, depth: number): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (path: SchemaTree[]) => {
    if (path.length > depth) throw new EngineError('limit_exceeded', 'The columns are nested too deeply')
    const node = path.at(-1)!
    for (const child of node.children) visit([...path, child])
    if (node.children.length > 0 || path.length === 1) return
    const { element } = node
    if (element.type === undefined) return
    const name = path.flatMap(({ element: part }, at) => (at === 0 || isWrapper(path, at) ? [] : [part.name])).join('.')
    const text = element.type === 'BYTE_ARRAY' && element.converted_type !== 'DECIMAL'
    const raw = element.type === 'FIXED_LEN_BYTE_ARRAY' && !element.logical_type && !element.converted_type
    leaves.push({
      name,
      path,
      element,
      repeats: getMaxRepetitionLevel(path),
      defines: getMaxDefinitionLevel(path),
      show: showing(element),
      becomes: text ? undefined : raw ? 'bytes' : 'text',
    })
  }
  visit([tree])
  if (schema.some(({ logical_type }) => logical_type?.type === 'VARIANT'))
    throw new EngineError('unsupported_format', 'The file has a column of type VARIANT')
  return leaves
}

/** How a column that must become another is described: texts, or bytes without a meaning. */
export function writtenElement({ element, becomes }: Leaf): SchemaElement {
  const { name, repetition_type, field_id } = element
  const text = { converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
  return { type: 'BYTE_ARRAY', name, repetition_type, field_id, ...(becomes === 'text' ? text : {}) }
}
