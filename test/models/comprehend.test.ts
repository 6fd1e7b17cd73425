import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LoadedModel } from '../../shared/engine/models/model.ts'
import { comprehendSource } from '../../shared/models/comprehend.ts'
import { batchTexts } from '../../shared/models/comprehend-batches.ts'

/** What the stand-in for the service saw, and how it is told to misbehave. */
let requests: { target: string; text: string; language: string }[] = []
let throttled = 0
let refused: string | undefined
let shifted = 0

/** Speaks AWS JSON 1.1 as strictly as the service: refuses what the service refuses, finds every `Name` + digits. */
const server = createServer(async (request, response) => {
  const reply = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  }
  const fail = (type: string) => reply(400, { __type: type, Message: 'refused' })
  const body = await read(request)
  if (request.method !== 'POST' || request.url !== '/') return fail('UnknownOperationException')
  if (request.headers['content-type'] !== 'application/x-amz-json-1.1') return fail('SerializationException')
  if (
    !/^AWS4-HMAC-SHA256 Credential=AKIDTEST\/\d{8}\/eu-north-1\/comprehend\/aws4_request/.test(
      request.headers.authorization ?? '',
    )
  ) {
    return fail('IncompleteSignatureException')
  }
  const target = String(request.headers['x-amz-target']).replace('Comprehend_20171127.', '')
  const { Text, LanguageCode, ...more } = JSON.parse(body)
  if (Object.keys(more).length > 0 || typeof Text !== 'string' || Text === '') return fail('InvalidRequestException')
  if (Buffer.byteLength(Text) > 100_000) return fail('TextSizeLimitExceededException')
  if (target === 'DetectPiiEntities' ? !['en', 'es'].includes(LanguageCode) : target !== 'DetectEntities')
    return fail('UnsupportedLanguageException')
  if (refused) return fail(refused)
  if (throttled-- > 0) return fail('ThrottlingException')
  requests.push({ target, text: Text, language: LanguageCode })
  let at = 0
  let count = 0
  const Entities = Array.from(Text.matchAll(/Name\d+/g), ({ index, 0: found }) => {
    count += [...Text.slice(at, index)].length
    at = index
    const BeginOffset = count + shifted
    const entity = {
      Score: 0.9,
      Type: target === 'DetectEntities' ? 'PERSON' : 'NAME',
      BeginOffset,
      EndOffset: BeginOffset + found.length,
    }
    return target === 'DetectEntities' ? { ...entity, Text: found } : entity
  })
  reply(200, { Entities })
})

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  environment = { AWS_ENDPOINT_URL_COMPREHEND: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  Object.assign(process.env, {
    AWS_REGION: 'eu-north-1',
    AWS_ACCESS_KEY_ID: 'AKIDTEST',
    AWS_SECRET_ACCESS_KEY: 'secret',
  })
})
afterAll(() => server.close())
beforeEach(() => {
  requests = []
  throttled = 0
  refused = undefined
  shifted = 0
})

const load = async (modelId = 'aws-comprehend-pii'): Promise<LoadedModel> =>
  (await comprehendSource(environment)({ modelId, modelVersion: 'managed' }))!

test('texts are joined into one request and found in their own places, characters of every width counted right', async () => {
  const texts = ['Name1', '', '😀 日本 Name2!', 'nobody', 'x Name3 Name4']
  const found = await (await load()).detect(texts, { threshold: 0.5 })
  expect(found.map((list, i) => list.map(one => `${one.label} ${texts[i]!.slice(one.start, one.end)}`))).toEqual([
    ['NAME Name1'],
    [],
    ['NAME Name2'],
    [],
    ['NAME Name3', 'NAME Name4'],
  ])
  expect(requests).toHaveLength(1)
})

test('a text of any length is sent in parts under the limit, and nothing between two parts is lost', async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `日本 Name${i}`).join(' ')
  const [found] = await (await load('aws-comprehend-entities')).detect([text], { threshold: 0.5, language: 'de-AT' })
  expect(new Set(found!.map(one => text.slice(one.start, one.end))).size).toBe(20_000)
  expect(requests.length).toBeGreaterThan(2)
  expect(new Set(requests.map(one => `${one.target} ${one.language}`))).toEqual(new Set(['DetectEntities de']))
})

test('threshold and entities are kept to', async () => {
  const model = await load()
  expect(await model.detect(['Name1'], { threshold: 0.95 })).toEqual([[]])
  expect(await model.detect(['Name1'], { threshold: 0.5, entities: ['EMAIL'] })).toEqual([[]])
})

test('throttling is waited for', async () => {
  throttled = 2
  const [found] = await (await load()).detect(['Name1'], { threshold: 0.5 })
  expect(found).toHaveLength(1)
})

test('a refusal fails the asset with its name and nothing of the text', async () => {
  refused = 'AccessDeniedException'
  await expect((await load()).detect(['Name1'], { threshold: 0.5 })).rejects.toMatchObject({
    type: 'model_load_failed',
    message: 'Model aws-comprehend-pii: AWS Comprehend refuses (AccessDeniedException)',
  })
})

test('offsets that do not fit the text fail the asset', async () => {
  shifted = 1
  await expect((await load('aws-comprehend-entities')).detect(['a Name1 b'], { threshold: 0.5 })).rejects.toThrow(
    'do not fit',
  )
})

test('a language that the service does not know is refused before anything is sent', async () => {
  await expect((await load()).detect(['Name1'], { threshold: 0.5, language: 'sv' })).rejects.toThrow(
    'language sv is not supported',
  )
  expect(requests).toEqual([])
})

test('in the local cloud it says that it is not available', async () => {
  const source = comprehendSource({ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' })
  const reference = { modelId: 'aws-comprehend-pii', modelVersion: 'managed' }
  await expect(source(reference)).rejects.toMatchObject({ type: 'model_load_failed' })
  expect(await source({ modelId: 'other', modelVersion: 'managed' })).toBeUndefined()
})

test('parcels hold every character, each under the limit', () => {
  for (const unit of ['a', 'é ', '日', '😀', 'word ']) {
    const text = unit.repeat(120_000)
    let reached = 0
    for (const { text: sent, items, units } of batchTexts([text])) {
      expect(Buffer.byteLength(sent)).toBeLessThan(100_000)
      expect(units.at(-1)).toBe(sent.length)
      expect(items[0]!.from).toBeLessThanOrEqual(reached)
      expect(text.slice(items[0]!.from, items[0]!.from + items[0]!.length)).toBe(sent.slice(0, -1))
      reached = items[0]!.from + items[0]!.length
    }
    expect(reached).toBe(text.length)
  }
})
