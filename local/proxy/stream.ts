import type { Restorer, Writing } from 'anonymisation-engine/placeholders'
import { contextLength } from 'anonymisation-engine/placeholders'
import type { EventSourceMessage } from 'eventsource-parser'
import { restoreAnswer } from './answer.ts'
import type { Json } from './vocabulary.ts'

type Fields = { [key: string]: Json }

/** A text that comes in pieces: where it stands in an event, and how it is written. */
type Piece = { channel: string; holder: Fields; key: string; writing: Writing }

/** What is held back of a text, because it may be the beginning of a placeholder. */
type Held = { text: string; before: string; writing: Writing; event: (text: string) => string }

/** Puts values back in an answer that comes as events. */
export type StreamRestorer = {
  /** What is sent on for an event, as text of the stream. */
  push(message: EventSourceMessage): string
  /** What is held back until the end. */
  end(): string
}

/** Starts one for an answer. Nothing is held back but what may still become a placeholder. */
export function createStreamRestorer(restorer: Restorer): StreamRestorer {
  const held = new Map<string, Held>()

  const flush = (isOver: (channel: string) => boolean): string => {
    let out = ''
    for (const [channel, { text, before, writing, event }] of held) {
      if (!isOver(channel)) continue
      held.delete(channel)
      if (text !== '') out += event(restorer.restore({ text, before, writing }).text)
    }
    return out
  }

  const take = ({ channel, holder, key, writing }: Piece, event: (text: string) => string) => {
    const { text: rest = '', before = '' } = held.get(channel) ?? {}
    const text = rest + holder[key]
    const from = restorer.holdFrom(before + text) - before.length
    const ready = text.slice(0, Math.max(0, from))
    holder[key] = ready === '' ? '' : restorer.restore({ text: ready, before, writing }).text
    const kept = { text: text.slice(ready.length), before: (before + ready).slice(-contextLength) }
    held.set(channel, { ...kept, writing, event })
  }

  return {
    push({ event: type, id, data }) {
      const write = (text: string) => sse(text, type, id)
      const value = parse(data)
      // The mark at the end of the OpenAI API's streams.
      if (value === undefined) return flush(() => true) + write('[DONE]')
      const pieces = piecesOf(value)
      const over = endedBy(value)
      // Everything but the pieces is restored as in a whole answer.
      const texts = pieces.map(({ holder, key }) => holder[key])
      for (const { holder, key } of pieces) holder[key] = ''
      const rest = restoreAnswer(value, restorer) as Fields
      const targets = piecesOf(rest)
      for (const [n, piece] of targets.entries()) {
        piece.holder[piece.key] = texts[n]!
        take(piece, text => write(JSON.stringify(alone(rest, piece.channel, text))))
      }
      const before = over ? flush(channel => over(channel) && !pieces.some(piece => piece.channel === channel)) : ''
      const after = over && pieces.length > 0 ? flushInto(rest, over) : ''
      return before + write(JSON.stringify(rest)) + after
    },
    end: () => flush(() => true),
  }

  /** What an event that ends its own text holds back goes into the event itself. */
  function flushInto(value: Fields, over: (channel: string) => boolean): string {
    for (const { channel, holder, key } of piecesOf(value)) {
      const one = held.get(channel)
      if (!one || !over(channel)) continue
      holder[key] += restorer.restore(one).text
      held.delete(channel)
    }
    return ''
  }
}

/** The JSON of an event; nothing for the mark at the end. Anything else ends the stream: it can't be restored. */
function parse(data: string): Fields | undefined {
  if (data.trim() === '[DONE]') return undefined
  const value = JSON.parse(data)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new TypeError('An event is no object')
  return value
}

function sse(data: string, type: string | undefined, id: string | undefined): string {
  return `${type ? `event: ${type}\n` : ''}${id ? `id: ${id}\n` : ''}data: ${data}\n\n`
}

/** The pieces of texts in an event of any of the protocols. */
function piecesOf(value: Fields): Piece[] {
  if (Array.isArray(value.choices)) return value.choices.flatMap(choice => piecesOfChoice(choice as Fields))
  const { type, delta } = value
  if (type === 'content_block_delta') return piecesOfBlock(value)
  if (typeof type === 'string' && type.endsWith('.delta') && typeof delta === 'string') {
    return [{ channel: channelOf(value), holder: value, key: 'delta', writing: writingOf(type) }]
  }
  return []
}

const writingOf = (type: string): Writing => (/arguments/.test(type) ? 'json' : 'text')

/** Chat completions: texts of a choice's message, and the arguments of each of its calls. */
function piecesOfChoice({ index, delta }: Fields): Piece[] {
  if (delta === null || typeof delta !== 'object' || Array.isArray(delta)) return []
  const place = `choice ${index}`
  const texts = ['content', 'refusal', 'reasoning', 'reasoning_content'].flatMap(key =>
    typeof delta[key] === 'string'
      ? [{ channel: `${place} ${key}`, holder: delta, key, writing: 'text' as const }]
      : [],
  )
  const calls = Array.isArray(delta.tool_calls) ? (delta.tool_calls as Fields[]) : []
  const functions = [
    ...calls.map(call => [`${place} call ${call.index}`, call.function ?? call.custom] as const),
    [`${place} function`, delta.function_call] as const,
  ]
  for (const [channel, holder] of functions) {
    if (holder === null || typeof holder !== 'object' || Array.isArray(holder)) continue
    const key = 'input' in holder ? 'input' : 'arguments'
    if (typeof holder[key] === 'string')
      texts.push({ channel, holder, key, writing: (key === 'input' ? 'text' : 'json') as 'text' })
  }
  return texts
}

/** Messages of Anthropic: one block at a time. */
function piecesOfBlock({ index, delta }: Fields): Piece[] {
  if (delta === null || typeof delta !== 'object' || Array.isArray(delta)) return []
  const [key] = ['text', 'partial_json', 'thinking'].filter(one => typeof delta[one] === 'string')
  if (!key) return []
  return [{ channel: `block ${index}`, holder: delta, key, writing: key === 'partial_json' ? 'json' : 'text' }]
}

const channelOf = ({ type, item_id, output_index, content_index, summary_index }: Fields): string =>
  JSON.stringify([String(type).replace(/\.(?:delta|done)$/, ''), item_id, output_index, content_index, summary_index])

/** Which texts an event says to be over. */
function endedBy(value: Fields): ((channel: string) => boolean) | undefined {
  const { type } = value
  if (Array.isArray(value.choices)) {
    const ended = (value.choices as Fields[])
      .filter(choice => choice.finish_reason)
      .map(({ index }) => `choice ${index} `)
    return ended.length > 0 ? channel => ended.some(place => channel.startsWith(place)) : undefined
  }
  if (type === 'content_block_stop') return channel => channel === `block ${value.index}`
  if (type === 'message_delta' || type === 'message_stop' || type === 'error') return () => true
  if (typeof type !== 'string') return undefined
  if (/^response\.(?:completed|incomplete|failed)$/.test(type)) return () => true
  if (!type.endsWith('.done')) return undefined
  const over = channelOf(value)
  return channel => channel === over
}

/** An event like another, with one text only. */
function alone(value: Fields, channel: string, text: string): Fields {
  const copy = structuredClone(value)
  for (const piece of piecesOf(copy)) {
    if (piece.channel === channel) piece.holder[piece.key] = text
    else delete piece.holder[piece.key]
  }
  for (const choice of Array.isArray(copy.choices) ? (copy.choices as Fields[]) : []) choice.finish_reason = null
  return copy
}
