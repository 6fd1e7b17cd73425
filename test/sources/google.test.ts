import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { drive as official } from '@googleapis/drive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewSource,
  type Source,
  writeToSource,
} from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, localContext } from './context.ts'
import { openssl } from './servers/certificates.ts'
import { clientEmail, folderType, startGoogle } from './servers/google.ts'
import { available } from './servers/process.ts'

const runs = available('openssl for the fake of Google Drive', openssl)
const large = Buffer.alloc(9_000_001, 'abcdefghij')
const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (key: ReturnType<typeof keys>) => key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const good = keys()
let fake: Awaited<ReturnType<typeof startGoogle>> | undefined
let folder: string
const fakeOfDrive = async () => {
  if (fake) return fake
  fake = await startGoogle(good.publicKey)
  folder = fake.put("in 'quoted'", 'root')
  fake.put('Report', folder, Buffer.from('exported'), 'application/vnd.google-apps.document')
  fake.put('Form', folder, Buffer.from('x'), 'application/vnd.google-apps.form')
  fake.put('a.csv', folder, Buffer.from('id\n1\n'))
  fake.put('large.bin', folder, large)
  fake.put('twice.txt', folder, Buffer.from('1'))
  fake.put('twice.txt', folder, Buffer.from('2'))
  fake.put('Huge', folder, Buffer.alloc(2000), 'application/vnd.google-apps.spreadsheet')
  fake.put('ü 😀 \\.txt', 'root', Buffer.from('unicode'))
  fake.put('denied.txt', 'root', Buffer.from('not for you'))
  fake.files.at(-1)!.denied = true
  return fake
}
afterAll(() => fake?.stop())
const context = (changes = {}) => localContext({ dial: fake!.dial, trust: fake!.trust, ...changes })
const source = (config = {}, secrets = { private_key: pem(good) }): Source => ({
  kind: 'CLOUD_DRIVE',
  config: { provider: 'google_drive', client_email: clientEmail, ...config },
  secrets,
})

