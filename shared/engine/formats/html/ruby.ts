import type { SourceRun } from '../text/text-nodes.ts'

const readingTags = /^(?:rt|rp|rtc)$/

/** Keeps the readings over a word (`<ruby>`) apart from the word that they are set over. */
export type Ruby = {
  /** Told of each tag; what `closed` says is that one ends. */
  tag(name: string, closed: boolean): void
  /** Told of each text; true when it is a reading and no text of the line. */
  takes(run: SourceRun): boolean
  /** Ends what is open; `add` is given each word's readings, which are to be looked at by themselves. */
  flush(): void
}

/** Starts; a reading goes when its word is touched, as it says the same. */
export function startRuby(add: (readings: SourceRun[]) => void): Ruby {
  let open = false
  let isReading = false
  let words: SourceRun[] = []
  let readings: SourceRun[] = []
  const flush = () => {
    if (readings.length > 0) {
      const also = [readings.map(({ start, end }) => ({ start, end, text: '' }))]
      for (const word of words) word.also = [...(word.also ?? []), ...also]
      add(readings)
    }
    open = false
    isReading = false
    words = []
    readings = []
  }
  return {
    tag(name, closed) {
      if (name === 'ruby') {
        flush()
        open = !closed
      } else if (readingTags.test(name)) isReading = !closed
      else if (name === 'rb') isReading = false
    },
    takes(run) {
      if (!open) return false
      ;(isReading ? readings : words).push(run)
      return isReading
    },
    flush,
  }
}
