// npm run bench:streams [-- DELTAS]: what the proxy adds to each delta of a streamed answer, with 200 placeholders known, a third
// of them cut between deltas (100,000 deltas unless given): CPU time of the process, and by the clock. Parsing and writing the
// events is included.
import { createSecretKey } from 'node:crypto'
import { createPlaceholders, createRestorer } from 'anonymisation-engine/placeholders'
import { createStreamRestorer } from '../local/proxy/stream.ts'

const deltas = Number(process.argv[2] ?? 100_000)
const placeholders = createPlaceholders(createSecretKey(Buffer.alloc(32, 1)))
const names = Array.from({ length: 200 }, (_, n) => placeholders.of('PERSON', `Person number ${n}`))
const restorer = createRestorer(placeholders.entries())

/** Words of an answer, in pieces as models send them: four characters each. */
const answer = Array.from({ length: 5000 }, (_, n) => (n % 7 === 0 ? names[n % 200] : 'and wrote again')).join(' ')
const pieces = answer.match(/.{1,4}/gs)!

const shapes: Record<string, (text: string) => object> = {
  'chat completions': content => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content } }],
  }),
  'arguments of a call': text => ({
    ...{ id: 'c', object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }],
  }),
  responses: delta => ({
    ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
    delta,
  }),
  messages: text => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
}

for (const [name, shape] of Object.entries(shapes)) {
  const times: number[] = []
  const stream = createStreamRestorer(restorer)
  const before = process.cpuUsage()
  for (let n = 0; n < deltas; n++) {
    const event = { event: undefined, id: undefined, data: JSON.stringify(shape(pieces[n % pieces.length]!)) }
    const begun = performance.now()
    stream.push(event)
    times.push(performance.now() - begun)
  }
  const { user, system } = process.cpuUsage(before)
  times.sort((a, b) => a - b)
  const [median, late, most] = [0.5, 0.99, 1].map(share => times[Math.ceil(times.length * share) - 1]!)
  const micro = (milliseconds: number) => `${(milliseconds * 1000).toFixed(1)} µs`
  const cpu = `${((user + system) / deltas).toFixed(1)} µs of CPU time`
  console.log(
    `${name}: ${cpu}; by the clock median ${micro(median!)}, p99 ${micro(late!)}, most ${(most!).toFixed(2)} ms`,
  )
}
