import type { Signal } from '@preact/signals'
import type { TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { afterKey, type BoxOnPage, boxBetween, type Point, pulledTo } from './boxes.ts'

/** Pixels from which on a press of the pointer is no click but draws. */
const DRAG = 5

/** A press of the pointer: where it began, and whether it has become a drag. */
type Press = { from: Point; clientX: number; clientY: number; isDrag: boolean }

type OnPage = TargetedPointerEvent<SVGSVGElement>

/** Where on a page the pointer is. */
function pointOf({ currentTarget, clientX, clientY }: OnPage): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

/** Draws a box by dragging the pointer over a page; `take` gets it at the end. A click pulls a corner of it. */
export function useDrawing(page: number, drawn: Signal<BoxOnPage | undefined>, take: (box: BoxOnPage) => void) {
  const press = useRef<Press | undefined>(undefined)
  const end = () => {
    const ended = press.current
    press.current = undefined
    return ended
  }
  return {
    onPointerDown: (event: OnPage) => {
      const { button, isPrimary, clientX, clientY } = event
      if (button === 0 && isPrimary) press.current = { from: pointOf(event), clientX, clientY, isDrag: false }
    },
    onPointerMove: (event: OnPage) => {
      const { buttons, pointerId, clientX, clientY, currentTarget } = event
      if (buttons === 0) end()
      const now = press.current
      if (!now) return
      if (!now.isDrag) {
        if (Math.hypot(clientX - now.clientX, clientY - now.clientY) < DRAG) return
        // From here on what is under the pointer is told nothing: no finding is chosen at the end.
        currentTarget.setPointerCapture(pointerId)
        now.isDrag = true
      }
      drawn.value = boxBetween(page, now.from, pointOf(event))
    },
    onPointerUp: (event: OnPage) => {
      const ended = end()
      if (!ended || !drawn.value) return
      if (ended.isDrag) take(drawn.value)
      else drawn.value = pulledTo(drawn.value, pointOf(event))
    },
    // The browser scrolls instead.
    onPointerCancel: () => {
      if (end()?.isDrag) drawn.value = undefined
    },
  }
}

/** What keys do with a box on the page that has the focus: arrows change its place or size, Enter and Escape end it. */
export function onDrawingKey(
  event: KeyboardEvent,
  drawn: Signal<BoxOnPage | undefined>,
  take: (box: BoxOnPage) => void,
): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event
  const box = drawn.value
  if (!box || ctrlKey || metaKey || altKey) return
  const next = afterKey(box, key, shiftKey)
  if (!next && key !== 'Enter' && key !== 'Escape') return
  event.preventDefault()
  event.stopPropagation()
  if (key === 'Enter') take(box)
  else drawn.value = next
}
