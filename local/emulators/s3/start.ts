import type { Emulator } from '../aws/hooks.ts'
import { inBackground, listen, repeat } from '../aws/server.ts'
import { type S3Options, s3Handler } from './handler.ts'
import { applyLifecycles } from './lifecycle.ts'
import { openStore, usedBlobs } from './store.ts'

const SWEEP_MS = 60_000

/** Starts Amazon S3's API: what is said of objects in a SQLite file, their bytes in files beside it. */
export async function startS3(options: S3Options): Promise<Emulator> {
  const store = openStore(options.directory, options.now ?? Date.now)
  const used = usedBlobs(store)
  void inBackground('s3', 'sweep', () => store.blobs.sweep(blob => used.has(blob)))
  const rest = repeat(SWEEP_MS, 's3', 'lifecycle', () => applyLifecycles(store))
  return listen(options, s3Handler(store, options), () => {
    rest()
    store.database.close()
  })
}
