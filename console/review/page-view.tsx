import type { Signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PagePicture } from '../../shared/api/reviews.ts'
import { call } from '../api.ts'
import { numberOf, t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Pending } from '../ui/pending.tsx'
import type { BoxOnPage } from './boxes.ts'
import { onDrawingKey, useDrawing } from './drawing.ts'
import { additionsTo, type OpenReview } from './open-review.ts'
import type { Finding } from './proposals.ts'
import { Steps } from './steps.tsx'

/** The page that is shown, from 1, and the box that is being drawn on it. */
export type Sheet = { page: Signal<number>; drawn: Signal<BoxOnPage | undefined> }

type PageViewProps = {
  review: OpenReview
  sheet: Sheet
  current: Signal<Finding | undefined>
  choose(finding: Finding): void
  /** Asks what stands in a box. */
  take(box: BoxOnPage): void
}

/** Widths of the picture, in parts of the room that there is. */
const sizes = [1, 1.5, 2, 3, 4]

/** The pages of a file as pictures, one at a time, with boxes over what was found and added. More can be drawn. */
export function PageView(props: PageViewProps) {
  const { review, sheet, current } = props
  const words = t.value.review
  const { pages, cursor } = review.proposals.value
  const [size, setSize] = useState(1)
  const page = sheet.page.value
  const turnTo = (other: number) => {
    sheet.page.value = other
  }
  const names = useMemo(() => Array.from({ length: pages }, (_, n) => words.pageOf(n + 1, pages)), [pages, words])
  const isAddedUnseen = additionsTo(review).some(({ box }) => !box)
  return (
    <>
      <div class="row">
        {pages > 1 ? <Steps label={words.page} names={names} at={page - 1} go={at => turnTo(at + 1)} /> : null}
        <select aria-label={words.size} value={size} onChange={event => setSize(Number(event.currentTarget.value))}>
          {sizes.map(one => (
            <option key={one} value={one}>
              {numberOf(one * 100)} %
            </option>
          ))}
        </select>
      </div>
      <Whereabouts finding={current.value} {...{ page, pages, turnTo }} />
      <Picture key={page} page={page} size={size} {...props} />
      <p class="muted">
        {words.drawNote} {isAddedUnseen ? words.addedUnseen : null}{' '}
        {cursor && !review.isReading.value ? words.foundUnread : null}
      </p>
    </>
  )
}

/** Says where the finding that is current stands, if that is not on the page that is shown. */
function Whereabouts({ finding, page, pages, turnTo }: WhereaboutsProps) {
  const words = t.value.review
  if (!finding || finding.boxes.some(box => box.page === page)) return null
  const box = finding.boxes.find(box => box.page <= pages)
  if (!box) return <p class="muted">{words.nowhere}</p>
  return (
    <button type="button" class="plain" onClick={() => turnTo(box.page)}>
      {words.elsewhere(box.page)}
    </button>
  )
}

type WhereaboutsProps = { finding: Finding | undefined; page: number; pages: number; turnTo(page: number): void }

/** The picture of a page with its boxes; the list of findings says the same in words. */
function Picture({ review, sheet: { drawn }, page, size, current, choose, take }: PictureProps) {
  const words = t.value.review
  const view = useRef<HTMLElement>(null)
  const { findings, pages } = review.proposals.value
  const loaded = useLoad(
    () => call('jobs', 'page', { job_id: review.job_id, query: { assetId: review.assetId.value, page } }),
    [],
  )
  const { data } = loaded
  const found = useMemo(() => findings.filter(({ boxes }) => boxes.some(box => box.page === page)), [findings, page])
  const draws = useDrawing(page, drawn, take)
  useInSight(view, { current, drawn }, data, size)
  if (!data) return <Pending of={loaded} what={words.pageOf(page, pages)} />
  const { width, height, picture } = data
  const added = additionsTo(review).flatMap(({ n, box, label }) => (box?.page === page ? { n, box, label } : []))
  return (
    <>
      <section
        class={drawn.value ? 'sheet drawing' : 'sheet'}
        ref={view}
        tabIndex={0}
        // Programs that read the screen pass the arrows on.
        role={drawn.value ? 'application' : undefined}
        aria-label={words.picture(page, pages, found.length)}
        onKeyDown={event => onDrawingKey(event, drawn, take)}
      >
        <svg width={`${size * 100}%`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" {...draws}>
          <image href={`data:image/jpeg;base64,${picture}`} width={width} height={height} />
          {found.map(finding => (
            <Found key={finding.id} {...{ finding, page, width, height, current, choose }} />
          ))}
          {added.map(({ n, box, label }) => (
            <Rectangle key={n} {...{ box, width, height }} class="box added" title={label!} />
          ))}
          {drawn.value ? <Rectangle box={drawn.value} {...{ width, height }} class="box drawn" title="" /> : null}
        </svg>
      </section>
      <p role="status" class="muted">
        {drawn.value ? `${words.boxAt(percentsOf(drawn.value))} ${words.drawKeys}` : null}
      </p>
    </>
  )
}

type PictureProps = PageViewProps & { page: number; size: number }

/** Keeps in sight what is current and the box that is drawn; the page has the focus while there is one. */
function useInSight(
  view: RefObject<HTMLElement | null>,
  { current, drawn }: Pick<PageViewProps, 'current'> & Pick<Sheet, 'drawn'>,
  data: PagePicture | undefined,
  size: number,
): void {
  const show = (which: string) => {
    view.current?.querySelector(which)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  useEffect(() => show('.current'), [current.value, data, size])
  useEffect(() => show('.drawn'), [drawn.value, data, size])
  useEffect(() => {
    if (drawn.value) view.current?.focus({ preventScroll: true })
  }, [drawn.value, data])
  useEffect(
    () => () => {
      drawn.value = undefined
    },
    [],
  )
}

/** Where a box begins and ends, in percent of the page. */
const percentsOf = ({ left, top, right, bottom }: BoxOnPage) =>
  [left, top, right, bottom].map(share => numberOf(share * 100))

/** The boxes of one finding. */
function Found({ finding, page, width, height, current, choose }: FoundProps) {
  const { boxes, value, label, verdict } = finding
  const decided = verdict.value
  const name = `box ${decided?.action ?? 'open'} ${finding === current.value ? 'current' : ''}`
  const title = `${decided?.relabelled ?? label}: ${value}`
  return (
    <g onPointerUp={() => choose(finding)}>
      {boxes
        .filter(box => box.page === page)
        .map(box => (
          <Rectangle key={`${box.left} ${box.top}`} {...{ box, width, height, title }} class={name} />
        ))}
    </g>
  )
}

type FoundProps = Pick<PictureProps, 'page' | 'current' | 'choose'> & {
  finding: Finding
  width: number
  height: number
}

/** A box on a picture of so many pixels; the pointer shows its title. */
function Rectangle({ box: { left, top, right, bottom }, width, height, class: name, title }: RectangleProps) {
  return (
    <rect
      class={name}
      x={left * width}
      y={top * height}
      width={(right - left) * width}
      height={(bottom - top) * height}
    >
      <title>{title}</title>
    </rect>
  )
}

type RectangleProps = { box: BoxOnPage; width: number; height: number; class: string; title: string }
