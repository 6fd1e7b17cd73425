import { describe, expect, test } from 'vitest'
import { putFile } from './deployed.ts'
import { id, problemsOf, stamps, talk, time } from './http.ts'
import { useService } from './setup.ts'

const service = await useService()
const ada = await service.person()
const { send, good } = talk(service, ada)

describe('sources', () => {
  const database = { host: 'db.example.org', database: 'clinic', username: 'reader', password: 'top secret' }

  test('a source never shows its secrets, and keeps them for their host', async () => {
    const source = await good('POST', '/sources/', { name: 'Clinic', kind: 'DB_ENGINE_1', config: database })
    const { password, ...shown } = database
    const expected = {
      id,
      name: 'Clinic',
      kind: 'DB_ENGINE_1',
      config: { ...shown, tls: { mode: 'verify-full' } },
      secrets: { password: true },
      ...stamps,
    }
    expect(source).toEqual(expected)
    expect(await good('GET', `/sources/${source.id}`)).toEqual(source)
    expect(JSON.stringify(await good('POST', '/sources/list'))).not.toContain(password)
    const renamed = await good('PUT', `/sources/${source.id}`, { name: 'Ward', config: { ...shown, database: 'ward' } })
    expect(renamed).toMatchObject({ name: 'Ward', config: { database: 'ward' }, secrets: { password: true } })
    for (const change of [{ host: 'evil.example.org' }, { port: 5433 }, { tls: { mode: 'disable' } }]) {
      const moved = { ...shown, ...change }
      for (const reply of [
        await send('PUT', `/sources/${source.id}`, { config: moved }),
        await send('POST', '/sources/test', { sourceId: source.id, config: moved }),
      ]) {
        const problem = { type: 'secret_kept_for_other_host', loc: ['body', 'config', 'password'] }
        expect([reply.status, problemsOf(reply)]).toEqual([422, [expect.objectContaining(problem)]])
      }
    }
    await good('PUT', `/sources/${source.id}`, { config: { ...database, host: 'new.example.org' } })
    const wrong = await send('PUT', `/sources/${source.id}`, { config: { prefix: 'a' } })
    expect(problemsOf(wrong).map(({ loc }) => loc.join('.'))).toContain('body.config.prefix')
    expect(await good('DELETE', `/sources/${source.id}`)).toEqual({ id: source.id, deleted: true })
  })

  test('a long secret is kept too', async () => {
    const config = {
      provider: 'google_drive',
      client_email: 'a@b.iam.gserviceaccount.com',
      private_key: `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(20_000)}`,
    }
    expect(await good('POST', '/sources/', { name: 'Drive', kind: 'CLOUD_DRIVE', config })).toMatchObject({
      secrets: { private_key: true },
    })
  })

  test('local files: test, preview and load', async () => {
    const grace = await service.person()
    await putFile(grace.user.id, service.files, 'a.txt', 'Call 112')
    await putFile(grace.user.id, service.files, 'b.csv', 'a,b\n1,2\n')
    const config = { kind: 'LOCAL_ASSET', config: {} }
    const source = await good('POST', '/sources/', { name: 'Mine', ...config }, grace)
    const tested = await good('POST', '/sources/test', config, grace)
    expect(tested).toEqual({ ok: true, latencyMs: expect.any(Number), checks: expect.any(Array), warnings: [] })
    const file = (name: string, assetType: string, size: number) => ({
      name,
      type: 'file',
      assetType,
      size,
      modifiedAt: time,
      supported: true,
    })
    const entries = [file('a.txt', 'DOCUMENT', 8), file('b.csv', 'TABLE', 8)]
    expect(await good('POST', `/sources/${source.id}/preview`, {}, grace)).toEqual({ entries })
    expect(await good('POST', `/sources/${source.id}/preview`, { name: 'a.txt' }, grace)).toEqual({ entry: entries[0] })
    const load = {
      sourceId: source.id,
      sourceType: 'LOCAL_ASSET',
      files_load_config: { filenames: ['a.txt', 'b.csv'] },
    }
    const job = await good('POST', '/jobs/load', load, grace)
    expect(job).toMatchObject({ name: 'Mine', status: 'PENDING', sourceId: source.id })
    expect(job.Assets.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['a.txt', 'LOADING'],
      ['b.csv', 'LOADING'],
    ])
    const early = await send('POST', `/jobs/${job.id}/execute`, undefined, grace)
    expect(early.status).toBe(400)
    for (;;) {
      const { Assets } = await good('GET', `/jobs/${job.id}`, undefined, grace)
      if (Assets.some(({ status }: { status: string }) => status === 'LOADING')) continue
      expect(Assets).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ name: 'a.txt', status: 'READY', size: 8, type: 'DOCUMENT' }),
          expect.objectContaining({ name: 'b.csv', status: 'READY', type: 'TABLE' }),
        ]),
      )
      break
    }
    const refused = async (change: object) =>
      problemsOf(await send('POST', '/jobs/load', { ...load, ...change }, grace))
    expect(await refused({ sourceType: 'DB_ENGINE_1' })).toMatchObject([{ type: 'source_type_mismatch' }])
    expect(await refused({ files_load_config: { filenames: ['a.txt', 'gone.txt'] } })).toMatchObject([
      { type: 'file_not_found', loc: ['body', 'files_load_config', 'filenames', '1'] },
    ])
    const stranger = await service.person()
    const other = await good('POST', '/sources/', { name: 'Mine', ...config }, stranger)
    expect(await good('POST', `/sources/${other.id}/preview`, {}, stranger)).toEqual({ entries: [] })
  })

  test('a source that cannot be reached is a result of the test, and an error of the preview', async () => {
    const config = { ...database, host: '127.0.0.1', port: 1 }
    const tested = await good('POST', '/sources/test', { kind: 'DB_ENGINE_1', config })
    expect(tested).toMatchObject({ ok: false, problem: 'source_unreachable' })
    const metadata = await good('POST', '/sources/test', {
      kind: 'DB_ENGINE_1',
      config: { ...config, host: '169.254.169.254' },
    })
    expect(metadata).toMatchObject({ ok: false, problem: 'source_egress_denied' })
    const { id: sourceId } = await good('POST', '/sources/', { name: 'Away', kind: 'DB_ENGINE_1', config })
    const preview = await send('POST', `/sources/${sourceId}/preview`, {})
    expect([preview.status, problemsOf(preview)[0]!.type]).toEqual([400, 'source_unreachable'])
  })
})
