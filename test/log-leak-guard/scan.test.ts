import { describe, expect, test } from 'vitest'
import { type Canaries, rememberDocument, rememberFields, rememberRequest } from './canaries.ts'
import { findLeaks } from './scan.ts'

const canaries: Canaries = new Set()
const form = new FormData()
form.append('files', new File(['Dear "Grace",\nthe number is 4111 1111 1111 1111.\n'], 'letter.txt'))
await rememberRequest(canaries, new URL('http://127.0.0.1/api/jobs/upload'), {
  headers: { Authorization: 'Bearer eyJhbGciOi.payload.signature' },
  body: form,
})
const source = { config: { host: 'files.example.org', password: 'köpenick 1906' } }
await rememberRequest(canaries, new URL('http://127.0.0.1/b/k?X-Amz-Signature=0123456789abcdef'), {
  body: JSON.stringify(source),
})
rememberFields(canaries, {
  access_token: 'eyJhbGciOi.another.token',
  items: [{ temporaryPassword: 'aB3-dE5-gH7-jK9' }],
})
rememberDocument(canaries, 'id,mail\r\n7,ada.lovelace@example.org\r\n')

describe('a line of a log is caught that holds', () => {
  test.each([
    ['a number of a document', 'found 4111 1111 1111 1111 at 3'],
    ['a line of a document, as JSON', JSON.stringify({ message: 'Dear "Grace",' })],
    ['an address of a document', 'to ada.lovelace@example.org'],
    ['a token that was sent', 'header eyJhbGciOi.payload.signature'],
    ['a token that was answered', '{"token":"eyJhbGciOi.another.token"}'],
    ['a temporary password', 'set aB3-dE5-gH7-jK9'],
    ['a secret of a source', 'connect with köpenick 1906'],
    ['a secret of a source in an address', `ftp://me:${encodeURIComponent('köpenick 1906')}@host`],
    ['the signature of an address', 'GET /b/k?X-Amz-Signature=0123456789abcdef&x=1'],
  ])('%s', (_, line) => {
    const text = `{"message":"before"}\n${line}\n{"message":"after"}\n`
    expect(findLeaks(text, canaries).map(leak => leak.line)).toEqual([line])
  })
})

test('lines without any of it are fine', () => {
  const text = `{"message":"request done","status":200}\nfiles.example.org letter.txt eyJhbGciOi\n`
  expect(findLeaks(text, canaries)).toEqual([])
})
