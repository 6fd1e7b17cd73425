import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { checkSource, openFromSource, previewSource, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { otherAuthority } from './servers/certificates.ts'
import { ftpPrograms, largeFile, mayServeFiles, password, startFtpServer } from './servers/files.ts'
import { available } from './servers/process.ts'

const runs = available('vsftpd', ...Object.values(ftpPrograms), ...mayServeFiles)
type Server = Awaited<ReturnType<typeof startFtpServer>>
const servers: Server[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

const sourceOn =
  (server: Server, protocol: string) =>
  (config = {}, secrets: Record<string, string> = { password }): Source => ({
    kind: 'FTP/SFTP',
    config: {
      protocol,
      host,
      port: server.port,
      username: server.user,
      base_path: 'drop',
      ...(protocol === 'ftp' ? { allow_plaintext: true } : { ca_pem: server.ca }),
      ...config,
    },
    secrets,
  })

for (const [name, protocol] of [
  ['FTPS', 'ftps'],
  ['FTPS, implicit', 'ftps_implicit'],
  ['FTP', 'ftp'],
] as const)
  conformance(name, runs, async () => {
    const server = await startFtpServer(protocol)
    servers.push(server)
    const source = sourceOn(server, protocol)
    return {
      port: server.port,
      source: source(),
      at: port => ({ source: source({ port }) }),
      cells: {
        'wrong password': { source: source({}, { password: 'wrong-secret' }), problem: 'source_auth_failed' },
        'nothing there': { source: source({ base_path: 'drop/none' }), problem: 'source_not_found' },
        'untrusted TLS': { source: source({ ca_pem: undefined }), problem: 'source_tls_untrusted' },
        'another identity': { source: source({ ca_pem: otherAuthority() }), problem: 'source_tls_untrusted' },
      },
      failures: {
        'no such user': { source: source({ username: 'nobody-here' }), problem: 'source_auth_failed' },
        'no such host': { source: source({ host: 'no-such-host.invalid' }), problem: 'source_dns_failed' },
        ...(protocol === 'ftp'
          ? {
              'encryption that the server lacks': {
                source: sourceOn(server, 'ftps')(),
                problem: ['source_tls_untrusted', 'source_auth_failed'],
              },
              'plain FTP that nobody allowed': {
                source: source({ allow_plaintext: undefined }),
                problem: 'source_config_invalid',
              },
            }
          : {
              'a name that the certificate lacks': {
                source: source({ host: '127.0.0.1' }),
                problem: 'source_tls_untrusted',
              },
            }),
      },
      small: { name: 'small.csv', text: 'id,name\n1,"Ada"\n' },
      large: 'large.bin',
      denied: { name: 'denied.txt', problem: 'source_permission_denied' },
      entries: { names: ['denied.txt', 'large.bin', 'locked', 'small.csv', 'sub folder'] },
      breakOff: server.breakOff,
      stop: async () => {},
    }
  })

describe.skipIf(!runs)('FTPS', () => {
  const source = () => sourceOn(servers[0]!, 'ftps')()
  const read = async (name: string, start = 0) =>
    bytesOf((await openFromSource(source(), localContext(), name, { start })).body)
  const write = (name: string, mode: 'create' | 'replace', body: Readable) =>
    writeToSource(source(), localContext(), { name, mode }, body)

  test('large files, parts of them, spaces and characters of every script', async () => {
    expect((await read('large.bin')).equals(largeFile)).toBe(true)
    expect((await read('large.bin', 9_000_001)).equals(largeFile.subarray(9_000_001))).toBe(true)
    const { entries } = await previewSource(source(), localContext(), { path: 'sub folder' })
    expect(entries).toEqual([expect.objectContaining({ name: 'sub folder/ü 😀.txt', size: 7 })])
    expect((await read('sub folder/ü 😀.txt')).toString()).toBe('unicode')
  })

  test('files are created, replaced, and never half written', async () => {
    const { drop } = servers[0]!
    expect(await write('out/new/x.bin', 'create', Readable.from([largeFile]))).toEqual({
      name: 'out/new/x.bin',
      bytes: largeFile.length,
    })
    expect(readFileSync(join(drop, 'out/new/x.bin')).equals(largeFile)).toBe(true)
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
    await expect(write('out/new/x.bin', 'replace', breaks)).rejects.toMatchObject({
      type: expect.stringMatching(/^source_(failed|connection_lost)$/),
    })
    expect(readFileSync(join(drop, 'out/new/x.bin'), 'utf8')).toBe('two')
    expect(readdirSync(join(drop, 'out/new'))).toEqual(['x.bin'])
  })
})

test('a server that sends its data connection elsewhere is refused', async () => {
  let hits = 0
  const target = createServer(() => hits++)
  await new Promise<void>(listening => target.listen(0, '127.0.0.1', listening))
  const { port: inside } = target.address() as AddressInfo
  const hostile = createServer(socket => {
    socket.write('220 ready\r\n')
    socket.on('data', data => {
      const [command = ''] = data.toString().split(/[ \r]/)
      const replies: Record<string, string> = {
        USER: '331 password',
        PASS: '230 in',
        PWD: '257 "/"',
        EPSV: '500 no',
        PASV: `227 Entering Passive Mode (10,0,0,1,${inside >> 8},${inside & 255})`,
        CWD: '250 ok',
        TYPE: '200 ok',
      }
      socket.write(`${replies[command] ?? '502 no'}\r\n`)
    })
    socket.on('error', () => {})
  })
  await new Promise<void>(listening => hostile.listen(0, '127.0.0.1', listening))
  const source: Source = {
    kind: 'FTP/SFTP',
    config: {
      protocol: 'ftp',
      host,
      port: (hostile.address() as AddressInfo).port,
      username: 'u',
      allow_plaintext: true,
    },
    secrets: { password: 'p' },
  }
  expect(await checkSource(source, localContext())).toMatchObject({ ok: false, problem: 'source_egress_denied' })
  expect(hits).toBe(0)
  for (const server of [target, hostile]) server.close()
})
