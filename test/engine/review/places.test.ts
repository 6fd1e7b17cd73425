import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { inspect } from '../../../shared/engine/inspect.ts'
import type { Decision } from '../../../shared/engine/review/decisions.ts'
import type { ProposedText } from '../../../shared/engine/review/proposals.ts'
import { call, regexRule } from '../call.ts'
import { makePdf, showPdf } from '../formats/pdf-samples.ts'

const rules = [regexRule('name', 'Zyada')]

const textsOf = async (name: string, bytes: Uint8Array) => {
  const { places } = await inspect({ ...call({ input: bufferInput(name, bytes), rules }), proposes: true })
  const lines = Buffer.from(await places.file.read(0, places.file.size))
    .toString()
    .trim()
    .split('\n')
  return lines.map(line => JSON.parse(line) as ProposedText).filter(one => 'text' in one)
}

const decided = async (name: string, bytes: Uint8Array, decisions: Decision[]) => {
  const { output } = await anonymise({ ...call({ input: bufferInput(name, bytes), rules }), decisions })
  return output.read(0, output.size)
}

const add = (textId: string, start: number, end: number): Decision => ({
  action: 'add',
  at: { textId, start, end },
  label: 'SEEN',
})

describe('a place that a review adds', () => {
  const letter = Buffer.from('Zyada met Zybob at noon.')

  test('is replaced', async () => {
    const [{ id }] = (await textsOf('a.txt', letter)) as [ProposedText]
    expect(Buffer.from(await decided('a.txt', letter, [add(id, 10, 15)])).toString()).not.toContain('Zybob')
  })

  test('fails the file if it is in none of its texts', async () => {
    const [{ id }] = (await textsOf('a.txt', letter)) as [ProposedText]
    for (const wrong of [add('nothing', 10, 15), add(id, 24, 30)])
      await expect(decided('a.txt', letter, [add(id, 10, 15), wrong])).rejects.toMatchObject({ type: 'leak_detected' })
  })

  test('is met in a long text that is gone through in pieces', async () => {
    const long = Buffer.from(`${'Zyada met nobody at noon. '.repeat(20_000)}Zybob came later.`)
    const texts = await textsOf('a.txt', long)
    const last = texts.at(-1)!
    const start = (last.place.offset ?? 0) + last.text.indexOf('Zybob')
    expect(Buffer.from(await decided('a.txt', long, [add(last.id, start, start + 5)])).toString()).not.toContain(
      'Zybob',
    )
  })

  test('is met on any page', async () => {
    const pdf = await makePdf(['Write to Zyada today', 'Zybob came later'])
    const texts = await textsOf('a.pdf', pdf)
    const one = texts.find(({ text }) => text.includes('Zybob'))!
    const start = (one.place.offset ?? 0) + one.text.indexOf('Zybob')
    const shown = await showPdf(await decided('a.pdf', pdf, [add(one.id, start, start + 5)]))
    expect(shown.join('\n')).not.toContain('Zybob')
  })
})
