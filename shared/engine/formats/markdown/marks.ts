import type { Mark } from '../format.ts'
import { blocksOf } from './blocks.ts'

/** A mark that may begin something: where what is left of it stands. */
type Opener = { at: number; end: number }

/** A block while its marks are read; `links` are brackets that are open, nothing for those of pictures. */
type Reading = {
  block: string
  start: number
  marks: Mark[]
  emphasis: Map<string, Opener[]>
  links: (Opener | undefined)[]
}

const escapedSign = String.raw`\\[\s\S]`
const tag = '<[A-Za-z/!?][^<>]{0,1000}>'
/** A reference to a note, or a raised mark, behind a word. */
const note = String.raw`(?<=[\p{L}\p{N}])(?:\[\^[^[\]\s]{1,100}\](?!:)|<sup>[^<>\s]{1,20}</sup>)`
const target = String.raw`\((?:[^()\\\n]|\\.|\([^()\n]{0,500}\)){0,2000}\)|\[[^[\]\n]{0,500}\]`
/** What is read as a whole within a block. */
const tokens = new RegExp(
  String.raw`${escapedSign}|(${note})|${tag}|(\x60+)|(\*+|_+|~+|={2,})|(!?\[)|(\](?:${target})?)`,
  'gu',
)

/** The markup of a text that readers of Markdown don't see, or not in the line: signs of emphasis and of code, ends of links, marks of notes, in order. */
export function marksOf(text: string): Mark[] {
  const marks: Mark[] = []
  for (const { start, end } of blocksOf(text)) {
    const block = text.slice(start, end)
    if (/[*_`~=[]|<sup/.test(block)) readBlock({ block, start, marks, emphasis: new Map(), links: [] })
  }
  return marks.sort((a, b) => a.start - b.start)
}

function readBlock(reading: Reading): void {
  const { block, links, marks, start } = reading
  const closingTicks = ticksOf(block)
  let done = 0
  for (const { index: at, 0: whole, 1: noted, 2: ticks, 3: run, 4: opening, 5: closing } of block.matchAll(tokens)) {
    if (at < done) continue
    const end = at + whole.length
    if (noted !== undefined) marks.push({ start: start + at, end: start + end, partner: start + at, stays: true })
    else if (ticks !== undefined) {
      const close = closingTicks(ticks.length, end)
      if (close === undefined) continue
      done = close + ticks.length
      addPair(reading, { at, end }, { at: close, end: done })
    } else if (run !== undefined) readRun(reading, at, end)
    else if (opening !== undefined) links.push(opening === '[' ? { at, end } : undefined)
    else if (closing !== undefined) {
      const opener = links.pop()
      if (opener === undefined || closing === ']') continue
      forget(reading, opener.at)
      addPair(reading, opener, { at, end }, true)
    }
  }
}

function addPair({ marks, start }: Reading, one: Opener, other: Opener, stays?: true): void {
  marks.push({ start: start + one.at, end: start + one.end, partner: start + other.at, stays })
  marks.push({ start: start + other.at, end: start + other.end, partner: start + one.at, stays })
}

/** What begins behind the beginning of something that ends here begins nothing. */
function forget({ emphasis }: Reading, at: number): void {
  for (const openers of emphasis.values()) while (openers.length > 0 && openers.at(-1)!.at > at) openers.pop()
}

/** Where runs of so many backticks stand next from a place on, for places asked for in order. */
function ticksOf(block: string): (length: number, from: number) => number | undefined {
  const places = new Map<number, number[]>()
  for (const { index, 0: run } of block.matchAll(/`+/g)) {
    const known = places.get(run.length)
    if (known) known.push(index)
    else places.set(run.length, [index])
  }
  for (const known of places.values()) known.reverse()
  return (length, from) => {
    const known = places.get(length) ?? []
    while (known.length > 0 && known.at(-1)! < from) known.pop()
    return known.at(-1)
  }
}

/** Reads a run of one sign, which ends what earlier ones began as far as it reaches, and may begin something with the rest. */
function readRun(reading: Reading, start: number, end: number): void {
  const { block, emphasis } = reading
  const sign = block[start]!
  const { opens, closes } = flanks(block, sign, start, end)
  const openers = emphasis.get(sign) ?? []
  emphasis.set(sign, openers)
  let at = start
  while (closes && at < end && openers.length > 0) {
    const opener = openers.at(-1)!
    const length = Math.min(opener.end - opener.at, end - at, 2)
    forget(reading, opener.at)
    opener.end -= length
    addPair(reading, { at: opener.end, end: opener.end + length }, { at, end: at + length })
    at += length
    if (opener.end === opener.at) openers.pop()
  }
  if (opens && at < end) openers.push({ at, end })
}

const isBlank = (char: string) => char === '' || /\s/.test(char)
const isSign = (char: string) => /[\p{P}\p{S}]/u.test(char)

/** Whether a run may begin and end emphasis, by what stands beside it: underscores within words do neither. */
function flanks(block: string, sign: string, start: number, end: number): { opens: boolean; closes: boolean } {
  const [before, after] = [block.charAt(start - 1), block.charAt(end)]
  const isLeft = !isBlank(after) && (!isSign(after) || isBlank(before) || isSign(before))
  const isRight = !isBlank(before) && (!isSign(before) || isBlank(after) || isSign(after))
  if (sign !== '_') return { opens: isLeft, closes: isRight }
  return { opens: isLeft && (!isRight || isSign(before)), closes: isRight && (!isLeft || isSign(after)) }
}
