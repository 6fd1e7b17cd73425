import { describe, expect, test } from 'vitest'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewEntry,
  previewSource,
  type Source,
} from '../../shared/sources/sources.ts'
import { localContext } from './context.ts'

/**
 * Real servers, for whoever has them: each variable holds, as JSON, a source `{kind, config, secrets}` and the `name` of
 * an entry of it that is small enough to be read whole. Nothing is written.
 */
const variables = [
  'LIVE_MYSQL',
  'LIVE_SQLSERVER',
  'LIVE_ORACLE',
  'LIVE_SHAREPOINT',
  'LIVE_ONEDRIVE',
  'LIVE_GOOGLE_DRIVE',
  'LIVE_S3',
]

for (const variable of variables) {
  const text = process.env[variable]
  if (text === undefined) console.warn(`SKIPPED: ${variable}: names no server to test on`)
  describe.skipIf(text === undefined)(variable, () => {
    const { name, ...source } = JSON.parse(text ?? '{}') as Source & { name: string }

    test('connects, lists, finds, shows and reads', async () => {
      expect(await checkSource(source, localContext())).toMatchObject({ ok: true, checks: { length: 4 } })
      const first = await previewSource(source, localContext(), { limit: 1 })
      expect(first.entries).toHaveLength(1)
      if (first.cursor !== undefined) {
        const second = await previewSource(source, localContext(), { limit: 1, cursor: first.cursor })
        expect(second.entries[0]!.name).not.toBe(first.entries[0]!.name)
      }
      expect((await locateInSource(source, localContext(), [name, 'no.such']))[1]).toBeUndefined()
      const { entry, columns, rows } = await previewEntry(source, localContext(), name)
      expect(entry.name).toBe(name)
      const { body } = await openFromSource(source, localContext(), name)
      let text = ''
      for await (const chunk of body) text += (chunk as Buffer).toString('latin1')
      if (!columns) return expect(text.length).toBe(entry.size ?? text.length)
      expect(text.split('\n')[0]!.split(',')).toHaveLength(columns.length)
      expect(rows!.every(row => row.length === columns.length)).toBe(true)
    })

    test('refuses a wrong secret', async () => {
      const secrets = Object.fromEntries(
        Object.entries(source.secrets).map(([field, value]) => [field, field.endsWith('key') ? value : `${value}x`]),
      )
      if (JSON.stringify(secrets) === JSON.stringify(source.secrets)) return
      expect(await checkSource({ ...source, secrets }, localContext())).toMatchObject({ problem: 'source_auth_failed' })
    })

    test('cancels', async () => {
      const controller = new AbortController()
      controller.abort()
      await expect(openFromSource(source, localContext({ signal: controller.signal }), name)).rejects.toMatchObject({
        name: 'AbortError',
      })
    })
  })
}
