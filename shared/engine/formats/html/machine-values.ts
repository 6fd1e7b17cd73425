import type { Patch, SourceRun } from '../text/text-nodes.ts'
import { isEmpty } from './tags.ts'

/** Attributes that hold for programs what the element shows to people, or say how it is computed. */
const holding =
  /^(?:sdval|x:(?:num|str|fmla|date)|datetime|data-(?:sheets-(?:value|formula)|(?:sort|order)(?:-?value)?|value|date|time|timestamp))$/

/** Elements that the attribute `value` is one of such on. */
const valued = new Set(['data', 'meter', 'progress'])

/** What ends where such an element begins, as its end may be left out. */
const ending: Readonly<Record<string, readonly string[]>> = {
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['td', 'th', 'tr'],
}

/** Elements that are open and have such attributes: those of a name as one, with how many of that name are open since. */
type Open = Map<string, { depth: number; patches: Patch[] }>

/** Keeps what elements hold for programs together with the text that they show. */
export type MachineValues = {
  /** Told of each attribute with a value, from its name to behind the mark that ends it. */
  attribute(tag: string, name: string, start: number, end: number): void
  /** Told of each tag that begins, behind its attributes, and of each that ends. */
  open(tag: string): void
  close(tag: string): void
  /** What goes with a text that is shown here. */
  around(): SourceRun['also']
}

/** Starts with no element open. */
export function machineValues(): MachineValues {
  const elements: Open = new Map()
  let own: Patch[] = []
  let around: Patch[][] | undefined
  const changed = () => {
    around = elements.size === 0 ? undefined : [...elements.values()].map(({ patches }) => patches)
  }
  return {
    attribute(tag, name, start, end) {
      if (holding.test(name) || (name === 'value' && valued.has(tag))) own.push({ start, end, text: '' })
    },
    open(tag) {
      if (elements.size === 0 && own.length === 0) return
      for (const ended of ending[tag] ?? []) elements.delete(ended)
      const same = elements.get(tag)
      if (same !== undefined) {
        same.depth++
        // Kept apart for each of them, these would be as many as elements are nested.
        same.patches.push(...own)
      } else if (own.length > 0 && !isEmpty(tag)) elements.set(tag, { depth: 1, patches: own })
      own = []
      changed()
    },
    close(tag) {
      const element = elements.get(tag)
      if (element === undefined || --element.depth > 0) return
      elements.delete(tag)
      changed()
    },
    around: () => around,
  }
}
