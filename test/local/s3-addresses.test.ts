import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, test } from 'vitest'
import { Bucket, bucket } from './bucket.ts'

describe('pre-signed addresses', () => {
  const target = { Bucket, Key: 'dir/ünï +&%.csv' }

  test('upload a part', async () => {
    const { s3, get } = await bucket()
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target))
    const url = await getSignedUrl(s3, new UploadPartCommand({ ...target, UploadId, PartNumber: 1 }), { expiresIn: 60 })
    const answer = await fetch(url, { method: 'PUT', body: 'part' })
    const Parts = [{ ETag: answer.headers.get('etag')!, PartNumber: 1 }]
    await s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
    expect((await get(target.Key)).toString()).toBe('part')
  })

  test('are good for what was signed and nothing else', async () => {
    let time = Date.now()
    const { s3, put } = await bucket({ now: () => time })
    await put(target.Key, 'content')
    await put('other', 'secret')
    const url = await getSignedUrl(s3, new GetObjectCommand(target), { expiresIn: 60 })
    const status = async (address: string, more = {}) => (await fetch(address, more)).status
    expect(await status(url)).toBe(200)
    expect(await status(url, { method: 'PUT', body: 'x' })).toBe(403)
    expect(await status(url, { method: 'DELETE' })).toBe(403)
    expect(await status(url.replace(/dir\/[^?]*/, 'other'))).toBe(403)
    expect(await status(`${url}&response-content-type=text/html`)).toBe(403)
    expect(await status(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))).toBe(403)
    expect(await status(url, { headers: { 'x-amz-server-side-encryption': 'AES256' } })).toBe(403)
    time += 61_000
    expect(await status(url)).toBe(403)
  })

  test('of an upload hold its content type', async () => {
    const { s3 } = await bucket()
    const command = new PutObjectCommand({ ...target, ContentType: 'text/csv' })
    const url = await getSignedUrl(s3, command, { expiresIn: 60, signableHeaders: new Set(['content-type']) })
    const send = (type: string) => fetch(url, { method: 'PUT', body: 'a,b', headers: { 'content-type': type } })
    expect((await send('text/html')).status).toBe(403)
    expect((await send('text/csv')).status).toBe(200)
  })
})

describe('forms', () => {
  type Change = (form: FormData) => void
  async function post(change: Change, clock = { time: Date.now() }, late = 0) {
    const { s3, get } = await bucket({ now: () => clock.time })
    const { url, fields } = await createPresignedPost(s3, {
      Bucket,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: S3 puts the file's name there
      Key: 'in/${filename}',
      Conditions: [
        ['content-length-range', 1, 10],
        ['starts-with', '$Content-Type', 'text/'],
      ],
      Fields: { 'Content-Type': 'text/plain' },
      Expires: 60,
    })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    change(form)
    clock.time += late
    const answer = await fetch(url, { method: 'POST', body: form })
    return { status: answer.status, text: await answer.text(), get }
  }
  const file =
    (content: string): Change =>
    form =>
      form.append('file', new Blob([content]), 'a b.txt')

  const withChange =
    (change: (form: FormData) => unknown): Change =>
    form => {
      change(form)
      file('x')(form)
    }

  test('put their file where the policy says', async () => {
    const { status, get } = await post(file('content'))
    expect([status, (await get('in/a b.txt')).toString()]).toEqual([204, 'content'])
  })

  test.each([
    ['a file too large', file('x'.repeat(11)), 400],
    ['an empty file', file(''), 400],
    ['another type', withChange(form => form.set('Content-Type', 'image/png')), 403],
    ['another key', withChange(form => form.set('key', 'out/x')), 403],
    ['a field that the policy does not know', withChange(form => form.append('x-amz-meta-a', 'b')), 403],
    ['another policy', withChange(form => form.set('Policy', btoa('{"conditions":[]}'))), 403],
    ['no signature', withChange(form => form.delete('X-Amz-Signature')), 403],
    ['no file', () => undefined, 400],
  ] as [string, Change, number][])('with %s are refused', async (_, change, expected) => {
    expect((await post(change)).status).toBe(expected)
  })

  test('that come late are refused', async () => {
    expect((await post(file('x'), { time: Date.now() }, 61_000)).status).toBe(403)
  })
})
