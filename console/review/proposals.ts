import { type Signal, signal } from '@preact/signals'
import type { ProposalPage } from '../../shared/api/reviews.ts'
import type { BoxOnPage } from './boxes.ts'

type ProposedText = ProposalPage['texts'][number]
type Proposed = ProposedText['findings'][number]

/** What was last decided on a finding; null while nobody has. */
export type Verdict = { action: NonNullable<Proposed['decision']>; relabelled: string | null } | null

/** The verdict that a finding comes with. */
export const verdictOf = ({ decision, relabelled }: Pick<Proposed, 'decision' | 'relabelled'>): Verdict =>
  decision && { action: decision, relabelled }

/** One finding of a document, or one value of a column of a table. */
export type Finding = Pick<Proposed, 'id' | 'label' | 'rule' | 'score'> & {
  assetId: string
  value: string
  verdict: Signal<Verdict>
  /** Of a document: the section that shows it. Of a table: its column, how often it stands there, and some rows. */
  section: number
  column: string | null
  count: number
  rows: number[]
  /** Where it stands on the pages of its file, a box for each line; empty where none is known. */
  boxes: BoxOnPage[]
}

/** A part of a text as it is shown, with its findings (offsets in the part). */
export type Piece = {
  textId: string
  place: ProposedText['place']
  /** Characters of the whole text before this part. */
  before: number
  text: string
  marks: { start: number; end: number; finding: Finding }[]
}

/** What is proposed for a file, as far as it has been read; `cursor` leads to the rest. */
export type Proposals = {
  sections: Piece[][]
  findings: Finding[]
  /** Pages of which there are pictures. */
  pages: number
  /** What is not proposed any more. */
  gone: ProposalPage['gone']
  cursor: string | null
}

export const noProposals: Proposals = { sections: [], findings: [], pages: 0, gone: [], cursor: null }

/** Characters that are shown at once, about: a screen or two, whatever the size of the file. */
const SECTION = 6000

/** What was read so far, with one page more. What goes on in the next text of a file is one finding. */
export function withPage({ sections, findings, pages, gone }: Proposals, page: ProposalPage): Proposals {
  const all = [...sections]
  const found = [...findings]
  const known = new Map(found.slice(-1).map(finding => [finding.id, finding]))
  const findingOf = (proposed: Proposed, value: string, { assetId, place: on }: ProposedText): Finding => {
    const boxes = (proposed.boxes ?? []).map(box => ({ page: on.page ?? 1, ...box }))
    const before = known.get(proposed.id)
    before?.boxes.push(...boxes)
    if (before) return before
    const { id, label, rule, score } = proposed
    const place = { section: all.length - 1, column: null, count: 1, rows: [], boxes }
    const finding = { id, label, rule, score, assetId, value, verdict: signal(verdictOf(proposed)), ...place }
    known.set(id, finding)
    found.push(finding)
    return finding
  }
  for (const proposed of page.texts)
    for (const [from, to] of cut(proposed)) {
      const { id: textId, place, offset, text } = proposed
      if (sizeOf(all.at(-1)) + to - from > SECTION || all.length === 0) all.push([])
      const inside = proposed.findings.filter(({ start }) => start >= from && start < to)
      const marks = inside.map(one => {
        const finding = findingOf(one, text.slice(one.start, one.end), proposed)
        return { start: one.start - from, end: one.end - from, finding }
      })
      const piece = { textId, place, before: offset + from, text: text.slice(from, to), marks }
      all[all.length - 1] = [...all.at(-1)!, piece]
    }
  for (const proposed of page.values) {
    const { id, label, rule, score, assetId, value, column, count, rows } = proposed
    const verdict = signal(verdictOf(proposed))
    found.push({ id, label, rule, score, assetId, value, verdict, section: 0, column, count, rows, boxes: [] })
  }
  return {
    sections: all,
    findings: found,
    pages: Math.max(pages, page.pages),
    gone: [...gone, ...page.gone],
    cursor: page.cursor,
  }
}

/** What the end of a text counts besides its characters: the next one begins a line. */
const LINE = 40

const sizeOf = (section: Piece[] = []) => section.reduce((sum, { text }) => sum + text.length + LINE, 0)

/** Where a long text is cut: at the end of a line or a word, and never inside of a finding. */
function cut({ text, findings }: ProposedText): [number, number][] {
  const parts: [number, number][] = []
  let from = 0
  while (text.length - from > SECTION) {
    const window = text.slice(from, from + SECTION)
    const break_ = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' ')) + 1
    let to = from + (break_ > SECTION / 2 ? break_ : SECTION)
    for (const { start, end } of findings) if (start < to && end > to) to = end
    parts.push([from, to])
    from = to
  }
  return from < text.length || parts.length === 0 ? [...parts, [from, text.length]] : parts
}
