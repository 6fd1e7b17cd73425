import type { TakenDecision } from '../../shared/api/reviews.ts'

/** A rectangle on a page, counted from 1: shares of the page's width and height, from its top left. */
export type BoxOnPage = NonNullable<TakenDecision['box']>

/** A place on a page, in the same shares. */
export type Point = { x: number; y: number }

/** The narrowest that a box gets, as a share of a side of the page. */
const NARROWEST = 0.005

/** As far as a key moves a box, or one of its sides. */
const MOVE = 0.01
const GROW = 0.005

/** A box in the middle of a page, for keys to begin with. */
export const middleOf = (page: number): BoxOnPage => ({ page, left: 0.4, top: 0.48, right: 0.6, bottom: 0.52 })

const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const within = (low: number, share: number, high: number) => Math.min(high, Math.max(low, share))

/** Two shares in order, at least the narrowest apart. */
function side(one: number, other: number): [number, number] {
  const low = within(0, Math.min(one, other), 1 - NARROWEST)
  return [rounded(low), rounded(within(low + NARROWEST, Math.max(one, other), 1))]
}

/** The box with two opposite corners. */
export function boxBetween(page: number, one: Point, other: Point): BoxOnPage {
  const [[left, right], [top, bottom]] = [side(one.x, other.x), side(one.y, other.y)]
  return { page, left, top, right, bottom }
}

/** The box with its nearest corner pulled to a point. */
export function pulledTo({ page, left, top, right, bottom }: BoxOnPage, { x, y }: Point): BoxOnPage {
  const far = (low: number, high: number, to: number) => (Math.abs(to - low) < Math.abs(to - high) ? high : low)
  return boxBetween(page, { x, y }, { x: far(left, right, x), y: far(top, bottom, y) })
}

const ways: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The box after an arrow key: moved, or with Shift made larger or smaller; `undefined` for other keys. */
export function afterKey(box: BoxOnPage, key: string, isShift: boolean): BoxOnPage | undefined {
  const way = ways[key]
  if (!way) return undefined
  const { page, left, top, right, bottom } = box
  if (isShift) {
    const corner = { x: Math.max(left, right + way.x * GROW), y: Math.max(top, bottom + way.y * GROW) }
    return boxBetween(page, { x: left, y: top }, corner)
  }
  const [x, y] = [within(-left, way.x * MOVE, 1 - right), within(-top, way.y * MOVE, 1 - bottom)]
  return boxBetween(page, { x: left + x, y: top + y }, { x: right + x, y: bottom + y })
}
