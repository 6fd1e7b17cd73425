import { aside } from '../../detect/normalise.ts'
import { EngineError } from '../../errors.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeCdata } from '../xml/text.ts'
import { decodeString, encodeString, unescaped } from './escapes.ts'
import { officeNamespaces } from './namespaces.ts'
import { isOffLine } from './raised-styles.ts'
import { cleanItem } from './rich.ts'

/**
 * The content of one string item, ready to be edited. Offsets are those of `source`. Where a part of the text is raised, as
 * numbers of notes are, marks stand around it.
 */
export type RichText = { source: string; runs: SourceRun[]; text: string; prefix: string }

/** The strings that cells of a workbook share, in memory; an item that no cell shows any more is emptied. */
export type SharedStrings = {
  text(index: number): string
  /** The text of an item that is all of one piece, nothing for any other. */
  plain(index: number): string | undefined
  rich(index: number): RichText
  /** Notes that a cell still shows the item as it is. */
  keep(index: number): void
  /** The part without the items that nobody kept. Call when all cells have been written. */
  write(): AsyncGenerator<Buffer>
  /** Items that no cell shows. */
  unused(): number
}

/**
 * Characters that the cells of a sheet may show of shared strings, each use counted, and those left while they are read: a few
 * bytes of a cell may stand for a very long text.
 */
export type Room = { whole: number; left: number }

/** Characters that cells may show of shared strings for each byte of their sheet, and more in all sheets together. */
const shown = { perByte: 64, more: 256 * 1024 * 1024 }

/** The room for a sheet of so many bytes in a workbook of so many sheets. */
export function roomFor(bytes: number, sheets: number): Room {
  const whole = shown.perByte * bytes + shown.more / sheets
  return { whole, left: whole }
}

/** Takes the room of a text that a cell shows. Throws `limit_exceeded` where none is left. */
export function takeRoom(room: Room, text: string): string {
  room.left -= text.length
  if (room.left < 0)
    throw new EngineError('limit_exceeded', 'Cells of the workbook repeat their texts beyond the limit')
  return text
}

const preserved = '<t xml:space="preserve">'
const plainItem = /^<t(?: xml:space="preserve")?>([^<]*)<\/t>$/
const item = /<((?:[A-Za-z_][\w.-]*:)?)si(?:\s[^<>]*?)?(?:\/>|>([\s\S]*?)<\/\1si\s*>)/g
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/**
 * Reads the strings of a workbook, or at least the first so many of them, without what {@link cleanItem} leaves out.
 */
export async function readSharedStrings(
  stream: AsyncIterable<string>,
  least = Number.POSITIVE_INFINITY,
): Promise<SharedStrings> {
  const items: string[] = []
  let head = ''
  let rest = ''
  for await (const piece of stream) {
    rest += piece
    let at = 0
    item.lastIndex = 0
    for (let match = item.exec(rest); match !== null; match = item.exec(rest)) {
      if (items.length === 0) head = rest.slice(0, match.index)
      else if (/\S/.test(rest.slice(at, match.index)))
        throw new EngineError('corrupt_file', 'The shared strings hold something between their items')
      items.push(cleanItem(match[2] ?? '', match[1]!))
      at = item.lastIndex
    }
    rest = rest.slice(at)
    if (items.length >= least) break
  }
  const prefix = /<((?:[\w.-]+:)?)sst[\s>]/.exec(head === '' ? rest : head)?.[1] ?? ''
  const kept = new Uint8Array(items.length)
  const inner = (index: number) => {
    const found = items[index]
    if (found === undefined) throw new EngineError('corrupt_file', 'A cell shows a shared string that is not there')
    return found
  }
  return {
    text: index => richText(inner(index), prefix).text,
    plain: index => plainText(inner(index)),
    rich: index => richText(inner(index), prefix),
    keep(index) {
      inner(index)
      kept[index] = 1
    },
    async *write() {
      if (items.length === 0) {
        yield Buffer.from(rest)
        return
      }
      let out = head
      for (let index = 0; index < items.length; index++) {
        out += kept[index] ? `<${prefix}si>${items[index]}</${prefix}si>` : `<${prefix}si><${prefix}t/></${prefix}si>`
        if (out.length < 65_536) continue
        yield Buffer.from(out)
        out = ''
      }
      yield Buffer.from(`${out}</${prefix}sst>`)
    },
    unused: () => kept.reduce((count, flag) => count - flag, kept.length),
  }
}

function plainText(source: string): string | undefined {
  const start = source.startsWith('<t>') ? 3 : source.startsWith(preserved) ? preserved.length : 0
  return start > 0 && source.indexOf('<', start) === source.length - 4 && source.endsWith('</t>')
    ? decodeString(source.slice(start, -4))
    : undefined
}

/** Reads the inside of a string item or of an inline string. */
export function richText(source: string, prefix: string): RichText {
  const plain = plainItem.exec(source)
  if (plain !== null) {
    const text = decodeString(plain[1]!)
    const start = source.indexOf('>') + 1
    return { source, runs: [{ text, start, end: start + plain[1]!.length, encode: encodeString }], text, prefix: '' }
  }
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
  const before = `<${prefix}si ${declaration}="${mainNamespace}">`
  const whole = `${before}${source}</${prefix}si>`
  const runs: (SourceRun & { raised: boolean })[] = []
  const open: string[] = []
  let raised = false
  scanNamed(
    whole,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        open.push(name)
        if (name === 's:r') raised = false
        else if (name === 's:vertAlign') raised = isOffLine(name, attributes) === true
      },
      close: () => void open.pop(),
      text(start, end, cdata) {
        const raw = whole.slice(start, end)
        if (open.at(-1) !== 's:t') {
          if (/\S/.test(raw)) throw new EngineError('corrupt_file', 'A string of the workbook holds stray text')
          return
        }
        const text = cdata ? unescaped(decodeCdata(raw)) : decodeString(raw)
        runs.push({ text, start: start - before.length, end: end - before.length, encode: encodeString, raised })
      },
    },
    64,
  )
  const marked = runs.every(run => run.raised) ? runs : runs.flatMap(withMarks)
  return { source, runs: marked, text: marked.map(run => run.text).join(''), prefix }
}

/** A run, between marks where it is raised. */
function withMarks(run: SourceRun & { raised: boolean }): SourceRun[] {
  const { start, end, raised } = run
  return raised ? [{ text: aside, start, end: start }, run, { text: aside, start: end, end }] : [run]
}
