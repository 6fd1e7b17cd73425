import { withoutMarks } from '../detect/normalise.ts'
import type { Expected, Place, Segment } from '../formats/format.ts'
import { pushAll } from '../lists.ts'
import { textDigest } from '../verify/digest.ts'
import type { TextJoiner } from '../verify/joined-texts.ts'
import type { RemovedValues } from '../verify/removed-values.ts'

function addAll(texts: TextJoiner, visible: readonly { text: string }[], hidden: readonly string[]): void {
  for (const { text } of visible) texts.add(text)
  for (const text of hidden) texts.add(text)
}

/** The texts that an output must show, in their order: themselves where they are kept, and a digest of them otherwise. */
export class ShownTexts {
  readonly #keeps: boolean
  readonly #digest = textDigest()
  readonly #visible: { place: Place; text: string }[] = []
  readonly #hidden: string[] = []
  readonly #whole: string[] = []

  /** With `keeps` the texts are kept, otherwise digested. */
  constructor(keeps: boolean) {
    this.#keeps = keeps
  }

  /** Adds what became of a segment, seen or not. */
  add(segment: Segment, text: string): void {
    const { place, before, after, visible: seen, later } = segment
    const isShown = seen && !later
    if (this.#keeps && isShown) this.#visible.push(text === segment.text ? segment : { place, text })
    else if (this.#keeps) this.#hidden.push(text)
    else if (isShown && before === undefined && after === undefined) this.#whole.push(withoutMarks(text))
    else if (isShown) {
      this.flush()
      this.#digest.add({ text, before })
    }
  }

  addTexts(texts: readonly { place: Place; text: string }[]): void {
    if (this.#keeps) pushAll(this.#visible, texts)
    else this.#digest.addTexts(texts.map(({ text }) => withoutMarks(text)))
  }

  /** Adds whole texts as they are digested: UTF-8, each ended by the byte 0xFF. */
  addAll(texts: Uint8Array): void {
    this.#digest.addAll(texts)
  }

  /** Digests what was added and is not kept; call now and then, so that it does not gather. */
  flush(): void {
    this.#digest.addTexts(this.#whole.splice(0))
  }

  /** What the output must hold, and of the values removed those that stand in nothing that it shows. Call once. */
  expected(removed: RemovedValues): Expected {
    const visible = this.#visible
    if (!this.#keeps) return { digest: this.#digest.hex(), visible, gone: removed.values() }
    return { digest: '', visible, gone: removed.without(texts => addAll(texts, visible, this.#hidden)) }
  }
}
