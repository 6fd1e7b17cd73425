import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { options } from '../../infra/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'sources-bundle-'))
let metafile: Metafile

beforeAll(async () => {
  const built = await build({
    ...options,
    stdin: {
      resolveDir: options.absWorkingDir!,
      contents: ['sources', 'addresses', 'egress']
        .map(name => `export * from './shared/sources/${name}.ts'`)
        .join('\n'),
    },
    outfile: join(folder, 'sources.js'),
    minify: true,
    metafile: true,
  })
  metafile = built.metafile
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('all drivers together take less than 3 MB', () => {
  const output = Object.values(metafile.outputs)[0]!
  // What the service loads anyway is not a driver's.
  const drivers = Object.entries(output.inputs).filter(
    ([name]) => !/^shared\/|node_modules\/(@aws|@smithy|zod|jose)/.test(name),
  )
  expect(drivers.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)).toBeLessThan(3_000_000)
  expect(drivers.filter(([name]) => name.includes('@azure'))).toEqual([])
})

test('drivers are imported when they are used, not before', () => {
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    if (!file.startsWith('shared/sources/')) continue
    for (const { path, kind, original = '' } of imports) {
      const driver = /^(pg|pg-copy-streams|mysql2|tedious|oracledb|ssh2|basic-ftp)$/.test(original)
      const connector = file.endsWith('/registry.ts') && /sources\/(objects|drives|files|databases)\//.test(path)
      if (driver || connector) expect([file, original, kind]).toEqual([file, original, 'dynamic-import'])
    }
  }
})

test('every kind works from the bundle, away from the packages', () => {
  writeFileSync(
    join(folder, 'run.js'),
    `
    const { checkSource, egressPolicy, guardedDial } = require('./sources.js')
    const { generateKeyPairSync } = require('node:crypto')
    const context = {
      dial: guardedDial(egressPolicy('127.0.0.0/8'), { lookup: async () => ['127.0.0.1'] }),
      signal: new AbortController().signal,
      limits: { bytes: 1, entries: 1, idleMs: 2000 },
    }
    const database = { host: 'localhost', port: 1, database: 'd', username: 'u' }
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const file = { host: 'localhost', port: 1, username: 'u' }
    const sources = [
      ['DB_ENGINE_1', database, { password: 'p' }],
      ['DB_ENGINE_2', database, { password: 'p' }],
      ['DB_ENGINE_3', database, { password: 'p' }],
      ['DB_ENGINE_4', database, { password: 'p' }],
      ['DB_ENGINE_5', { host: '127.0.0.1', port: 1, service_name: 's', username: 'u' }, { password: 'p' }],
      ['FTP/SFTP', { ...file, protocol: 'sftp' }, { password: 'p' }],
      ['FTP/SFTP', { ...file, protocol: 'ftps' }, { password: 'p' }],
      ['CLOUD_DRIVE', { provider: 's3', bucket: 'abc', region: 'eu-west-1', endpoint: 'http://localhost:1', access_key_id: 'AKIA' }, { secret_access_key: 's' }],
    ]
    Promise.all(sources.map(([kind, config, secrets]) => checkSource({ kind, config, secrets }, context)))
      .then(reports => console.log(JSON.stringify(reports.map(({ problem }) => problem))))
    `,
  )
  const env = { PATH: process.env.PATH, HOME: folder }
  const said = execFileSync(process.execPath, ['run.js'], { cwd: folder, env, timeout: 60_000 }).toString()
  expect(JSON.parse(said)).toEqual(Array(8).fill('source_unreachable'))
})
