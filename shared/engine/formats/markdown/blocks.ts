/** Where a paragraph, a heading, a list item or a row of a table stands in Markdown, without the signs that begin it. */
export type Block = { start: number; end: number }

const quotes = /(?:[ \t]*>)*[ \t]*/y
const fences = /^(?:(`{3,})[^`]*|(~{3,}).*)$/
const beginnings = /^(?:#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t])+/
const frontMatter = /^(---|\+\+\+)[ \t]*\r?\n[\s\S]*?\n\1[ \t]*\r?\n/
const rules = /^(?:-+|=+|(?:[*_-][ \t]*){3,})[ \t]*$/

/** The blocks of a text; fenced code and what stands in front of the text, for programs, is none. */
export function* blocksOf(text: string): Generator<Block> {
  let block: Block | undefined
  let fence = ''
  for (let at = frontMatter.exec(text)?.[0].length ?? 0; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    quotes.lastIndex = at
    const start = at + quotes.exec(text)![0].length
    const line = text.slice(start, end).trimEnd()
    const [, ticks, tildes] = fences.exec(line) ?? []
    const begun = beginnings.exec(line)?.[0]
    const isAlone = line.includes('|') || line.startsWith('#')
    const isCode = fence !== '' || ticks !== undefined || tildes !== undefined
    if (block && (isCode || isAlone || begun !== undefined || line === '' || rules.test(line))) {
      yield block
      block = undefined
    }
    if (fence !== '') fence = line.startsWith(fence) && /^[`~]+$/.test(line) ? '' : fence
    else if (isCode) fence = ticks ?? tildes!
    else if (line !== '' && !rules.test(line)) {
      block = { start: block?.start ?? start + (begun?.length ?? 0), end }
      if (isAlone) {
        yield block
        block = undefined
      }
    }
    at = end + 1
  }
  if (block) yield block
}
