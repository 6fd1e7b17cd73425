import type { Expected, Place, Segment } from '../formats/format.ts'
import { textDigest } from '../verify/digest.ts'
import type { TextJoiner } from '../verify/joined-texts.ts'
import type { RemovedValues } from '../verify/removed-values.ts'

/** The texts that an output must show, in their order: themselves where they are kept, and a digest of them otherwise. */
export type ShownTexts = {
  /** Adds what became of a segment, seen or not. */
  add(segment: Segment, text: string): void
  addTexts(texts: readonly { place: Place; text: string }[]): void
  /** Adds whole texts as they are digested: UTF-8, each ended by the byte 0xFF. */
  addAll(texts: Uint8Array): void
  /** Digests what was added and is not kept; call now and then, so that it does not gather. */
  flush(): void
  /** What the output must hold, and of the values removed those that stand in nothing that it shows. Call once. */
  expected(removed: RemovedValues): Expected
}

function addAll(texts: TextJoiner, visible: readonly { text: string }[], hidden: readonly string[]): void {
  for (const { text } of visible) texts.add(text)
  for (const text of hidden) texts.add(text)
}

/** Starts to collect. With `keeps` the texts are kept, otherwise digested. */
export function createShownTexts(keeps: boolean): ShownTexts {
  const digest = textDigest()
  const visible: { place: Place; text: string }[] = []
  const hidden: string[] = []
  const whole: string[] = []
  const flush = () => digest.addTexts(whole.splice(0))
  return {
    add(segment, text) {
      const { place, before, after, visible: seen, later } = segment
      const isShown = seen && !later
      if (keeps && isShown) visible.push(text === segment.text ? segment : { place, text })
      else if (keeps) hidden.push(text)
      else if (isShown && before === undefined && after === undefined) whole.push(text)
      else if (isShown) {
        flush()
        digest.add({ text, before })
      }
    },
    addTexts(texts) {
      if (keeps) visible.push(...texts)
      else digest.addTexts(texts.map(({ text }) => text))
    },
    addAll: texts => digest.addAll(texts),
    flush,
    expected: removed => ({
      digest: keeps ? '' : digest.hex(),
      visible,
      gone: keeps ? removed.without(texts => addAll(texts, visible, hidden)) : removed.values(),
    }),
  }
}
