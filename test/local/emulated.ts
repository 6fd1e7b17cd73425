import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Emulator, EmulatorOptions } from 'aws-emulators'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'emulator-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** An emulator for one test, in a folder of its own. */
export async function emulated<Started extends Emulator>(
  start: (options: EmulatorOptions) => Promise<Started>,
  options: Partial<EmulatorOptions> = {},
): Promise<Started> {
  const emulator = await start({ directory: temporaryDirectory(), ...options })
  onTestFinished(() => emulator.close())
  return emulator
}

/** Settings of an SDK client for an emulator: no second tries, so that what is seen is what was answered. */
export const clientFor = ({ endpoint }: Pick<Emulator, 'endpoint'>) => ({
  endpoint,
  region: 'eu-central-1',
  maxAttempts: 1,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
