import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkpointText,
  noteOf,
  openNote,
  originOf,
  readCheckpoint,
  readVerifierKey,
  verifierKey,
} from '../../shared/transparency/note.ts'
import { leafHash } from '../../shared/transparency/tree.ts'
import { runs } from '../runs.ts'

/** The example of Go’s package `note`. */
const example = {
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const origin = originOf(publicKey)
const checkpoint = { origin, size: 3, root: leafHash('a') }
const signedBy = (text: string, key = privateKey, name = origin, as = publicKey) =>
  noteOf(text, name, as, sign(null, Buffer.from(text), key))
const good = signedBy(checkpointText(checkpoint))
const opened = (note: string) => openNote(note, origin, publicKey)

test('a note of another implementation is opened, and its key written as there', () => {
  const { name, key } = readVerifierKey(example.key)
  expect(verifierKey(name, key)).toBe(example.key)
  const note = `${example.text}\n— ${name} ${example.signature}\n`
  expect(openNote(note, name, key)).toBe(example.text)
  expect(openNote(note.replace('think', 'thank'), name, key)).toBeUndefined()
  const wrong = [
    example.key.replace('c74f20a3', 'c74f20a4'),
    example.key.slice(0, -4),
    example.key.replace('+AR', '+BB'),
    '',
  ]
  for (const text of wrong) expect(() => readVerifierKey(text)).toThrow('key')
})

test('a checkpoint says what was signed', () => {
  expect(readCheckpoint(opened(good)!)).toEqual(checkpoint)
  expect(readVerifierKey(verifierKey(origin, publicKey)).key.equals(publicKey)).toBe(true)
  expect(origin).toMatch(/^anonymisation-service\/[0-9a-f]{16}$/)
})

test('signatures of others are let pass, and do for nothing', () => {
  const other = generateKeyPairSync('ed25519')
  const theirs = signedBy(checkpointText(checkpoint), other.privateKey, 'witness.example', other.publicKey)
    .split('\n')
    .at(-2)
  expect(opened(`${good}${theirs}\n`)).toBe(checkpointText(checkpoint))
  expect(opened(`${checkpointText(checkpoint)}\n${theirs}\n`)).toBeUndefined()
  // Signed by another key that says it were ours.
  expect(opened(signedBy(checkpointText(checkpoint), other.privateKey))).toBeUndefined()
  expect(
    opened(`${good}${signedBy(checkpointText(checkpoint), other.privateKey).split('\n').at(-2)}\n`),
  ).toBeUndefined()
})

test('no note with one character changed, removed or added is opened', () => {
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.constantFrom('A', '0', '\n', ' ', '—', ''), (at, char) => {
      const changed = good.slice(0, at) + char + good.slice(at + 1)
      if (changed !== good) expect(opened(changed)).toBeUndefined()
      if (char !== '') expect(opened(good.slice(0, at) + char + good.slice(at))).toBeUndefined()
    }),
    { numRuns: runs(2000) },
  )
  for (const strange of ['', '\n', '\n\n', '— ', good.slice(0, -1), `${good}\0`, good.replaceAll('\n', '\r\n')])
    expect(opened(strange)).toBeUndefined()
  expect(opened(signedBy('x'.repeat(70_000)))).toBeUndefined()
})

test('a checkpoint has a size and a root that are written in one way', () => {
  const root = checkpoint.root.toString('base64')
  expect(readCheckpoint(`${origin}\n3\n${root}\nmore\n`)).toEqual(checkpoint)
  const strange = [
    `${origin}\n03\n${root}\n`,
    `${origin}\n-3\n${root}\n`,
    `${origin}\n3.0\n${root}\n`,
    `${origin}\n9007199254740993\n${root}\n`,
    `${origin}\n3\n${root.slice(0, -1)}\n`,
    `${origin}\n3\n${root.slice(4)}\n`,
    `${origin}\n3\n${root}`,
    `\n3\n${root}\n`,
    `${origin}\n3\n`,
    '',
  ]
  expect(strange.filter(text => readCheckpoint(text) !== undefined)).toEqual([])
})
