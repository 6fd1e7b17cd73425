/** Readings of the pictures within one asset: those that wait to be asked for, in their order, and all that were begun, by what is read. */
export type PictureQueue = {
  waiting: Set<() => void>
  begun: Map<string, Promise<unknown>>
  running: number
}

export const pictureQueue = (): PictureQueue => ({ waiting: new Set(), begun: new Map(), running: 0 })

/** Pictures that are read at the same time: as many as there are threads to read them. */
const together = 2

/** A picture that takes its turn. */
export type QueuedPicture<T> = {
  /** Its reading; the next in the queue is read at the same time. */
  read(): Promise<T>
  /** Takes it out of the queue: nobody will ask for it. */
  leave(): void
}

/**
 * Puts a picture into the queue. Those with the same key are read once; what goes wrong with one, its own turn tells. Nothing
 * else is begun beside a `large` one, which waits for its own turn.
 */
export const queued = <T>(
  queue: PictureQueue,
  key: string,
  isLarge: boolean,
  reading: () => Promise<T>,
): QueuedPicture<T> => {
  const start = (): Promise<T> => {
    queue.waiting.delete(start)
    const known = queue.begun.get(key) as Promise<T> | undefined
    if (known) return known
    queue.running++
    const result = reading().finally(() => {
      queue.running--
    })
    result.catch(() => {})
    queue.begun.set(key, result)
    return result
  }
  if (!isLarge) queue.waiting.add(start)
  return {
    read() {
      const result = start()
      for (const next of queue.waiting) {
        if (isLarge || queue.running >= together) break
        next()
      }
      return result
    },
    leave: () => {
      queue.waiting.delete(start)
    },
  }
}
