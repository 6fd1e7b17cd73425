import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { exhaustive } from '../../runs.ts'
import { program } from '../../sources/servers/process.ts'
import { fillRoot } from './everywhere/arm64.ts'
import { each, labelsHere, texts, wordLabels } from './everywhere/labels.ts'

/**
 * Weights of eight bits can give other labels on processors that multiply or add otherwise. A fixed text must have the same
 * ones everywhere: on the processor of this machine, and on emulated ones.
 */
const stored = readFileSync(join(import.meta.dirname, 'everywhere/labels.txt'), 'utf8')
  .trimEnd()
  .split('\n')

/**
 * Share of words that must have the stored label on the processor of this machine, whichever it is. On the emulated ones all must: the
 * graph has no operator that computes other bits there.
 */
const LEAST = 0.9995

/**
 * Of so many texts an emulated processor reads one, as it takes a hundred times as long: the first of all, and in the long run
 * three; `EVERY=1` for all.
 */
const EVERY = Number(process.env.EVERY ?? (exhaustive ? 54 : texts.length))

/** The share of words whose label is the stored one, where every so-manieth text was read. */
function share(lines: readonly string[], every = 1): number {
  const expected = each(every, stored)
  const words = each(every, texts).map(
    (text, n) => [wordLabels(text, expected[n]!), wordLabels(text, lines[n]!)] as const,
  )
  const same = words.flatMap(([wanted, found]) => wanted.map((label, at) => label === found[at]))
  return same.filter(Boolean).length / same.length
}

test('the text is long, and much in it has a label', () => {
  const labels = texts.flatMap((text, n) => wordLabels(text, stored[n]!))
  expect(stored).toHaveLength(texts.length)
  expect(labels.length).toBeGreaterThan(10_000)
  expect(labels.filter(label => label !== 'none').length).toBeGreaterThan(2000)
})

test('labels are the stored ones on this processor', { timeout: 600_000 }, async () => {
  expect(share(await labelsHere())).toBeGreaterThanOrEqual(LEAST)
})

const armRoot = mkdtempSync(join(tmpdir(), 'arm64-'))
fillRoot(armRoot)
afterAll(() => rmSync(armRoot, { recursive: true, force: true }))

/** Emulators of processors, each with a Node.js of its architecture. */
const emulators: [processor: string, emulator: string, args: string[], node: string | undefined][] = [
  // Of 2013: AVX2, without VNNI and AVX512.
  ['an x64 processor without VNNI', 'qemu-x86_64', ['-cpu', 'Haswell'], process.execPath],
  // That of AWS's Graviton2. QEMU 7.2 computes vectors of newer ones (SVE) wrongly; QEMU 10 gives these labels there too.
  ['an arm64 processor', 'qemu-aarch64', ['-cpu', 'neoverse-n1', '-L', armRoot], process.env.NODE_ARM64],
]

for (const [processor, emulator, args, node] of emulators) {
  const path = program(emulator)
  const runs = process.arch === 'x64' && path !== undefined && node !== undefined
  if (!runs) console.warn(`SKIPPED: labels on ${processor}: ${emulator} or a Node.js for it is not here`)
  test.skipIf(!runs)(`labels are the stored ones on ${processor}`, { timeout: 1_800_000 }, async () => {
    const script = join(import.meta.dirname, 'everywhere/labels.ts')
    const { stdout } = await promisify(execFile)(path!, [...args, node!, script, String(EVERY)], { maxBuffer: 2 ** 24 })
    expect(share(stdout.trimEnd().split('\n'), EVERY)).toBe(1)
  })
}
