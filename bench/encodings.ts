import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import iconv from 'iconv-lite'
import { EngineError } from '../shared/engine/errors.ts'
import { legacyText } from '../shared/engine/formats/text/legacy-text.ts'

// How often the encoding of a text without UTF-8 is told, by size and kind, beside charset_normalizer on the same texts. `PYTHON` names
// a Python with faker and charset_normalizer.

const { PYTHON = 'python3' } = process.env
if (spawnSync(PYTHON, ['-c', 'import faker, charset_normalizer']).status !== 0) {
  console.log('skipped: no Python with faker and charset_normalizer is here')
  process.exit(0)
}

type Sample = { group: string; rows: number; text: string; bytes: string; peer: string | null; seconds: number }

/** The text as it is read, undefined where it is refused. */
function read(bytes: Buffer): string | undefined {
  try {
    const legacy = legacyText()
    legacy.push(bytes, 0)
    return iconv.decode(bytes, legacy.encoding())
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

const sizes = [1, 5, 50, 500]
/** Texts of a group by their rows: how many, how many were read right by us and by the peer. */
const groups = new Map<string, Map<number, [all: number, ours: number, peer: number]>>()
let [ours, peer, refused] = [0, 0, 0]
const { stdout } = spawn(PYTHON, [join(import.meta.dirname, 'encodings.py')], { stdio: ['ignore', 'pipe', 'inherit'] })
for await (const line of createInterface({ input: stdout })) {
  const sample = JSON.parse(line) as Sample
  const bytes = Buffer.from(sample.bytes, 'base64')
  const before = process.cpuUsage()
  const text = read(bytes)
  const { user, system } = process.cpuUsage(before)
  ours += (user + system) / 1e6
  peer += sample.seconds
  if (text === undefined) refused++
  const group = groups.get(sample.group) ?? new Map()
  groups.set(sample.group, group)
  const [all, right, rightByPeer] = group.get(sample.rows) ?? [0, 0, 0]
  group.set(sample.rows, [
    all + 1,
    right + Number(text === sample.text),
    rightByPeer + Number(sample.peer === sample.text),
  ])
}

console.log(`| read right: ours, charset_normalizer, of all | ${sizes.map(rows => `${rows} rows`).join(' | ')} |`)
console.log(`|---|${'---|'.repeat(sizes.length)}`)
for (const [name, group] of groups) {
  const cells = sizes.map(rows => {
    const [all, right, rightByPeer] = group.get(rows) ?? [0, 0, 0]
    return `**${right}**, ${rightByPeer} of ${all}`
  })
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}
console.log(`${refused} refused; ${ours.toFixed(1)} s of CPU time, ${peer.toFixed(1)} s the peer`)