conformance('Google Drive', runs, async () => {
  const { port, dial, dialAt, trust } = await fakeOfDrive()
  return {
    port,
    source: source(),
    context: { dial, trust },
    at: port => ({ source: source(), context: { dial: dialAt(port) } }),
    cells: {
      'wrong password': { source: source({}, { private_key: pem(keys()) }), problem: 'source_auth_failed' },
      'nothing there': { source: source({ folder_id: 'none' }), problem: 'source_not_found' },
      'untrusted TLS': { source: source(), problem: 'source_tls_untrusted', context: { trust: undefined } },
    },
    failures: {
      'another account': {
        source: source({ client_email: 'other@project.iam.gserviceaccount.com' }),
        problem: 'source_auth_failed',
      },
      'a key that is none': {
        source: source({}, { private_key: '-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----' }),
        problem: 'source_config_invalid',
      },
    },
    small: { name: "in 'quoted'/a.csv", text: 'id\n1\n' },
    large: "in 'quoted'/large.bin",
    denied: { name: 'denied.txt', problem: 'source_permission_denied' },
    entries: {
      path: "in 'quoted'",
      names: ['Form', 'Huge.xlsx', 'Report.docx', 'a.csv', 'large.bin', 'twice.txt', 'twice.txt'].map(
        name => `in 'quoted'/${name}`,
      ),
    },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('Google Drive: what is its own', () => {
  let fake: Awaited<ReturnType<typeof startGoogle>>
  const read = async (name: string, from = source(), start = 0) =>
    bytesOf((await openFromSource(from, context(), name, { start })).body)
  beforeAll(async () => {
    fake = await fakeOfDrive()
  })

  test('the vendor’s own client accepts the fake', async () => {
    const rootUrl = `${fake.plain}/`
    const client = official({ version: 'v3', headers: { authorization: 'Bearer google-token' }, rootUrl })
    const shared = { supportsAllDrives: true, includeItemsFromAllDrives: true }
    const first = await client.files.list({ q: `'${folder}' in parents and trashed = false`, pageSize: 3, ...shared })
    expect(first.data.files).toHaveLength(3)
    expect(first.data.nextPageToken).toBe('3')
    const named = first.data.files!.find(file => file.name === 'Report')!
    const text = await client.files.export({ fileId: named.id!, mimeType: 'text/plain' }, { responseType: 'text' })
    expect(text.data).toBe('exported')
    await expect(client.files.get({ fileId: 'none' })).rejects.toMatchObject({ status: 404 })
    const created = await client.files.create(
      { requestBody: { name: 'sdk.txt' }, media: { mimeType: 'text/plain', body: Readable.from(['by the sdk']) } },
      { rootUrl },
    )
    expect(fake.files.find(({ id }) => id === created.data.id)!.content!.toString()).toBe('by the sdk')
    fake.files.pop()
  })

  test('good settings; a folder of its own; an impersonated user', async () => {
    for (const config of [{}, { folder_id: folder }, { subject: 'ada@example.org' }])
      expect(await checkSource(source(config), context())).toMatchObject({ ok: true })
  })

  test('the preview pages; documents of Google’s own get the ending of their export, what has no content is not offered', async () => {
    const seen: unknown[][] = []
    let cursor: string | undefined
    do {
      const page = await previewSource(source(), context(), { path: "in 'quoted'", limit: 3, cursor })
      seen.push(...page.entries.map(({ name, supported }) => [name.slice(name.indexOf('/') + 1), supported]))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual([
      ['Form', false],
      ['Huge.xlsx', true],
      ['Report.docx', true],
      ['a.csv', true],
      ['large.bin', false],
      ['twice.txt', true],
      ['twice.txt', true],
    ])
    const located = await locateInSource(source({ folder_id: folder }), context(), ['a.csv', 'none', 'Report.docx'])
    expect(located.map(entry => entry?.name)).toEqual(['a.csv', undefined, 'Report.docx'])
  })

  test('files are read whole, from the middle, and exported', async () => {
    expect((await read("in 'quoted'/large.bin")).equals(large)).toBe(true)
    expect((await read("in 'quoted'/large.bin", source(), 8_999_999)).toString()).toBe('ja')
    expect((await read("in 'quoted'/Report.docx")).toString()).toBe('exported')
    expect((await read('Report.docx', source({ folder_id: folder }), 3)).toString()).toBe('orted')
    expect((await read('ü 😀 .txt').catch(error => error)).type).toBe('source_not_found')
    for (const name of ['none', "in 'quoted'", '', 'a.csv', 'a.csv/b'])
      await expect(read(name)).rejects.toMatchObject({ type: 'source_not_found' })
    const inside = (name: string) => read(name, source({ folder_id: folder }))
    await expect(inside('Form')).rejects.toMatchObject({ type: 'source_unsupported' })
    await expect(inside('twice.txt')).rejects.toMatchObject({ type: 'source_conflict' })
    await expect(inside('Huge.xlsx')).rejects.toMatchObject({ type: 'source_limit_exceeded' })
  })

  test('rate limits are waited for', async () => {
    fake.state.limited = 2
    expect((await read("in 'quoted'/a.csv")).toString()).toBe('id\n1\n')
  })

  test('files are created and replaced, what the service missed is sent again', async () => {
    const write = (mode: 'create' | 'replace', body: Buffer, size = body.length, name = 'x.csv') =>
      writeToSource(source({ folder_id: folder }), context(), { name, mode, size }, Readable.from([body]))
    fake.state.missed = 1
    expect(await write('create', large)).toEqual({ name: 'x.csv', bytes: large.length })
    const stored = () => fake.files.filter(({ name }) => name === 'x.csv')
    expect(stored()[0]!.content!.equals(large)).toBe(true)
    await expect(write('create', Buffer.from('no'))).rejects.toMatchObject({ type: 'source_conflict' })
    await write('replace', Buffer.from('two'))
    expect(stored().map(({ content }) => content!.toString())).toEqual(['two'])
    await expect(write('replace', Buffer.from('short'), 500)).rejects.toMatchObject({ type: 'source_failed' })
    await expect(write('create', Buffer.from('x'), 1, 'none/x.csv')).rejects.toMatchObject({ type: 'source_not_found' })
    expect(stored()[0]!.content!.toString()).toBe('two')
    expect(fake.files.every(({ mimeType, content }) => mimeType === folderType || content)).toBe(true)
  })
})
