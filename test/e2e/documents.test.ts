import { expect, test } from 'vitest'
import { rgba } from '../../shared/engine/formats/image/bitmap.ts'
import { kindOf } from '../../shared/engine/formats/image/kinds.ts'
import { useService } from '../api/setup.ts'
import { ended } from '../api/waiting.ts'
import { layers } from '../engine/formats/hiding.ts'
import { body, deck, runs, tree } from '../engine/formats/hiding-samples.ts'
import { makeDocx, makeOdf, readZip } from '../engine/formats/package.ts'
import { typedPicture } from '../engine/formats/picture-samples.ts'

const { client } = (await useService()).admin

const picture = await kindOf('png').encode(
  [rgba(await typedPicture(['A letter of Zyanne Quorum', 'to the Northern Harbour Bank']))],
  new Uint8Array(),
)
const text = 'A letter of Zyanne Quorum'
const docx = makeDocx(body(text), { 'word/media/image1.png': picture, 'word/vbaProject.bin': 'Zymacro' }, [
  ['r1', 'image', 'media/image1.png'],
  ['r2', 'vbaProject', 'vbaProject.bin'],
])
const eml = `From: zyanne@example.com\r\nTo: b@example.com\r\nSubject: ${text}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: application/octet-stream; name=a.docx\r\nContent-Transfer-Encoding: base64\r\n\r\n${makeDocx(body(text)).toString('base64')}\r\n--b--\r\n`

const files: Record<string, string | Uint8Array> = {
  'letter.docx': docx,
  'talk.pptx': deck(tree(runs(text))),
  'letter.odt': makeOdf('text', `<text:p>${text}</text:p>`),
  'letter.html': `<!DOCTYPE html><html><body><p title="${text}">${text}</p></body></html>`,
  'letter.eml': eml,
  'letter.rtf': `{\\rtf1\\ansi ${text}\\par}`,
  'letter.md': `# ${text}\n`,
  'letter.xml': `<letter from="Zyanne">${text}</letter>`,
  'letter.json': JSON.stringify({ text }),
  'letter.txt': text,
  'letter.png': picture,
}
const old = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.alloc(600),
  Buffer.from('WordDocument', 'utf16le'),
])

test('a job of documents of many formats, one of which must be refused', { timeout: 300_000 }, async () => {
  const config = { regexRuleConfig: { pattern: '\\bZy\\w*', flags: 'i' } }
  const rule = await client.rules.create({ body: { name: 'Canary', type: 'REGEX', config } })
  const rules = [{ ruleId: rule.id, replacement: { text: '[X]' } }]
  const workflow = await client.workflows.create({
    body: { name: 'Letters', supportedAssetType: 'DOCUMENT', config: { rules } },
  })
  const contents = new Map<string, Uint8Array>(
    [...Object.entries(files), ['old.doc', old] as const].map(([name, content]) => [name, Buffer.from(content)]),
  )
  const wanted = [...contents].map(([filename, { length: size }]) => ({
    filename,
    size,
    contentType: 'application/octet-stream',
  }))
  const { id, Assets } = await client.jobs.uploads({ body: { name: 'Letters', files: wanted } })
  for (const { name, upload } of Assets) {
    if (upload?.method !== 'PUT') throw new Error('not a single upload')
    const sent = await fetch(upload.url, { method: 'PUT', body: contents.get(name)!, headers: upload.headers })
    expect(sent.status).toBe(200)
  }
  await client.jobs.update({ job_id: id, body: { workflowId: workflow.id } })
  await client.jobs.execute({ job_id: id })
  const { status, result } = await ended(client, id)

  expect(status).toBe('FAILED')
  expect(result!.counts).toMatchObject({ assets: contents.size, succeeded: contents.size - 1, failed: 1 })
  const refused = result!.assets.find(({ name }) => name === 'old.doc')!
  expect(refused).toMatchObject({ status: 'FAILED', outputAssetId: null, errors: [{ type: 'unsupported_format' }] })

  for (const { assetId, name, outputAssetId, findings, report, url } of result!.assets) {
    if (name === 'old.doc') continue
    const output = Buffer.from(await (await fetch(url!)).arrayBuffer())
    expect([name, [...layers(output)].some(layer => /zyanne/i.test(layer))]).toEqual([name, false])
    expect(findings[0]!.count).toBeGreaterThan(0)
    const told = await client.assets.report({ asset_id: assetId })
    expect(told.report).toEqual(report)
    expect(told.findings).toEqual(findings)
    expect(report!.format).toBe(name.split('.')[1])
    expect(report!.examined).toBeGreaterThanOrEqual(text.length)
    expect(JSON.stringify(told)).not.toMatch(/zyanne|quorum/i)
    expect((await client.assets.get({ asset_id: outputAssetId! })).name).toMatch(/\.\w+$/)
    if (name === 'letter.png') expect(report!.ocr).toMatchObject({ pages: 1 })
    if (name !== 'letter.docx') continue
    expect(report).toMatchObject({ ocr: { pages: 1 }, dropped: expect.arrayContaining([{ what: 'macros', count: 1 }]) })
    expect(readZip(output).get('word/document.xml')!.toString()).toContain('A letter of [X] Quorum')
  }
})
