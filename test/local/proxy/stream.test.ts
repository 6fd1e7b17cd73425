import { createSecretKey } from 'node:crypto'
import { createPlaceholders, createRestorer } from 'anonymisation-engine/placeholders'
import { describe, expect, test } from 'vitest'
import { createStreamRestorer } from '../../../local/proxy/stream.ts'
import { exhaustive, runs } from '../../runs.ts'
import { pieces, randomFrom } from './upstream.ts'

// biome-ignore lint/suspicious/noExplicitAny: events and answers are of many shapes
type Fields = { [key: string]: any }

const placeholders = createPlaceholders(createSecretKey(Buffer.alloc(32, 7)))
const values = [
  ['PERSON', 'Zoë "Ann" Müller'],
  ['PERSON', "D'Arcy\\Lane"],
  ['EMAIL', 'zoe@example.org'],
  ['DATE_OF_BIRTH', '3\nMay 1980'],
  ['DATE', '4 May'],
  ['ADDRESS', '12 Höhe, 😀'],
] as const
const names = values.map(([label, value]) => placeholders.of(label, value))
const restorer = createRestorer(placeholders.entries())
const fillers = [
  'Dear ',
  ' ',
  ', ',
  'person ',
  'PERSON_',
  'Date',
  '\n\n',
  '😀',
  '**',
  ' address: ',
  'PERSON',
  'é',
  '.',
  'dates_',
]

/** A text with placeholders, and what it is with the values. */
function story(random: () => number): { masked: string; restored: string } {
  let [masked, restored] = ['', '']
  const count = 1 + Math.floor(random() * 4)
  for (let n = 0; n < count; n++) {
    const filler = fillers[Math.floor(random() * fillers.length)]!
    const at = Math.floor(random() * names.length)
    const gap = random() < 0.3 ? '\n' : ' '
    masked += `${filler}${gap}${names[at]}! `
    restored += `${filler}${gap}${values[at]![1]}! `
  }
  return { masked, restored }
}

/** The events that come of those that go in, without the mark at the end. */
function through(list: unknown[]): Fields[] {
  const stream = createStreamRestorer(restorer)
  const text = [
    ...list.map(event => stream.push({ event: undefined, id: undefined, data: dataOf(event) })),
    stream.end(),
  ]
  return text
    .join('')
    .split('\n\n')
    .filter(event => event !== '')
    .map(event => event.replace(/^data: /, ''))
    .filter(data => data !== '[DONE]')
    .map(data => JSON.parse(data))
}

const dataOf = (event: unknown) => (typeof event === 'string' ? event : JSON.stringify(event))

/** Several lists of events as one, in an order that keeps each list's own. */
function mixed<T>(lists: T[][], random: () => number): T[] {
  const rest = lists.map(list => [...list]).filter(list => list.length > 0)
  const made: T[] = []
  while (rest.length > 0) {
    const at = Math.floor(random() * rest.length)
    made.push(rest[at]!.shift()!)
    if (rest[at]!.length === 0) rest.splice(at, 1)
  }
  return made
}

const joined = (list: (string | undefined)[]) => list.map(text => text ?? '').join('')
const call = (masked: string) => JSON.stringify({ to: masked, n: 1 })

