import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { type Canaries, rememberFields, rememberRequest } from './canaries.ts'
import { canariesFile } from './folder.ts'

// Runs in every file of tests before it: notes what is sent to the service and must stay out of its logs, and has every
// local service write its log where the end of the whole run finds it.
const folder = inject('quietFolder')
const canaries: Canaries = new Set()
const send = globalThis.fetch

if (folder) {
  process.env.LOCAL_LOG_DIR = folder
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    await rememberRequest(canaries, url, init)
    const response = await send(input, init)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (isJson && url.hostname === '127.0.0.1')
      rememberFields(
        canaries,
        await response
          .clone()
          .json()
          .catch(() => null),
      )
    return response
  }
  afterAll(() => {
    globalThis.fetch = send
    if (canaries.size > 0) writeFileSync(join(folder, canariesFile()), JSON.stringify([...canaries]), { mode: 0o600 })
  })
}
