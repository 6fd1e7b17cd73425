import { expect, test } from 'vitest'
import { type SourceRecord, showSource } from '../../shared/store/sources.ts'

test.each([
  ['https://ada:SECRET@store.example.org/a?b=c@d', 'https://store.example.org/a?b=c@d'],
  ['HTTP://SECRET@store.example.org:9000', 'HTTP://store.example.org:9000'],
  ['https://a@b:SECRET@store.example.org/@', 'https://store.example.org/@'],
  ['https:\\\\ada:SECRET@store.example.org/', 'https:\\\\store.example.org/'],
  ['https://store.example.org/a@b', 'https://store.example.org/a@b'],
])('shows a URL that was stored with a log-in, when those were taken, without it: %s', (endpoint, shown) => {
  const source = { id: 'a', kind: 'CLOUD_DRIVE', config: { endpoint, bucket: 'a' }, sealed: { secret: '…' } }
  expect(showSource(source as unknown as SourceRecord)).toMatchObject({ config: { endpoint: shown, bucket: 'a' } })
})
