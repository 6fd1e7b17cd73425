import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkpointText, noteOf, originOf, verifierKey } from '../../shared/transparency/note.ts'
import { newTiles, tilePath } from '../../shared/transparency/tiles.ts'
import {
  consistencyPath,
  hashWithin,
  inclusionPath,
  leafHash,
  levelsOf,
  type Range,
} from '../../shared/transparency/tree.ts'
import { exhaustive, runs } from '../runs.ts'

/** The packages of Go’s checksum database, as the `go` command has them in its own source. */
const goroot = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).stdout?.trim()
/** The version of its language that these packages are written in, `1.26` for one. */
const version = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout?.match(/\d+\.\d+/)?.[0]
const packages = join(goroot || '/', 'src/cmd/vendor/golang.org/x/mod/sumdb')
const ready = Boolean(goroot) && existsSync(join(packages, 'tlog'))
if (!ready) console.log('skipped: Go, whose packages of transparency logs trees are held against, is not here')

const folder = mkdtempSync(join(tmpdir(), 'peer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const origin = originOf(publicKey)

/** A tree of some entries with all that is made of it, as the other program reads it. */
async function treeOf(size: number, index: number, first: number) {
  const entries = Array.from({ length: size }, (_, n) => `entry ${n} of ${size}`)
  const levels = levelsOf(entries.map(leafHash))
  const base64 = (hash: Uint8Array) => Buffer.from(hash).toString('base64')
  const hashes = (ranges: readonly Range[]) => ranges.map(range => base64(hashWithin(levels, range)))
  const root = hashWithin(levels, [0, size])
  const text = checkpointText({ origin, size, root })
  const none = () => Promise.reject(new Error('The log was empty'))
  const tiles = await newTiles(0, entries.map(leafHash), none)
  return {
    entries,
    root: base64(root),
    index,
    inclusion: hashes(inclusionPath(index, [0, size])),
    first,
    firstRoot: base64(hashWithin(levels, [0, first])),
    consistency: hashes(consistencyPath(first, size)),
    tiles: Object.fromEntries(tiles.map(tile => [tilePath(tile), base64(tile.bytes)])),
    note: noteOf(text, origin, publicKey, sign(null, Buffer.from(text), privateKey)),
    verifierKey: verifierKey(origin, publicKey),
  }
}

const program = join(folder, 'peer')

test.skipIf(!ready)(
  'the packages of Go’s checksum database agree with trees, paths, tiles and notes',
  { timeout: 600_000 },
  async () => {
    for (const name of ['tlog', 'note']) cpSync(join(packages, name), join(folder, name), { recursive: true })
    cpSync(join(import.meta.dirname, 'peer/main.go'), join(folder, 'main.go'))
    writeFileSync(join(folder, 'go.mod'), `module peer\n\ngo ${version}\n`)
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }
    const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: folder, env, encoding: 'utf8' })
    expect([built.status, built.stderr]).toEqual([0, ''])
    const random = (most: number) => Math.floor(Math.random() * most)
    const said = (input: string) => spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1024 ** 3 })
    const all = runs(exhaustive ? 10_000 : 1500)
    for (let made = 0; made < all; made += 500) {
      const trees = await Promise.all(
        Array.from({ length: Math.min(500, all - made) }, (_, n) => {
          // Small trees of every size, and some with more than one tile.
          const size = n % 50 === 0 ? 1 + random(1500) : 1 + random(70)
          return treeOf(size, random(size), 1 + random(size))
        }),
      )
      const { status, stdout } = said(trees.map(tree => JSON.stringify(tree)).join('\n'))
      expect([status, stdout.split(`${origin}\n`).length]).toEqual([0, trees.length + 1])
    }
    const tree = await treeOf(300, 7, 100)
    const wrong = [
      { ...tree, index: 8 },
      { ...tree, first: 101 },
      { ...tree, consistency: tree.consistency.slice(1) },
      { ...tree, entries: tree.entries.with(299, 'another') },
      { ...tree, tiles: { 'tile/0/000': tree.tiles['tile/0/001.p/44'] } },
      { ...tree, note: tree.note.replace('300', '301') },
    ]
    for (const one of wrong) expect(said(JSON.stringify(one)).status).toBe(1)
  },
)
