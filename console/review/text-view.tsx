import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { TakenDecision } from '../../shared/api/reviews.ts'
import { t } from '../i18n/index.ts'
import { placeOf } from '../screens/findings.tsx'
import type { Finding, Piece } from './proposals.ts'

/** A place in a text that somebody has selected. */
export type Selected = { textId: string; start: number; end: number; value: string }

type Mark = { start: number; end: number; finding?: Finding; label: string }

/** One section of a file: its text with what was found and what was added marked. */
export function TextView({
  section,
  additions,
  current,
  choose,
}: {
  section: Piece[]
  additions: TakenDecision[]
  current: Signal<Finding | undefined>
  choose(finding: Finding): void
}) {
  const view = useRef<HTMLElement>(null)
  useEffect(() => {
    view.current?.querySelector('.current')?.scrollIntoView({ block: 'nearest' })
  }, [current.value, section])
  return (
    <section class="text" ref={view} tabIndex={0} aria-label={t.value.review.text}>
      {section.map((piece, n) => {
        const place = placeOf(piece.place)
        return (
          <div key={`${piece.textId} ${piece.before}`}>
            {n === 0 || place !== placeOf(section[n - 1]!.place) ? <small class="place">{place}</small> : null}
            <p data-text={piece.textId} data-before={piece.before}>
              <Marked piece={piece} additions={additions} current={current} choose={choose} />
            </p>
          </div>
        )
      })}
    </section>
  )
}

function Marked({ piece: { textId, text, before, marks }, additions, current, choose }: MarkedProps) {
  const added = additions.flatMap(({ value, place, label }): Mark[] => {
    if (place?.textId === textId)
      return [{ start: place.start - before, end: place.end - before, label: label! }].filter(
        ({ start, end }) => end > 0 && start < text.length,
      )
    return value === null
      ? []
      : occurrences(text, value).map(start => ({ start, end: start + value.length, label: label! }))
  })
  const found = marks.map(mark => ({ ...mark, label: mark.finding.verdict.value?.relabelled ?? mark.finding.label }))
  const parts = []
  let at = 0
  for (const { start, end, finding, label } of [...found, ...added].toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(at, start)
    if (from >= end) continue
    parts.push(
      text.slice(at, from),
      <mark
        key={from}
        data-label={label}
        class={`${finding ? (finding.verdict.value?.action ?? 'open') : 'added'} ${finding && finding === current.value ? 'current' : ''}`}
        onPointerUp={finding && (() => getSelection()?.isCollapsed && choose(finding))}
      >
        {text.slice(from, end)}
      </mark>,
    )
    at = end
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}

type MarkedProps = {
  piece: Piece
  additions: TakenDecision[]
  current: Signal<Finding | undefined>
  choose(finding: Finding): void
}

/** Where a value stands that is not part of a longer word. */
function occurrences(text: string, value: string): number[] {
  const found: number[] = []
  const isWord = (at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at))
  const parted = (at: number) => !(isWord(at - 1) && isWord(at))
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (parted(at) && parted(at + value.length)) found.push(at)
  return found
}

/** What is selected in one text of the page, without space around it. */
export function selectedText(): Selected | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  const start = range.startContainer.parentElement?.closest<HTMLElement>('[data-text]')
  if (!start?.contains(range.endContainer)) return undefined
  const before = document.createRange()
  before.selectNodeContents(start)
  before.setEnd(range.startContainer, range.startOffset)
  const text = range.toString()
  const value = text.trim()
  if (value === '') return undefined
  const at = Number(start.dataset.before) + before.toString().length + text.indexOf(value)
  return { textId: start.dataset.text!, start: at, end: at + value.length, value }
}
