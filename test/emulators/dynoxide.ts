import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, serve } from './process.ts'

const binary = join(import.meta.dirname, '../../node_modules/@dynoxide/linux-x64/dynoxide')

/** Whether there is a dynoxide for this machine: an optional package. */
export const hasDynoxide = existsSync(binary)

/** Starts dynoxide, a DynamoDB on SQLite, on 127.0.0.1, in memory, with a folder for its log. */
export async function startDynoxide(folder: string): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const stop = await serve(binary, ['serve', '--port', `${port}`], port, join(folder, 'dynoxide.log'))
  return { endpoint: `http://127.0.0.1:${port}`, stop }
}