describe('answers that come as events', { timeout: 900_000 }, () => {
  const trials = runs(exhaustive ? 10_000 : 1500)
  const seeds = Array.from({ length: trials }, (_, n) => n + 1)

  test('chat completions: several choices, reasoning and calls, wherever they are cut', () => {
    for (const seed of seeds) {
      const random = randomFrom(seed)
      const [first, second, thought, asked] = [story(random), story(random), story(random), story(random)]
      const chunk = (index: number, delta: Fields, finish_reason: string | null = null) => ({
        ...{ id: 'c', object: 'chat.completion.chunk', model: 'm' },
        choices: [{ index, delta, finish_reason, logprobs: { content: [{ token: names[0] }] } }],
      })
      const list = mixed(
        [
          [
            ...pieces(thought.masked, random).map(text => chunk(0, { reasoning_content: text })),
            ...pieces(first.masked, random).map(text => chunk(0, { content: text })),
            chunk(0, {}, 'stop'),
          ],
          [
            ...pieces(second.masked, random).map(text => chunk(1, { content: text })),
            ...pieces(call(asked.masked), random).map(text =>
              chunk(1, { tool_calls: [{ index: 0, function: { arguments: text } }] }),
            ),
            chunk(1, {}, 'tool_calls'),
          ],
        ],
        random,
      )
      const made = through([...list, '[DONE]']).flatMap(event => event.choices as Fields[])
      const of = (index: number) => made.filter(choice => choice.index === index)
      expect(joined(of(0).map(({ delta }) => delta.content))).toBe(first.restored)
      expect(joined(of(0).map(({ delta }) => delta.reasoning_content))).toBe(thought.restored)
      expect(joined(of(1).map(({ delta }) => delta.content))).toBe(second.restored)
      const text = joined(of(1).map(({ delta }) => delta.tool_calls?.[0].function.arguments))
      expect(JSON.parse(text)).toEqual({ to: asked.restored, n: 1 })
      expect(made.every(choice => choice.logprobs === null)).toBe(true)
      // Nothing of a choice comes behind its end.
      for (const index of [0, 1]) expect(of(index).at(-1)!.finish_reason).not.toBeNull()
    }
  })

  test('responses: texts and arguments by item and part', () => {
    for (const seed of seeds) {
      const random = randomFrom(seed)
      const [first, asked] = [story(random), story(random)]
      const text = { item_id: 'i1', output_index: 0, content_index: 0 }
      const args = { item_id: 'i2', output_index: 1 }
      const list = mixed<Fields>(
        [
          [
            ...pieces(first.masked, random).map(delta => ({ type: 'response.output_text.delta', ...text, delta })),
            { type: 'response.output_text.done', ...text, text: first.masked },
          ],
          [
            ...pieces(call(asked.masked), random).map(delta => ({
              ...{ type: 'response.function_call_arguments.delta', ...args, delta },
            })),
            { type: 'response.function_call_arguments.done', ...args, arguments: call(asked.masked) },
          ],
        ],
        random,
      )
      const whole = {
        type: 'response.completed',
        response: {
          output: [{ type: 'message', content: [{ type: 'output_text', text: first.masked, annotations: [1] }] }],
        },
      }
      const made = through([...list, whole])
      const deltas = (type: string) => joined(made.filter(event => event.type === type).map(({ delta }) => delta))
      expect(deltas('response.output_text.delta')).toBe(first.restored)
      expect(JSON.parse(deltas('response.function_call_arguments.delta'))).toEqual({ to: asked.restored, n: 1 })
      const done = made.findIndex(({ type }) => type === 'response.output_text.done')
      expect(made[done]!.text).toBe(first.restored)
      expect(made.slice(done).some(({ type }) => type === 'response.output_text.delta')).toBe(false)
      expect(made.at(-1)!.response.output[0].content[0]).toMatchObject({ text: first.restored, annotations: [] })
    }
  })

  test('messages: blocks of text, thought and input', () => {
    for (const seed of seeds) {
      const random = randomFrom(seed)
      const told = [story(random), story(random)]
      const asked = story(random)
      const block = (index: number, deltas: Fields[]) => [
        { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
        ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]
      const list = [
        ...block(
          0,
          pieces(told[0]!.masked, random).map(thinking => ({ type: 'thinking_delta', thinking })),
        ),
        ...block(
          1,
          pieces(told[1]!.masked, random).map(text => ({ type: 'text_delta', text })),
        ),
        ...block(
          2,
          pieces(call(asked.masked), random).map(partial_json => ({ type: 'input_json_delta', partial_json })),
        ),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      ]
      const made = through(list)
      const of = (index: number, key: string) =>
        joined(made.filter(event => event.index === index).map(e => e.delta?.[key]))
      expect(of(0, 'thinking')).toBe(told[0]!.restored)
      expect(of(1, 'text')).toBe(told[1]!.restored)
      expect(JSON.parse(of(2, 'partial_json'))).toEqual({ to: asked.restored, n: 1 })
    }
  })

  test('sends on at once what can be no placeholder', () => {
    const event = { choices: [{ index: 0, delta: { content: 'The weather is fine today, ' }, finish_reason: null }] }
    expect(through([event])[0]!.choices[0].delta.content).toBe('The weather is fine today, ')
  })

  test.each(['{', '[]', 'null', '"a"'])('ends where an event is no object: %s', data => {
    expect(() => createStreamRestorer(restorer).push({ event: undefined, id: undefined, data })).toThrow()
  })
})
