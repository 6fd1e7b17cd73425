import { parseArgs } from 'node:util'
import { createDictionary } from '../shared/engine/detect/dictionary/dictionary.ts'
import { type ListMatch, listMatches } from '../shared/engine/detect/dictionary/entry.ts'

/**
 * Measures the search for the values of a list: processor time to make it, memory that it holds, and megabytes of text a second.
 * `npm run bench:dictionary -- --entries 1000000` (node --expose-gc is needed for the memory).
 */
const { values } = parseArgs({
  options: { entries: { type: 'string', default: '1000000' }, fuzzy: { type: 'string', default: '100000' } },
})

let state = 1
const roll = (most: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * most)
}
const syllables =
  'ba be bi da de do fa fe ga gi ha ho ja ka ke ki la le li lo ma me mi mo na ne no nu pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa wi za ze'.split(
    ' ',
  )
const word = () => Array.from({ length: 2 + roll(3) }, () => syllables[roll(syllables.length)]!).join('')
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const person = () => `${capital(word())} ${capital(word())}`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
/** Seconds of processor time, which others that are busy on the machine do not add to. */
const cpu = () => process.cpuUsage().user / 1e6
const held = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function measure(match: Exclude<ListMatch, 'pattern'>, count: number) {
  let entries: { value: string; match: ListMatch }[] = Array.from({ length: count }, () => ({ value: person(), match }))
  const some = entries.filter((_, n) => n % 997 === 0).map(({ value }) => value)
  const text = Array.from({ length: 300_000 }, (_, n) => (n % 200 === 0 ? some[n % some.length]! : word())).join(' ')
  const before = held()
  const began = cpu()
  const dictionary = createDictionary(entries)
  const made = cpu() - began
  const size = held() - before
  entries = []
  const start = cpu()
  const found = dictionary.find(text).length
  const seconds = cpu() - start
  console.log(
    `${match}: ${count} values made in ${made.toFixed(2)} s, ${megabytes(size)}; ${(text.length / 1e6 / seconds).toFixed(2)} MB/s, ${found} found`,
  )
}

for (const match of listMatches) {
  if (match === 'pattern') continue
  measure(match, Number(match === 'fuzzy' ? values.fuzzy : values.entries))
}
