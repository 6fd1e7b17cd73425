import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SourceKind } from '../../shared/api/source-kinds.ts'
import { sourceKinds } from '../../shared/api/source-kinds.ts'
import { SourceTest } from '../../shared/api/sources.ts'
import { talk } from './http.ts'
import { useService } from './setup.ts'

type Body = { name: string; kind: SourceKind; config: Record<string, unknown> }

const page = readFileSync(new URL('../../docs/source-settings.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^## (.+)$[\s\S]*?^```json\n([\s\S]*?)^```/gm)].map(
  ([, title, json]) => [title!, JSON.parse(json!) as Body] as const,
)

const service = await useService()
const { good } = talk(service, await service.person())

describe('the examples of docs/source-settings.md', () => {
  test('there is one for each way to configure a source', () => {
    const ways = Object.entries(sourceKinds).flatMap(([kind, { config }]) =>
      'options' in config ? config.options.map(() => kind) : [kind],
    )
    expect(examples.map(([, { kind }]) => kind).toSorted()).toEqual(ways.toSorted())
  })

  test.each(examples)('%s is taken as it stands, and without its name can be tested', async (_, body) => {
    const { name, kind, config } = body
    const source = await good('POST', '/sources/', body)
    const secret: readonly string[] = sourceKinds[kind].secret
    const shown = Object.fromEntries(Object.entries(config).filter(([field]) => !secret.includes(field)))
    expect(source).toMatchObject({ name, kind, config: shown })
    // Whether a server is there is none of this test's business, so the body is only checked.
    expect(SourceTest.safeParse({ kind, config }).error).toBeUndefined()
  })

  test('a test of a source of local files is answered', async () => {
    const [, { kind, config }] = examples.find(([, body]) => body.kind === 'LOCAL_ASSET')!
    expect(await good('POST', '/sources/test', { kind, config })).toMatchObject({ checks: expect.any(Array) })
  })
})
