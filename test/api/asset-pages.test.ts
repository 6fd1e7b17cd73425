import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { decodeJpeg } from '../../shared/engine/formats/image/codecs.ts'
import { makeDocx } from '../engine/formats/package.ts'
import { makeWorkflow } from './requests.ts'
import { useService } from './setup.ts'
import { succeeded } from './waiting.ts'

const service = await useService()
const owner = await service.person()
const { client } = owner

/** A finished job of one file, in which numbers are replaced. */
async function finished(name: string, content: Uint8Array<ArrayBuffer> | string) {
  const { id: job_id } = await client.jobs.upload({ body: { name: 'Pages' }, files: [{ name, content }] })
  await client.jobs.update({ job_id, body: { workflowId: await makeWorkflow(client) } })
  await client.jobs.execute({ job_id })
  const { result } = await succeeded(client, job_id)
  return { job_id, ...result!.assets[0]! }
}

const page = (asset_id: string, number = 1, by = client) => by.assets.page({ asset_id, query: { page: number } })
const refusal = ({ status, detail }: { status: number; detail: { type: string; loc: string[] }[] }) => [
  status,
  detail[0]?.type,
]

async function pdfOf(lines: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create()
  for (const line of lines) document.addPage([400, 300]).drawText(line, { x: 40, y: 200 })
  return Uint8Array.from(await document.save())
}

test('of a PDF are pictures, of the input and of what was made of it', async () => {
  const { assetId, outputAssetId } = await finished('a.pdf', await pdfOf(['Call 112 now', 'Later']))
  const before = await page(assetId)
  expect(before).toMatchObject({ assetId, page: 1, pages: 2, more: true, texts: [] })
  const decoded = await decodeJpeg(Buffer.from(before.picture!.content, 'base64'))
  expect([decoded.width, decoded.height]).toEqual([before.picture!.width, before.picture!.height])
  const after = await page(outputAssetId!)
  expect(after).toMatchObject({ assetId: outputAssetId, pages: 2, more: true })
  expect(after.picture).toMatchObject({ width: before.picture!.width, height: before.picture!.height })
  expect(after.picture!.content).not.toBe(before.picture!.content)
  expect((await page(outputAssetId!, 2)).picture).toEqual((await page(assetId, 2)).picture)
  expect(await page(assetId, 3).catch(refusal)).toEqual([400, 'page_unknown'])
})

test('of a document of Office are texts', async () => {
  const body = '<w:p><w:r><w:t>Call 112 now</w:t></w:r></w:p><w:p><w:r><w:t>Then wait</w:t></w:r></w:p>'
  const { assetId, outputAssetId } = await finished('a.docx', Uint8Array.from(makeDocx(body)))
  const texts = async (id: string) => (await page(id)).texts.map(({ text }) => text)
  expect(await texts(assetId)).toEqual(['Call 112 now', 'Then wait'])
  expect(await texts(outputAssetId!)).toEqual(['Call # now', 'Then wait'])
  expect(await page(assetId)).toMatchObject({ pages: 1, more: false, picture: null })
})

test('of an output that was deleted are gone, and so is its download from job and report', async () => {
  const { job_id, assetId, outputAssetId, url } = await finished('b.txt', 'Call 112 now')
  expect(url).toMatch(/^http/)
  expect((await client.assets.report({ asset_id: outputAssetId! })).url).toMatch(/^http/)
  await client.assets.delete({ asset_id: outputAssetId! })
  expect(await page(outputAssetId!).catch(refusal)).toEqual([404, 'not_found'])
  expect(await client.assets.report({ asset_id: assetId })).toMatchObject({ outputAssetId, url: null })
  const { result } = await client.jobs.get({ job_id })
  expect(result!.assets).toMatchObject([{ assetId, outputAssetId, url: null }])
})

test('are shown to nobody else, and looks at them are recorded once an hour', async () => {
  const { assetId } = await finished('a.txt', 'Call 112 now')
  const other = await service.person()
  expect(await page(assetId, 1, other.client).catch(refusal)).toEqual([404, 'not_found'])
  for (let n = 0; n < 3; n++) await page(assetId)
  const entries = await service.admin.client.audit.list({ body: { filters: { userId: owner.user.id } } })
  const looks = entries.filter(({ operation, recordId }) => operation.endsWith('/page') && recordId === assetId)
  expect(looks).toHaveLength(1)
})

test.each([0, -1, 1.5, 1_000_001, 'x'])('have numbers from 1 on, so not %s', async number => {
  const { Assets } = await client.jobs.upload({ body: { name: 'A' }, files: [{ name: 'a.txt', content: 'A' }] })
  expect((await page(Assets[0]!.id, number as number).catch(refusal))[0 as never]).toBe(422)
})
