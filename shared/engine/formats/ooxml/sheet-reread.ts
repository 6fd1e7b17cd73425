import { EngineError } from '../../errors.ts'
import { isoDate } from './styles.ts'

/** What a second reader of worksheets tells about one. */
export type SheetListener = {
  /** What a cell shows; the same as what rules are given for it. */
  cell(text: string): void
  /** A text that no cell shows. */
  hidden(text: string): void
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
        strings.push(text.replace(/\r\n?/g, '\n'))
        text = ''
      }
    }
  }
  return strings
}

/** Reads a worksheet tag by tag, with no part in how it was written. */
export async function rereadSheet(
  stream: AsyncIterable<Buffer>,
  meaning: SheetMeaning,
  to: SheetListener,
): Promise<void> {
  let depth = 0
  let within: string | undefined
  let cell: { type: string; style: number; text: string | undefined; formula: string } | undefined
  for await (const piece of tokens(stream)) {
    for (const token of piece) {
      if (token[0] !== '<') {
        if (within === 'v' || within === 't') cell!.text += plain(token)
        else if (within === 'f') cell!.formula += plain(token)
        else if (/\S/.test(token)) to.hidden(plain(token))
        continue
      }
      const name = tagName.exec(token)?.[1]
      const closes = token[1] === '/'
      const empty = token.endsWith('/>')
      if (name !== undefined && !empty) depth += closes ? -1 : 1
      if (name === 'c') {
        if (closes) {
          endCell(cell!, meaning, to)
          cell = undefined
        } else if (!empty) {
          const type = /\st=["'](\w+)/.exec(token)?.[1] ?? 'n'
          cell = { type, style: Number(/\ss=["'](\d+)/.exec(token)?.[1] ?? 0), text: undefined, formula: '' }
        }
      } else if (cell !== undefined && (name === 'v' || name === 't' || name === 'f' || name === 'is')) {
        within = closes || empty || name === 'is' ? undefined : name
        if (name !== 'f') cell.text ??= ''
      } else if (name === 'rPh') throw new EngineError('corrupt_file', 'A phonetic guide was left in')
    }
  }
  if (depth !== 0) throw new EngineError('corrupt_file', 'A worksheet of the output is not well-formed')
}

function endCell(
  { type, style, text, formula }: { type: string; style: number; text: string | undefined; formula: string },
  { strings, dates, from1904 }: SheetMeaning,
  to: SheetListener,
): void {
  if (formula !== '') to.hidden(formula)
  if (text === undefined || type === 'b' || type === 'e') return
  const value = text.replace(/\r\n?/g, '\n')
  if (value === '') to.cell('')
  else if (type === 's') to.cell(strings[Number(value)] ?? '')
  else if (type !== 'n') to.cell(value)
  else if (dates[style]) to.cell(isoDate(Number(value), from1904) ?? value)
  else {
    const whole = /^-?\d+(?:\.\d+)?E\+?\d+$/i.test(value) && Number.isSafeInteger(Number(value))
    to.cell(whole ? String(Number(value)) : value)
  }
}
