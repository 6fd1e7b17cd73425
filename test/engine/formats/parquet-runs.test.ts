import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { expect, test } from 'vitest'
import { readLevels, readRuns } from '../../../shared/engine/formats/parquet/runs.ts'

/** Numbers of `width` bits, some of them again and again. */
function numbers(width: number, count: number): number[] {
  let state = width * 7919 + count
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state >>> 4
  }
  const list: number[] = []
  while (list.length < count) {
    const number = next() % 2 ** width
    const times = next() % 3 === 0 ? next() % 40 : 1
    for (let n = 0; n < times && list.length < count; n++) list.push(number)
  }
  return list
}

function packed(list: readonly number[], width: number): Uint8Array {
  const writer = new ByteWriter()
  writeRleBitPackedHybrid(writer, [...list], width)
  return Uint8Array.from(writer.getBytes())
}

const reader = (bytes: Uint8Array) => ({ view: new DataView(bytes.buffer, 0, bytes.length), offset: 0 })

test.each([1, 2, 3, 7, 8, 12, 16, 20])('reads runs of numbers of %i bits as the library does', width => {
  for (const count of [1, 7, 8, 9, 100, 5000]) {
    const list = numbers(width, count)
    const bytes = packed(list, width)
    const expected = new Array<number>(count).fill(0)
    readRleBitPackedHybrid(reader(bytes), width, expected, bytes.length)
    const found = new Int32Array(count)
    readRuns(bytes, reader(bytes), width, found)
    expect([...found]).toEqual(list)
    expect([...found]).toEqual(expected)
  }
})

test('refuses runs that are longer than they may be, and those that end too early', () => {
  const bytes = packed(new Array<number>(20).fill(3), 4)
  expect(() => readRuns(bytes, reader(bytes), 4, new Int32Array(19))).toThrow('header')
  const short = packed(numbers(8, 64), 8).subarray(0, 30)
  expect(() => readRuns(short, reader(short), 8, new Int32Array(64))).toThrow()
})

test('gives no levels where all are the usual one', () => {
  const bytes = packed(new Array<number>(50).fill(2), 2)
  expect(readLevels(bytes, reader(bytes), { most: 2, count: 50, usual: 2 })).toBeUndefined()
  expect(readLevels(bytes, reader(bytes), { most: 2, count: 50, usual: 0 })).toEqual(new Uint16Array(50).fill(2))
})
