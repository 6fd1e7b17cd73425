import { wrapMark } from '../../../detect/normalise.ts'
import type { Seam, SegmentSeam } from '../../format.ts'
import { endsInAddress, mayBreak } from './forced-wraps.ts'
import { softHyphen } from './normalise-text.ts'
import type { EdgeLine, PageEdges } from './page-edges.ts'
import { jointOf, known } from './unspaced.ts'

/** A text of a page and its edges, where they are known. */
export type Edged = { text: string; edges?: PageEdges }

/** What two pages in a row say over their border; where its parts begin in their texts. */
export type PageSeam = { seam: Seam; end: SegmentSeam; beginning: SegmentSeam }

/** Lines of either page that are read, and most of their characters. */
const most = { lines: 4, characters: 400 }

/**
 * The end of a page and the beginning of the next one as one text: where the first goes down to its bottom and the second begins at
 * its top, in letters of one size. `around`: pages before and behind them, which tell what runs along with the text, as headers do.
 */
export const seamOf = (
  upper: Edged | undefined,
  lower: Edged | undefined,
  around: readonly (Edged | undefined)[],
): PageSeam | undefined => {
  if (!upper?.edges || !lower?.edges) return undefined
  const isBody = (page: Edged) => (line: EdgeLine) =>
    !isPageNumber(line, page) && !around.some(other => other && other !== page && runsAlong(line, page, other))
  const lasts = upper.edges.last.filter(isBody(upper))
  const firsts = lower.edges.first.filter(isBody(lower))
  const pair = pairOf(lasts, firsts, upper.edges)
  if (!pair || !isLow(pair.last, upper.edges) || !isHigh(pair.first, lower.edges)) return undefined
  return join(upper, lasts.slice(0, pair.lasts), lower, firsts.slice(pair.firsts))
}

/** Share of a page's height within which a text that goes on ends at its bottom and begins at its top. */
const margin = 0.35
const isLow = ({ y }: EdgeLine, { top, bottom }: PageEdges) => y - bottom < margin * (top - bottom)
const isHigh = ({ y }: EdgeLine, { top, bottom }: PageEdges) => top - y < margin * (top - bottom)

const compareSizes = (one: EdgeLine, other: EdgeLine, { sameSize }: PageEdges): number => {
  const difference = one.size - other.size
  return Math.abs(difference) <= sameSize * Math.max(one.size, other.size) ? 0 : difference
}

/** The last line and the first one of the same size; what is smaller, as notes are, is stepped over, a heading is not. */
function pairOf(lasts: readonly EdgeLine[], firsts: readonly EdgeLine[], edges: PageEdges) {
  const compare = (one: EdgeLine, other: EdgeLine) => compareSizes(one, other, edges)
  const [bottom, top] = [lasts.at(-1), firsts[0]]
  if (!bottom || !top) return undefined
  const larger = compare(bottom, top)
  if (larger === 0) return { last: bottom, first: top, lasts: lasts.length, firsts: 0 }
  if (larger < 0) {
    const at = lasts.findLastIndex(line => compare(line, top) >= 0)
    const last = lasts[at]
    return last && compare(last, top) === 0 ? { last, first: top, lasts: at + 1, firsts: 0 } : undefined
  }
  const at = firsts.findIndex(line => compare(line, bottom) >= 0)
  const first = firsts[at]
  return first && compare(first, bottom) === 0 ? { last: bottom, first, lasts: lasts.length, firsts: at } : undefined
}

const said = ({ text }: Edged, { from, to }: EdgeLine): string => text.slice(from, to)

/** Numbers that are written in Chinese; names and addresses have them as well. */
const numerals = '一二三四五六七八九十百'
const digit = String.raw`[\p{N}${numerals}]`
const number = new RegExp(`\\p{N}+|第[${numerals}]+|[${numerals}]+(?=[页頁章节節回部])`, 'gu')
const withoutNumbers = (text: string): string => text.replace(number, '0').replace(/\s+/gu, ' ')
const letter = /\p{L}/u

