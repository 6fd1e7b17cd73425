import type { Expected, Place, Segment } from '../formats/format.ts'
import { textDigest } from '../verify/digest.ts'
import type { RemovedValues } from '../verify/removed-values.ts'

/** The texts that an output must show, in their order: a digest of them, and themselves where they are kept. */
export type ShownTexts = {
  /** Adds what became of a segment, seen or not. */
  add(segment: Segment, text: string): void
  addTexts(texts: readonly { place: Place; text: string }[]): void
  /** Adds whole texts as they are digested: UTF-8, each ended by the byte 0xFF. */
  addAll(texts: Uint8Array): void
  /** Digests what was added; call now and then, so that it does not gather. */
  flush(): void
  /** What the output must hold, and of the values removed those that stand in nothing that it shows. Call once. */
  expected(removed: RemovedValues): Expected
}

/** Starts to collect. With `keeps` the texts are kept, and not only digested. */
export function createShownTexts(keeps: boolean): ShownTexts {
  const digest = textDigest()
  const visible: { place: Place; text: string }[] = []
  const hidden: string[] = []
  const whole: string[] = []
  const flush = () => digest.addTexts(whole.splice(0))
  return {
    add({ place, before, after, visible: seen, later }, text) {
      const isShown = seen && !later
      if (isShown && before === undefined && after === undefined) whole.push(text)
      else if (isShown) {
        flush()
        digest.add({ text, before })
      }
      if (keeps && isShown) visible.push({ place, text })
      else if (keeps) hidden.push(text)
    },
    addTexts(texts) {
      digest.addTexts(texts.map(({ text }) => text))
      if (keeps) visible.push(...texts)
    },
    addAll: texts => digest.addAll(texts),
    flush,
    expected: removed => ({
      digest: digest.hex(),
      visible,
      gone: keeps ? removed.without([...visible.map(({ text }) => text), ...hidden]) : removed.values(),
    }),
  }
}
