import type { NamedAttribute } from '../xml/names.ts'
import type { PartReading } from './part-state.ts'
import { isOffLine } from './raised-styles.ts'

/** Properties that hide a run or raise it, and how far above them it stands. */
const runProperties = new Map([
  ['w:vanish', 3],
  ['w:vertAlign', 3],
  ['w:position', 3],
  ['w:rStyle', 3],
  ['a:rPr', 2],
])

/** Whether an element is such a property. */
export const isRunProperty = (name: string): boolean => runProperties.has(name)

/** Whether the attributes of a property say that it is not. */
export const isOff = (attributes: readonly NamedAttribute[]): boolean =>
  attributes.some(({ value }) => /^(?:0|false|off)$/.test(value))

/** Notes that the run around a property is hidden or raised, unless that says that it is not. */
export function partRun(
  { stack, context }: PartReading,
  property: string,
  attributes: readonly NamedAttribute[],
): void {
  const run = stack.at(-runProperties.get(property)!)
  if (!/^(?:w:r|a:r|a:fld)$/.test(run?.name ?? '')) return
  const is = (wanted: (attribute: NamedAttribute) => boolean) => attributes.some(wanted)
  if (property === 'w:vanish') run!.isApart ||= !isOff(attributes)
  else if (property === 'w:rStyle') run!.isApart ||= is(({ value }) => context.raised?.has(value) === true)
  else run!.isApart ||= isOffLine(property, attributes) === true
}