/** Whether a line stands at the same place of another page as well, but for its numbers. */
function runsAlong(line: EdgeLine, own: Edged, page: Edged): boolean {
  const text = withoutNumbers(said(own, line))
  if (!page.edges || !letter.test(text)) return false
  const isNear = (one: number, other: number) => Math.abs(one - other) <= page.edges!.samePlace * line.size
  const isSame = (other: EdgeLine) =>
    isNear(line.y, other.y) &&
    (isNear(line.left, other.left) ||
      isNear(line.right, other.right) ||
      isNear(line.left + line.right, other.left + other.right)) &&
    withoutNumbers(said(page, other)) === text
  return page.edges.first.some(isSame) || page.edges.last.some(isSame)
}

/** Words before the number of a page, behind it, and between it and how many there are. */
const pageWord =
  'p|pp|pg|page|seite|s|bl|blatt|página|pagina|pág|pag|strona|str|strana|sida|sid|side|sivu|oldal|blad|bladzijde|blz|σελίδα|стр|หน้า(?:ที่)?|第|페이지'
const behind = String.raw`(?:\s*(?:页|頁|ページ|面|쪽|페이지))?`
const ofAll = String.raw`\/|of|von|sur|de|di|van|z|ze|av|af|od|из|共|全|จาก|중`
const framing = String.raw`[-–—|~〜·・\s[\]()〔〕【】]*`
/** The number of a page; four digits alone are rather a year, or the end of a number. */
const pageNumber = new RegExp(
  `^${framing}(?:(?:${pageWord})\\.?\\s*${digit}{1,5}|${digit}{1,3}|[ivxlc]{1,7})${behind}(?:[\\s,、]*(?:${ofAll})\\s*${digit}{1,5}${behind})?${framing}$`,
  'iu',
)
/** How far a number of a page stands from the text, in heights of its letters. */
const clear = 1.6

/** Whether a line is the number of its page: alone above or below all others. */
function isPageNumber(line: EdgeLine, page: Edged): boolean {
  if (!pageNumber.test(said(page, line))) return false
  const { first, last } = page.edges!
  const others = [...first, ...last].filter(({ from }) => from !== line.from)
  const away = clear * line.size
  return others.every(({ y }) => y - line.y > away) || others.every(({ y }) => line.y - y > away)
}

/** As many of the last lines as are read, which stand one behind the other in the text. */
const endOf = (lines: readonly EdgeLine[]): EdgeLine[] => lines.slice(-most.lines)
const inWord = /[\p{L}\p{N}]/u

function join(upper: Edged, lasts: readonly EdgeLine[], lower: Edged, firsts: readonly EdgeLine[]): PageSeam {
  const [above, below] = [endOf(lasts), firsts.slice(0, most.lines)]
  const to = above.at(-1)!.to
  const from = Math.max(above[0]!.from, to - most.characters)
  const begin = below[0]!.from
  const end = Math.min(below.at(-1)!.to, begin + most.characters)
  // Neither side begins or ends a text that goes on there.
  const head = from > 0 ? '\n' : ''
  const tail = end < lower.text.length ? '\n' : ''
  const [one, other] = [head + upper.text.slice(from, to), lower.text.slice(begin, end) + tail]
  const between = betweenPages(upper, lasts, lower, firsts)
  const seam = { text: one + between + other, ends: one.length, begins: one.length + between.length }
  return {
    seam,
    end: { seam, side: 'end', at: from - head.length },
    beginning: { seam, side: 'beginning', at: begin },
  }
}

/** What stands between two lines on two pages that go on, as between two on one page. */
function betweenPages(upper: Edged, lasts: readonly EdgeLine[], lower: Edged, firsts: readonly EdgeLine[]): string {
  const [line, next] = [lasts.at(-1)!, firsts[0]!]
  const [last = '', first = ''] = [upper.text[line.to - 1], lower.text[next.from]]
  if (last === '-' && inWord.test(upper.text[line.to - 2] ?? '') && inWord.test(first)) return softHyphen
  const far = Math.max(...lasts.map(({ right }) => right))
  const word = lower.text.slice(next.from, next.to).search(/\s|$/u) * ((next.right - next.left) / (next.to - next.from))
  const reaches = line.right - line.left >= 0.85 * (far - line.left) || line.right + word > far
  const whole = upper.text.slice(line.from, line.to)
  const isWrap = mayBreak(last, first) && (endsInAddress(whole) || (reaches && !/\s/u.test(whole)))
  if (isWrap) return `${reaches ? ' ' : '\n'}${wrapMark}`
  return reaches
    ? jointOf(upper.text.slice(Math.max(0, line.to - known), line.to), lower.text.slice(next.from, next.from + known))
    : '\n'
}
