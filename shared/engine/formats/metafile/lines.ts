import type { Segment } from '../format.ts'
import type { TextNode } from '../text/text-nodes.ts'
import type { Run } from './drawing.ts'

/** How a text follows the one before: in the same word, as the next word, in the next line, or not at all. */
function following(before: Run, { start, along, height, exact }: Run): '' | ' ' | '\n' | undefined {
  if (before.along.x * along.x + before.along.y * along.y < 0.95) return undefined
  const letter = Math.max(before.height, height)
  const [x, y] = [start.x - before.start.x, start.y - before.start.y]
  const forward = x * before.along.x + y * before.along.y
  const down = y * before.along.x - x * before.along.y
  const gap = forward - before.length
  if (Math.abs(down) < 0.4 * letter) {
    if (gap < (before.exact ? -0.5 * letter : -0.6 * before.length) || gap > 1.5 * letter) return undefined
    return gap > (before.exact && exact ? 0.2 : 0.35) * letter ? ' ' : ''
  }
  // The next line begins somewhere below this one, or below what stands before it in the same line.
  return down > 0 && down < 2 * letter && gap < letter ? '\n' : undefined
}

/** The texts of a metafile as they are read: those that stand in one line or in lines below each other belong together. */
export function nodesOf(texts: readonly { record: number; run: Run }[]): TextNode[] {
  const nodes: TextNode[] = []
  let last: Run | undefined
  for (const { record, run } of texts) {
    if (run.text === '') continue
    const joint = last && following(last, run)
    const segment: Segment = { text: '', place: { kind: 'body' }, visible: true }
    if (joint === undefined) nodes.push({ segment, runs: [] })
    const node = nodes.at(-1)!
    if (joint && !/\s$/.test(node.segment.text)) {
      node.runs.push({ text: joint, start: -1, end: -1 })
      node.segment.text += joint
    }
    node.runs.push({ text: run.text, start: record, end: record + 1, encode: text => text })
    node.segment.text += run.text
    last = run
  }
  return nodes.filter(({ segment }) => /\S/.test(segment.text))
}
