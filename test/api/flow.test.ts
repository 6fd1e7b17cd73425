import { describe, expect, test } from 'vitest'
import { ApiError, type Client } from '../../shared/api/client.ts'
import { anonymise, download, upload, uploadLarge, wait } from '../../shared/api/flow.ts'
import { useService } from './setup.ts'

const service = await useService()
const { client } = await service.person()

const LETTER = 'Write to ada@example.org.'
const MASKED = 'Write to [EMAIL].'
const named = { name: 'Letters', presetId: 'default' }
const letter = (name: string) => ({ name, content: LETTER })
const textOf = async (asset_id: string) => new Response((await download(client, asset_id)).body).text()
const jobs = async () => (await client.jobs.list()).map(({ id }) => id).sort()

describe('the flow of the client', { timeout: 120_000 }, () => {
  test('anonymises files by a preset or a workflow, tells how far it is, and fetches what came of them', async () => {
    const told: number[] = []
    const progress = ({ bytesDone }: { bytesDone: number }) => void told.push(bytesDone)
    const content = new Blob([LETTER], { type: 'text/plain' })
    const job = await anonymise(client, named, [new File([content], 'a.txt'), { name: 'b.txt', content }], { progress })
    expect([job.status, job.Assets.map(({ name }) => name).sort()]).toEqual(['SUCCEEDED', ['a.txt', 'b.txt']])
    for (const { outputAssetId } of job.result!.assets) expect(await textOf(outputAssetId!)).toBe(MASKED)
    const { name, size, body } = await download(client, job.result!.assets[0]!.outputAssetId!)
    await body.cancel()
    expect([name.slice(1), size]).toEqual(['.txt', MASKED.length])
    expect(told.length).toBeGreaterThan(0)
    const config = { regexRuleConfig: { pattern: 'ada' } }
    const rule = await client.rules.create({ body: { name: 'Ada', type: 'REGEX', config } })
    const rules = [{ ruleId: rule.id, replacement: { text: 'X' } }]
    const { id: workflowId } = await client.workflows.create({
      body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } },
    })
    const other = await anonymise(client, { name: 'Letters', workflowId }, [letter('a.txt')])
    expect(await textOf(other.result!.assets[0]!.outputAssetId!)).toBe('Write to X@example.org.')
  })

  test('sends large files to the store', async () => {
    const files = Array.from({ length: 5 }, (_, n) => ({ name: `${n}.txt`, content: 'x'.repeat(n * 400_000 + 1) }))
    const { Assets } = await upload(client, named, files)
    const told = Assets.map(({ name, size, status }) => [name, size, status])
    expect(told.sort()).toEqual(files.map(({ name, content }) => [name, content.length, 'READY']))
    expect(await textOf(Assets.find(({ name }) => name === '1.txt')!.id)).toBe(files[1]!.content)
  })

  test('sends again what the store or the connection has failed, also if only the answer was lost', async () => {
    const faults = [
      async () => new Response('', { status: 503 }),
      async (...given: Parameters<typeof fetch>) => {
        await (await fetch(...given)).body?.cancel()
        throw new TypeError('fetch failed')
      },
    ]
    const failing: typeof fetch = (...given) => (faults.shift() ?? fetch)(...given)
    const job = await uploadLarge(client, named, [letter('a.txt')], { fetch: failing })
    expect([job.Assets[0]!.status, faults]).toEqual(['READY', []])
  })

  test('leaves no job where a file is refused, or where it is stopped', async () => {
    const before = await jobs()
    const refuse: typeof fetch = async () => new Response('', { status: 403 })
    await expect(uploadLarge(client, named, [letter('a.txt')], { fetch: refuse })).rejects.toMatchObject({
      status: 403,
    })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(anonymise(client, named, [letter('a.txt')], { signal })).rejects.toThrow('enough')
    await expect(uploadLarge(client, named, [letter('a.txt')], { signal })).rejects.toThrow('enough')
    await expect(anonymise(client, { name: 'x', presetId: 'none' }, [letter('a.txt')])).rejects.toBeInstanceOf(ApiError)
    await expect(anonymise(client, named, [])).rejects.toMatchObject({ status: 422 })
    const workflowId = '00000000-0000-4000-8000-000000000000'
    await expect(upload(client, { name: 'x', workflowId }, [letter('a.txt')])).rejects.toBeInstanceOf(ApiError)
    expect(await jobs()).toEqual(before)
  })

  test('tells of files that can not be anonymised, without failing itself', async () => {
    const job = await anonymise(client, named, [letter('a.txt'), { name: 'b.pdf', content: '%PDF-1.7 no' }])
    expect(job.status).toBe('FAILED')
    const outputs = job.result!.assets.map(({ name, outputAssetId }) => [name, outputAssetId !== null])
    expect(Object.fromEntries(outputs)).toEqual({ 'a.txt': true, 'b.pdf': false })
  })

  test('waits as long as the service asks for, and no longer than it is let', async () => {
    const busy = () => new ApiError(429, new Headers({ 'Retry-After': '0.01' }), [])
    const answers = ['429', 'IN_PROGRESS', '429', 'SUCCEEDED']
    const progress = { assets: 1, done: 0, failed: 0, bytesDone: 0, bytesTotal: 1 }
    const status = async () => {
      const status = answers.shift()!
      if (status === '429') throw busy()
      return { id: 'a', status, progress }
    }
    const fake = { jobs: { status, get: async () => ({ id: 'a' }) } } as unknown as Client
    expect([await wait(fake, 'a'), answers]).toEqual([{ id: 'a' }, []])
    const running = { jobs: { status: async () => ({ status: 'IN_PROGRESS', progress }) } } as unknown as Client
    const stop = new AbortController()
    const told = () => stop.abort(new Error('enough'))
    await expect(wait(running, 'a', { signal: stop.signal, progress: told })).rejects.toThrow('enough')
  })
})
