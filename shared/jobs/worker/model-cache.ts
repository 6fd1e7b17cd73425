import { cachedFinder, type EntityFinding as Finding, type Found } from 'anonymisation-engine/models'

type Model = Finding<Found>

/** Bytes that are kept of values and their entities for each way of asking, and how many such ways. */
const MAX = 16 * 1024 * 1024
const WAYS = 4
/** How long it is kept when no chunk of the job is worked on, milliseconds. */
const LINGER_MS = 30_000

/** What models found in the values of a job's chunks, while chunks of that job follow one another. */
export type Memory = {
  /** The model, asked only for what no chunk has asked it yet in the same way. */
  over(way: string, model: Model): Model
  /** Says that a chunk has ended. */
  release(): void
}

let current: (Memory & { job: string; enter(): void }) | undefined

/** The memory that the chunks of a job share: of one job at a time, and gone soon after its last chunk. */
export function sharedBy(job: string, linger = LINGER_MS): Memory {
  if (current?.job !== job) current = remember(job, linger)
  current.enter()
  return current
}

function remember(job: string, linger: number): NonNullable<typeof current> {
  // Each way of asking has its memory, and the model that the chunk at hand asks behind it.
  const ways = new Map<string, { known: Model; asked: Model }>()
  let inside = 0
  let timer: NodeJS.Timeout | undefined
  const memory: NonNullable<typeof current> = {
    job,
    enter() {
      inside++
      clearTimeout(timer)
    },
    release() {
      inside--
      if (inside > 0) return
      timer = setTimeout(() => {
        if (current === memory) current = undefined
      }, linger).unref()
    },
    over(key, asked) {
      const kept = ways.get(key)
      if (kept) {
        kept.asked = asked
        return kept.known
      }
      if (ways.size >= WAYS) return asked
      const way: { known: Model; asked: Model } = {
        asked,
        known: cachedFinder({ find: (texts, signal) => way.asked.find(texts, signal) }, MAX),
      }
      ways.set(key, way)
      return way.known
    },
  }
  return memory
}
