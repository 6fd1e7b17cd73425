import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSource, openFromSource, previewSource, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { largeFile, mayServeFiles, password, sshPrograms, startSshServer } from './servers/files.ts'
import { available } from './servers/process.ts'

const runs = available('OpenSSH', ...Object.values(sshPrograms), ...mayServeFiles)

let server: Awaited<ReturnType<typeof startSshServer>> | undefined
afterAll(() => server?.stop())

const source = (config = {}, secrets: Record<string, string> = { password }): Source => ({
  kind: 'FTP/SFTP',
  config: {
    protocol: 'sftp',
    host,
    port: server!.port,
    username: server!.user,
    base_path: 'drop',
    host_key_fingerprints: [server!.hostKey],
    ...config,
  },
  secrets,
})

conformance('SFTP', runs, async () => {
  server = await startSshServer()
  return {
    port: server.port,
    source: source(),
    at: port => ({ source: source({ port }) }),
    cells: {
      'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': { source: source({ base_path: 'drop/none' }), problem: 'source_not_found' },
      'another identity': {
        source: source({ host_key_fingerprints: [server.otherKey] }),
        problem: 'source_host_key_mismatch',
      },
    },
    failures: {
      'no such user': { source: source({ username: 'nobody-here' }), problem: 'source_auth_failed' },
      'a folder that is denied': { source: source({ base_path: 'drop/locked' }), problem: 'source_permission_denied' },
      'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
      'a key that is none': {
        source: source(
          {},
          { private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----' },
        ),
        problem: 'source_config_invalid',
      },
      'a wrong passphrase': {
        source: source({}, { private_key: server.lockedKey, passphrase: 'wrong-passphrase' }),
        problem: 'source_config_invalid',
      },
    },
    small: { name: 'small.csv', text: 'id,name\n1,"Ada"\n' },
    large: 'large.bin',
    denied: { name: 'denied.txt', problem: 'source_permission_denied' },
    entries: { names: ['denied.txt', 'large.bin', 'locked', 'small.csv', 'sub folder'] },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('SFTP', () => {
  const read = async (name: string, from = source(), start = 0) =>
    bytesOf((await openFromSource(from, localContext(), name, { start })).body)
  const write = (name: string, mode: 'create' | 'replace', body: Readable, signal?: AbortSignal) =>
    writeToSource(source(), localContext(signal ? { signal } : {}), { name, mode }, body)

  test('keys log in, with and without a passphrase', async () => {
    for (const secrets of [
      { private_key: server!.plainKey },
      { private_key: server!.lockedKey, passphrase: 'passphrase' },
    ] as Record<string, string>[])
      expect(await checkSource(source({}, secrets), localContext())).toMatchObject({ ok: true })
  })

  test('an unknown host key is taken by the test only, which tells it', async () => {
    const unpinned = source({ host_key_fingerprints: undefined })
    const report = await checkSource(unpinned, localContext())
    expect(report).toMatchObject({ ok: true, pin: { host_key_fingerprints: [server!.hostKey] } })
    expect(report.warnings).toHaveLength(1)
    await expect(read('small.csv', unpinned)).rejects.toMatchObject({ type: 'source_host_key_unknown' })
    await expect(previewSource(unpinned, localContext())).rejects.toMatchObject({ type: 'source_host_key_unknown' })
  })

  test('large files, parts of them, spaces and characters of every script', async () => {
    expect((await read('large.bin')).equals(largeFile)).toBe(true)
    expect((await read('large.bin', source(), 9_000_001)).equals(largeFile.subarray(9_000_001))).toBe(true)
    const { entries } = await previewSource(source(), localContext(), { path: 'sub folder' })
    expect(entries).toEqual([expect.objectContaining({ name: 'sub folder/ü 😀.txt', size: 7, assetType: 'DOCUMENT' })])
    expect((await read('sub folder/ü 😀.txt')).toString()).toBe('unicode')
  })

  test('an absolute base folder, and one that is the home', async () => {
    expect((await read('small.csv', source({ base_path: server!.drop }))).length).toBe(16)
    expect((await read('drop/small.csv', source({ base_path: undefined }))).length).toBe(16)
  })

  test('files are created, replaced, and never half written', async () => {
    expect(await write('out/new/x.bin', 'create', Readable.from([largeFile]))).toEqual({
      name: 'out/new/x.bin',
      bytes: largeFile.length,
    })
    expect(readFileSync(join(server!.drop, 'out/new/x.bin')).equals(largeFile)).toBe(true)
    await expect(write('out/new/x.bin', 'create', Readable.from(['no']))).rejects.toMatchObject({
      type: 'source_conflict',
    })
    await write('out/new/x.bin', 'replace', Readable.from([Buffer.from('two')]))
    const breaks = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('lost')
      })(),
    )
    await expect(write('out/new/x.bin', 'replace', breaks)).rejects.toMatchObject({ type: 'source_failed' })
    const controller = new AbortController()
    const endless = Readable.from(
      (async function* () {
        for (let sent = 0; ; sent++) {
          if (sent === 50) controller.abort()
          yield Buffer.alloc(100_000)
          await new Promise(setImmediate)
        }
      })(),
    )
    await expect(write('out/new/x.bin', 'replace', endless, controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(readFileSync(join(server!.drop, 'out/new/x.bin'), 'utf8')).toBe('two')
    expect(readdirSync(join(server!.drop, 'out/new'))).toEqual(['x.bin'])
    await expect(write('locked/x', 'create', Readable.from(['no']))).rejects.toMatchObject({
      type: 'source_permission_denied',
    })
  })
})
