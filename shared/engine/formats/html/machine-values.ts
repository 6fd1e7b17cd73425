import { type Entailed, entailedWithin } from '../text/entailed.ts'
import type { Patch } from '../text/text-nodes.ts'
import { htmlTags } from './names.ts'
import { isEmpty } from './tags.ts'

/** Attributes that hold for programs what the element shows to people, or say how it is computed. */
const holding =
  /^(?:sdval|x:(?:num|str|fmla|date)|datetime|data-(?:sheets-(?:value|formula)|(?:sort|order)(?:-?value)?|value|date|time|timestamp))$/

/** Elements that the attribute `value` is one of such on. */
const valued = new Set(['data', 'meter', 'progress'])

const words = (text: string) => text.split(/\s+/)

/** Elements within which no tag ends one around them: for the parts of tables, and for all others. */
const tables = new Set(['table', 'template'])
const cells = new Set([...tables, ...words('td th caption button object foreignobject')])

/** What ends where an element begins, as its end may be left out, and within what. */
type Ending = { ended: ReadonlySet<string>; within: ReadonlySet<string> }

const endings = new Map<string, Ending>()
function addEnding(tags: string, ended: string, within: Iterable<string>): void {
  for (const tag of words(tags)) endings.set(tag, { ended: new Set(words(ended)), within: new Set(within) })
}
addEnding(
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp`,
  'p',
  cells,
)
addEnding('li', 'p li', [...cells, ...words('ul ol menu dir')])
addEnding('dt dd', 'p dt dd', [...cells, 'dl'])
addEnding('option', 'option', [...cells, 'select'])
addEnding('optgroup', 'option optgroup', [...cells, 'select'])
addEnding('rt rp', 'rt rp', [...cells, 'ruby'])
addEnding('td th caption', 'td th caption', tables)
addEnding('tr', 'td th caption tr', tables)
addEnding('thead tbody tfoot', 'td th caption tr thead tbody tfoot', tables)

/** Levels of elements that are told apart. */
const mostLevels = 128

/** Keeps what elements hold for programs together with the text that they show. */
export type MachineValues = {
  /** Told of each attribute with a value, from its name to behind the mark that ends it. */
  attribute(tag: string, name: string, start: number, end: number): void
  /** Told of each tag that begins, behind its attributes, and of each that ends. */
  open(tag: string, isSelfClosed: boolean): void
  close(tag: string): void
  /** What goes with a text that is shown here. */
  around(): Entailed | undefined
}

/** Starts with no element open. */
export function machineValues(): MachineValues {
  const stack: { tag: string; also: Entailed | undefined }[] = []
  /** How many of each name are open, so that most tags that end nothing are told without a search. */
  const open = new Map<string, number>()
  const countOf = (tag: string) => open.get(tag) ?? 0
  let own: Patch[] = []
  const closeFrom = (from: number) => {
    while (stack.length > from) {
      const { tag } = stack.pop()!
      const left = countOf(tag) - 1
      if (left > 0) open.set(tag, left)
      else open.delete(tag)
    }
  }
  /** Ends the outermost element of such names in the innermost of others. */
  const end = ({ ended, within }: Ending) => {
    let left = 0
    for (const tag of ended) left += countOf(tag)
    let from = stack.length
    for (let at = from - 1; left > 0; at--) {
      const { tag } = stack[at]!
      if (ended.has(tag)) {
        from = at
        left--
      } else if (within.has(tag)) break
    }
    closeFrom(from)
  }
  return {
    attribute(tag, name, start, end) {
      if (holding.test(name) || (name === 'value' && valued.has(tag))) own.push({ start, end, text: '' })
    },
    open(tag, isSelfClosed) {
      const ending = endings.get(tag)
      if (ending !== undefined) end(ending)
      // HTML's own elements go on behind such a tag.
      if (!isEmpty(tag) && !(isSelfClosed && !htmlTags.has(tag))) {
        const around = stack.at(-1)?.also
        if (stack.length === mostLevels) closeFrom(mostLevels - 1)
        stack.push({ tag, also: own.length > 0 ? entailedWithin(around, own) : around })
        open.set(tag, countOf(tag) + 1)
      }
      if (own.length > 0) own = []
    },
    close(tag) {
      if (countOf(tag) === 0) return
      const within = tag === 'table' ? tables : (endings.get(tag)?.within ?? cells)
      for (let at = stack.length - 1; at >= 0; at--) {
        const name = stack[at]!.tag
        if (name === tag) return closeFrom(at)
        if (within.has(name)) return
      }
    },
    around: () => stack.at(-1)?.also,
  }
}
