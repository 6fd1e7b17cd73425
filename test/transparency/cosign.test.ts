import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Settings } from '../../shared/settings.ts'
import { cosignLog } from '../../shared/transparency/cosign.ts'
import { extendLog } from '../../shared/transparency/extend.ts'
import { currentLog, newestCheckpoint } from '../../shared/transparency/log.ts'
import { cosignaturesIn, readWitnessKey, signaturesOf, verifierKey } from '../../shared/transparency/note.ts'
import { receiptOf } from '../../shared/transparency/proofs.ts'
import { certifiedJob, type RunningLog, startLog } from './running-log.ts'
import { startWitness } from './witness-server.ts'

let log: RunningLog
beforeAll(async () => {
  log = await startLog()
})
afterAll(() => log?.stop())

type Running = Awaited<ReturnType<typeof startWitness>>

async function witness(name: string, answering?: Parameters<typeof startWitness>[2]): Promise<Running> {
  const { origin, key } = await currentLog()
  const started = await startWitness(name, verifierKey(origin, key), answering)
  onTestFinished(async () => void (await started.stop()))
  return started
}

const cosign = (witnesses: readonly Pick<Running, 'key' | 'url'>[], EGRESS_ALLOW = '127.0.0.0/8') =>
  cosignLog({ WITNESSES: witnesses.map(({ key, url }) => `${key} ${url}`).join(', '), EGRESS_ALLOW })

async function extend(): Promise<string> {
  const { entry } = await certifiedJob()
  await extendLog()
  return entry
}

const noteNow = async () => (await newestCheckpoint(await currentLog()))!.note

/** The names under the newest checkpoint whose signatures hold. */
async function signers(witnesses: readonly Running[]): Promise<string[]> {
  const note = await noteNow()
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  return witnesses.flatMap(({ name, key }) =>
    cosignaturesIn(text, signaturesOf(note), readWitnessKey(key)).map(() => name),
  )
}

test('witnesses sign each checkpoint by the proof that it grew, once, and receipts carry their signatures', async () => {
  const [one, other] = [await witness('one.example/w'), await witness('other.example')]
  for (let round = 0; round < 4; round++) {
    for (let more = 0; more <= round; more++) await extend()
    const entry = await extend()
    await cosign([one, other])
    expect(await signers([one, other])).toEqual([one.name, other.name])
    const { size } = (await newestCheckpoint(await currentLog()))!.checkpoint
    expect([one.seen(), other.seen()]).toEqual([size, size])
    expect(await receiptOf(entry)).toContain(`\n— ${one.name} `)
  }
  const asked = one.asked.length
  expect(new Set(one.asked)).toEqual(new Set(['POST /w/add-checkpoint']))
  await cosign([one, other])
  expect(one.asked.length).toBe(asked)
  // One that has lost what it knew begins again.
  await extend()
  one.remember(0, '')
  await cosign([one])
  expect(await signers([one])).toEqual([one.name])
})

test('a witness that fails or lies adds nothing, and holds neither the log nor the others up', {
  timeout: 120_000,
}, async () => {
  const good = await witness('good.example')
  const elsewhere = 'anonymisation-service/0000000000000000\n1\nAAAA\n'
  const liar: Running = await witness('liar.example', ([status]) => [status, liar.cosigned(elsewhere)])
  const bad = [
    liar,
    await witness('ahead.example', () => [409, '999999999\n']),
    await witness('vague.example', () => [409, 'many\n']),
    await witness('silent.example', () => [200, '']),
    await witness('loud.example', () => [200, 'x'.repeat(100_000)]),
    await witness('strict.example', () => [403, 'no']),
    await witness('moved.example', () => [302, '']),
    await witness('other-key.example', ([status, body]) => [status, body.replace(/ \S+\n$/, ` ${'A'.repeat(96)}\n`)]),
  ]
  const gone = await witness('gone.example')
  await gone.stop()
  const entry = await extend()
  const before = await noteNow()
  await cosign([...bad, gone, good])
  const note = await noteNow()
  expect(note.startsWith(before)).toBe(true)
  expect(signaturesOf(note).map(line => line.split(' ')[1])).toEqual([(await currentLog()).origin, good.name])
  expect(await receiptOf(entry)).toContain(`\n— ${good.name} `)
  await extend()
  expect(await signers([good])).toEqual([])
})

test('a witness refuses a log that is not the one which it has seen', async () => {
  const seen = await witness('seen.example')
  await extend()
  const { root, size } = (await newestCheckpoint(await currentLog()))!.checkpoint
  await extend()
  seen.remember(size, Buffer.alloc(32).toString('base64'))
  await cosign([seen])
  expect(await signers([seen])).toEqual([])
  seen.remember(size, root.toString('base64'))
  await cosign([seen])
  expect(await signers([seen])).toEqual([seen.name])
})

test('keys and addresses that are none are refused when the service starts', async () => {
  const { key } = await witness('named.example')
  const takes = (text: string) => Settings.shape.WITNESSES.safeParse(text).success
  const good = `${key} https://witness.example/prefix`
  for (const text of ['', good, `${good}, ${key} http://127.0.0.1:8000`])
    expect([text, takes(text)]).toEqual([text, true])
  for (const text of [
    key,
    'https://witness.example',
    `${good} ${good}`,
    `${key} ftp://x`,
    `${good};${good}`,
    `${key.slice(key.indexOf('+') + 1)} https://x`,
  ])
    expect([text, takes(text)]).toEqual([text, false])
})

test('without a network that is allowed no witness is asked', async () => {
  const near = await witness('near.example')
  await extend()
  await cosign([near], '')
  expect([near.asked, await signers([near])]).toEqual([[], []])
  await cosignLog({ WITNESSES: '', EGRESS_ALLOW: '' })
})
