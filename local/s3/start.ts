import { reportFailure } from '../aws/errors.ts'
import type { Emulator, EmulatorOptions } from '../aws/hooks.ts'
import { listen } from '../aws/server.ts'
import { s3Handler } from './handler.ts'
import { applyLifecycles } from './lifecycle.ts'
import { openStore, usedBlobs } from './store.ts'

const SWEEP_MS = 60_000

/** Starts Amazon S3's API: what is said of objects in a SQLite file, their bytes in files beside it. */
export async function startS3(options: EmulatorOptions): Promise<Emulator> {
  const store = openStore(options.directory, options.now ?? Date.now)
  const guarded = (action: string, work: () => void | Promise<void>) => async () => {
    try {
      await work()
    } catch (error) {
      reportFailure('s3', action, error)
    }
  }
  const used = usedBlobs(store)
  void guarded('sweep', () => store.blobs.sweep(blob => used.has(blob)))()
  const timer = setInterval(
    guarded('lifecycle', () => applyLifecycles(store)),
    SWEEP_MS,
  ).unref()
  return listen(options.port ?? 0, s3Handler(store, options), () => {
    clearInterval(timer)
    store.database.close()
  })
}
