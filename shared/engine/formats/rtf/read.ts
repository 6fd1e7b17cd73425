import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import { blankPng } from '../ooxml/blank-image.ts'
import type { Extract } from '../text/text-file.ts'
import { continues, lengthOf } from './code-pages.ts'
import { obey } from './control-words.ts'
import { addMark, addText, beginRtf, count, endText, type Group, isReadable, type RtfReading } from './parse-state.ts'
import { blankPicture, readPicture } from './picture.ts'
import { type RtfSink, scanRtf } from './scan.ts'
import { droppedWords } from './vocabulary.ts'

/**
 * Reads RTF character by character, whatever each is written as, so that a match may run over formatting, escapes and
 * code pages. Deleted text, comments, properties, objects and what is not known go.
 */
export const extractRtf: Extract = ({ text: source }, context) => {
  if (!source.startsWith('{\\rtf')) throw new EngineError('corrupt_file', 'The RTF has no beginning')
  const reading = beginRtf(source)
  const { nodes, cleaning, embedded } = reading
  const end = scanRtf(source, rtfSink(reading), context.limits.depth * 16)
  if (/[^\s\0]/.test(source.slice(end))) {
    cleaning.push({ start: end, end: source.length, text: '' })
    count(reading, 'bytes behind the end')
  }
  const dropped = [...reading.dropped].map(([what, count]) => ({ what, count }))
  return { nodes, cleaning, dropped, embedded }
}

function rtfSink(reading: RtfReading): RtfSink {
  const { stack, cleaning } = reading
  return {
    open: start => openGroup(reading, start),
    close: end => closeGroup(reading, end),
    word(name, parameter, start, end, isBare) {
      settleLead(reading)
      obey(reading, name, { parameter, start, end })
      reading.bare = isBare
      if (droppedWords.test(name)) cleaning.push({ start, end, text: isBare ? '' : '{}' })
    },
    byte: (value, start, end) => readByte(reading, value, start, end),
    symbol(character, start, end) {
      settleLead(reading)
      readSymbol(reading, character, start, end)
      reading.bare = false
    },
    text: (start, end) => readText(reading, start, end),
    binary(start, end) {
      reading.skip = 0
      const { destination } = stack.at(-1)!
      if (destination === 'picture' || destination === 'drop') return
      cleaning.push({ start, end, text: '{}' })
      count(reading, 'embedded objects')
    },
  }
}

/** Reads bytes of which the rest doesn't come. */
function settleLead(reading: RtfReading) {
  const { lead } = reading
  reading.lead = undefined
  if (lead !== undefined) addBytes(reading, lead.bytes, lead.start, lead.end)
}

/** Awaits nothing more: neither a character nor what stands in for one runs over the border of a group. */
function settle(reading: RtfReading) {
  settleLead(reading)
  reading.skip = 0
  reading.bare = false
}

function openGroup(reading: RtfReading, start: number) {
  const { stack, nodes, cleaning, ansi } = reading
  const outer = stack.at(-1)
  settle(reading)
  if (outer !== undefined) outer.fresh = false
  stack.push({
    start,
    destination: outer?.destination ?? 'shown',
    text: outer?.text ?? { runs: [], kind: 'body' },
    codePage: outer?.codePage ?? ansi,
    deleted: outer?.deleted ?? false,
    isAside: outer?.isAside ?? false,
    isRaised: outer?.isRaised ?? false,
    fallback: outer?.fallback ?? 1,
    fresh: true,
    ignorable: false,
    nodes: nodes.length,
    cleaning: cleaning.length,
  })
}

function closeGroup(reading: RtfReading, end: number) {
  settle(reading)
  const group = reading.stack.pop()!
  const outer = reading.stack.at(-1)
  const goes = group.destination !== outer?.destination
  if (group.destination === 'drop' && goes) {
    takeBack(reading, group)
    reading.cleaning.push({ start: group.start, end, text: '{}' })
  } else if (group.destination === 'picture' && goes) {
    takeBack(reading, group)
    readPictureOf(reading, group, end)
  } else if (outer === undefined || (group.text !== outer.text && group.text !== reading.stack.at(-2)?.text))
    endText(reading, group)
  else if (isEntry(reading, outer) || outer.destination === 'definition') endText(reading, group)
}

/** Whether each group that stands right inside of an open one is a text of its own; in all else, groups only say how text looks. */
const isEntry = ({ stack }: RtfReading, outer: Group): boolean =>
  /^(?:stylesheet|filetbl)$/.test(outer.text.word ?? '') && outer.text !== stack.at(-2)?.text

/** Takes back what was noted in a group. */
function takeBack({ nodes, cleaning }: RtfReading, group: Group) {
  nodes.length = group.nodes
  cleaning.length = group.cleaning
}

function readPictureOf(reading: RtfReading, { start }: Group, end: number) {
  const { source, cleaning, embedded } = reading
  const picture = readPicture(source, start, end)
  if (picture === undefined) {
    count(reading, 'pictures')
    cleaning.push({ start, end, text: blankPicture(source.slice(start, end)) })
  } else if (!blankPng.equals(picture.bytes)) embedded.push(picture)
}

function addBytes(reading: RtfReading, bytes: number[], start: number, end: number) {
  addText(reading, iconv.decode(Buffer.from(bytes), reading.stack.at(-1)!.codePage), start, end)
  reading.bare = false
}

function readByte(reading: RtfReading, value: number, start: number, end: number) {
  const { codePage } = reading.stack.at(-1)!
  if (reading.lead !== undefined && !continues(codePage, value)) settleLead(reading)
  const { lead } = reading
  if (reading.skip > 0) {
    addText(reading, ' ', start, end)
    reading.bare = false
  } else if (lead !== undefined) {
    lead.bytes.push(value)
    lead.end = end
    if (lead.bytes.length === lengthOf(codePage, lead.bytes[0]!)) settleLead(reading)
  } else if (lengthOf(codePage, value) > 1) reading.lead = { bytes: [value], start, end }
  else addBytes(reading, [value], start, end)
}

function readSymbol(reading: RtfReading, character: string, start: number, end: number) {
  const group = reading.stack.at(-1)!
  if (character === '*' && group.fresh) group.ignorable = true
  else if (character === '\n' || character === '\r') {
    if (isReadable(group)) endText(reading, group)
  } else if (character === '~') addText(reading, '\u00a0', start, end)
  else if (character === '_') addText(reading, '-', start, end)
  else if (character === '-') addMark(reading, '', start, end)
  else if (character === '\\' || character === '{' || character === '}') addText(reading, character, start, end)
}

function readText(reading: RtfReading, start: number, end: number) {
  const { source } = reading
  let from = start
  for (; reading.lead !== undefined && from < end; from++)
    readByte(reading, source.charCodeAt(from) & 0xff, from, from + 1)
  if (from < end) {
    const raw = source.slice(from, end)
    const { codePage } = reading.stack.at(-1)!
    const text = /[\x80-\xff]/.test(raw) ? iconv.decode(Buffer.from(raw, 'latin1'), codePage) : raw
    addText(reading, text, from, end)
  }
  reading.bare = false
}
