import { statSync } from 'node:fs'
import { SingleBar } from 'cli-progress'

/** How far a run is, shown on a terminal: finished files, bytes, and the time that is likely left. */
export type Bar = {
  /** Tells how many bytes of a file are done. */
  progress(file: string, bytes: number): void
  /** Tells that a file is finished, well or badly. */
  finish(file: string): void
  stop(): void
}

const MEGABYTE = 1_000_000
const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)

/** `45 s`, `3 min`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How far a run is that has taken so many seconds. */
export type State = { finished: number; files: number; done: number; all: number; seconds: number }

/** What stands beside the bar: `3/12 files, 1.4 of 20 MB, 2 min left`. */
export function textOf({ finished, files, done, all, seconds }: State): string {
  const left = done > 0 && finished < files ? `, ${duration((seconds * (all - done)) / done)} left` : ''
  return `${finished}/${files} files, ${megabytes(done)} of ${megabytes(all)} MB${left}`
}

/** Widest text beside the bar. */
const TEXT_WIDTH = 52

/** How wide the bar is on a terminal of so many columns. */
const barSize = (columns = 80): number => Math.max(8, Math.min(40, columns - TEXT_WIDTH))

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Shows a bar for these files, from now on. */
export function startBar(files: string[]): Bar {
  const sizes = new Map(files.map(file => [file, sizeOf(file)]))
  const all = sizes.values().reduce((sum, size) => sum + size, 0)
  const made = new Map<string, number>()
  const began = Date.now()
  let finished = 0
  const bar = new SingleBar({ format: '{bar} {text}', hideCursor: true, barsize: barSize(process.stderr.columns) })
  const show = (change: (value: number, payload: { text: string }) => void) => {
    const done = made.values().reduce((sum, bytes) => sum + bytes, 0)
    const seconds = (Date.now() - began) / 1000
    change(all === 0 ? finished / files.length : done / all, {
      text: textOf({ finished, files: files.length, done, all, seconds }),
    })
  }
  const update = (file: string, bytes: number) => {
    made.set(file, bytes)
    show((value, payload) => bar.update(value, payload))
  }
  show((value, payload) => bar.start(1, value, payload))
  return {
    progress: (file, bytes) => update(file, Math.min(bytes, sizes.get(file)!)),
    finish(file) {
      finished++
      update(file, sizes.get(file)!)
    },
    stop: () => bar.stop(),
  }
}
