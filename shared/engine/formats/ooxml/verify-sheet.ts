import { EngineError } from '../../errors.ts'
import { withoutFunctions } from './formulas.ts'
import { isoDate } from './styles.ts'

/** What a second reader of worksheets tells about one. */
export type SheetListener = {
  /** What a cell shows; the same as what rules are given for it. */
  cell(text: string): void
  /** A text that no cell shows. */
  hidden(text: string): void
  /** The XML before and after the rows, with the tags of their element, in pieces. */
  around(source: string): void
}

/** What the values of cells are read with. */
export type SheetMeaning = { strings: readonly string[]; dates: readonly boolean[]; from1904: boolean }

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
      : (entities[name] ?? ''),
  )
}

/** Characters that workbooks write as `_x000D_`. */
function shown(text: string): string {
  if (!text.includes('_x') && !text.includes('\r')) return text
  const value = text.replace(/\r\n?/g, '\n')
  return value.replace(/_x(?:000[dD]_(?:\n|_x000[aA]_)?|([0-9A-Fa-f]{4})_)/g, (_, hex = '000a') => {
    const code = Number.parseInt(hex, 16)
    return code < 32 && code !== 9 && code !== 10 ? '\ufffd' : String.fromCharCode(code)
  })
}

/** Splits a stream of XML text into tags (`<...>`) and the texts between them, one piece at a time. */
async function* tokens(stream: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of stream) {
    rest += decoder.decode(piece, { stream: true })
    const cut = rest.lastIndexOf('>') + 1
    if (cut === 0) continue
    yield rest.slice(0, cut).split(/(?<=>)|(?=<)/)
    rest = rest.slice(cut)
  }
  if (/\S/.test(rest + decoder.decode())) throw new EngineError('corrupt_file', 'A part of the output ends too early')
}

const tagName = /^<\/?(?:[\w.-]+:)?([\w.-]+)/

/** Reads the items of a part of shared strings, phonetic guides left aside. */
export async function rereadStrings(stream: AsyncIterable<Buffer>): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let inText = false
  for await (const piece of tokens(stream)) {
    for (const token of piece) {
      if (token[0] !== '<') {
        if (inText) text += plain(token)
        continue
      }
      const name = tagName.exec(token)?.[1]
      if (name === 't') inText = token[1] !== '/' && !token.endsWith('/>')
      else if (name === 'rPh') throw new EngineError('corrupt_file', 'A phonetic guide was left in')
      else if (name === 'si' && (token[1] === '/' || token.endsWith('/>'))) {
        strings.push(shown(text))
        text = ''
      }
    }
  }
  return strings
}

/** What a second reader does with each tag, and with the text before it. */
type Cell = { type: string; style: number; text: string | undefined; formula: string }

/** Values of attributes of the start tag of a cell; the name is given as ` name=`. */
const attribute = (tag: string, name: string): string | undefined => {
  const at = tag.indexOf(name)
  if (at < 0) return undefined
  const start = at + name.length + 1
  return tag.slice(start, tag.indexOf(tag[start - 1]!, start))
}

/** Where a text begins that is perhaps all that a cell holds, from the end of its start tag on; otherwise 0. */
function soleText(text: string, from: number): number {
  if (text.startsWith('<v>', from)) return from + 3
  if (text.startsWith('<is><t xml:space="preserve">', from)) return from + 28
  return text.startsWith('<is><t>', from) ? from + 7 : 0
}

/** Whether a piece of text is nothing but white space. */
const isBlank = (text: string) => text === '' || !/\S/.test(text)

/** Reads a worksheet tag by tag, with no part in how it was written. */
export async function rereadSheet(
  stream: AsyncIterable<Buffer>,
  meaning: SheetMeaning,
  to: SheetListener,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let depth = 0
  let within: string | undefined
  let cell: Cell | undefined
  let rest = ''
  let inRows = false
  let seenRows = false
  for await (const piece of stream) {
    let outside = 0
    const text = rest + decoder.decode(piece, { stream: true })
    let at = 0
    for (;;) {
      const open = text.indexOf('<', at)
      const close = open < 0 ? -1 : text.indexOf('>', open)
      if (close < 0) break
      const before = text.slice(at, open)
      at = close + 1
      if (within === 'f') cell!.formula += plain(before)
      else if (within !== undefined) cell!.text += plain(before)
      else if (!isBlank(before)) to.hidden(plain(before))
      const closes = text.charCodeAt(open + 1) === 47
      const empty = text.charCodeAt(close - 1) === 47
      let end = open + (closes ? 2 : 1)
      let start = end
      for (; end < close; end++) {
        const code = text.charCodeAt(end)
        if (code === 58) start = end + 1
        else if (code <= 32 || code === 47) break
      }
      const name = text.slice(start, end)
      const marks = text.charCodeAt(open + 1)
      if (marks !== 63 && marks !== 33 && !empty) depth += closes ? -1 : 1
      if (name === 'sheetData' && !empty) {
        if (closes) outside = open
        else {
          if (seenRows) throw new EngineError('corrupt_file', 'A worksheet of the output has rows in two places')
          to.around(text.slice(outside, at))
        }
        seenRows = true
        inRows = !closes
      } else if (name === 'c') {
        if (closes) {
          if (!cell || within !== undefined) throw illFormed()
          endCell(cell, meaning, to)
          cell = undefined
        } else if (!empty) {
          const tag = text.slice(open, close)
          const type = attribute(tag, ' t=') ?? 'n'
          cell = { type, style: Number(attribute(tag, ' s=') ?? 0), text: undefined, formula: '' }
          const begin = within === undefined ? soleText(text, at) : 0
          const stop = begin === 0 ? -1 : text.indexOf('<', begin)
          const closing = text.charCodeAt(at + 1) === 118 ? '</v></c>' : '</t></is></c>'
          if (stop >= 0 && text.startsWith(closing, stop)) {
            cell.text = plain(text.slice(begin, stop))
            endCell(cell, meaning, to)
            cell = undefined
            at = stop + closing.length
            depth--
          }
        }
      } else if (cell !== undefined && (name === 'v' || name === 't' || name === 'f' || name === 'is')) {
        within = closes || empty || name === 'is' ? undefined : name
        if (name !== 'f') cell.text ??= ''
      } else if (name === 'rPh') throw new EngineError('corrupt_file', 'A phonetic guide was left in')
    }
    if (!inRows) to.around(text.slice(outside, at))
    rest = text.slice(at)
  }
  if (!isBlank(rest + decoder.decode())) throw new EngineError('corrupt_file', 'A part of the output ends too early')
  if (depth !== 0) throw illFormed()
}

const illFormed = () => new EngineError('corrupt_file', 'A worksheet of the output is not well-formed')

function endCell(
  { type, style, text, formula }: { type: string; style: number; text: string | undefined; formula: string },
  { strings, dates, from1904 }: SheetMeaning,
  to: SheetListener,
): void {
  if (formula !== '') to.hidden(withoutFunctions(formula))
  if (text === undefined || type === 'b' || type === 'e') return
  const value = shown(text)
  if (value === '') to.cell('')
  else if (type === 's') to.cell(strings[Number(value)] ?? '')
  else if (type !== 'n') to.cell(value)
  else if (dates[style]) to.cell(isoDate(Number(value), from1904) ?? value)
  else {
    const whole = /^-?\d+(?:\.\d+)?E\+?\d+$/i.test(value) && Number.isSafeInteger(Number(value))
    to.cell(whole ? String(Number(value)) : value)
  }
}
