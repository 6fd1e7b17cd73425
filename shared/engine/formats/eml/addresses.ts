import type { SourceRun } from '../text/text-nodes.ts'
import { decodeHeader, encodeAddress, encodeComment, encodePhrase } from './words.ts'

/** A piece of a field of addresses as it is written. */
type Token = { kind: 'word' | 'quoted' | 'encoded' | 'comment' | 'blank' | 'mark'; start: number; end: number }

const lexemes =
  /(?<encoded>=\?[^?\s]+\?[bq]\?[^?\r\n]*\?=)|(?<quoted>"(?:\\[\s\S]|[^"\\])*")|(?<blank>\s+)|(?<mark>[<>,;:])|(?<open>\()|(?<word>=|[^\s"(<>,;:=]+|")/giy

function tokenise(raw: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < raw.length) {
    lexemes.lastIndex = at
    const groups = lexemes.exec(raw)!.groups!
    const start = at
    at = groups.open === undefined ? lexemes.lastIndex : commentEnd(raw, at)
    const kind =
      groups.open === undefined
        ? (['encoded', 'quoted', 'blank', 'mark'] as const).find(name => groups[name] !== undefined)
        : 'comment'
    tokens.push({ kind: kind ?? 'word', start, end: at })
  }
  return tokens
}

/** Where a comment ends, which may hold others. One that is never closed goes to the end. */
function commentEnd(raw: string, start: number): number {
  let depth = 0
  for (let at = start; at < raw.length; at++) {
    if (raw[at] === '\\') at++
    else if (raw[at] === '(') depth++
    else if (raw[at] === ')' && --depth === 0) return at + 1
  }
  return raw.length
}

const unquotedPairs = (text: string) => text.replace(/\\([\s\S])/g, '$1')

/** Names as they are read: without quotes, encoded words decoded, also those that wrongly stand in quotes. */
function phraseText(raw: string, tokens: readonly Token[]): string {
  let text = ''
  let from: number | undefined
  for (const { kind, start, end } of tokens) {
    if (kind !== 'quoted') {
      from ??= start
      continue
    }
    if (from !== undefined) text += decodeHeader(raw.slice(from, start))
    from = undefined
    text += decodeHeader(unquotedPairs(raw.slice(start + 1, end - 1)))
  }
  return from === undefined ? text : text + decodeHeader(raw.slice(from, tokens.at(-1)!.end))
}

const blankInAddress = /(?<=\S)\s+(?=@)|(?<=@)\s+(?=\S)/g

/**
 * A field of addresses (RFC 5322) as people read it, cut into what is written by different rules: names of people and
 * groups, comments, and all else.
 */
export function addressRuns(raw: string, from: number): SourceRun[] {
  const runs: SourceRun[] = []
  let waiting: Token[] = []
  const push = (start: number, end: number, text: string, encode: (text: string) => string) => {
    if (end > start) runs.push({ text, start: from + start, end: from + end, encode })
  }
  /** An address reads without blanks around its signs. */
  const literal = (start: number, end: number) => {
    let at = start
    for (const { index, 0: blank } of raw.slice(start, end).matchAll(blankInAddress)) {
      push(at, start + index, decodeHeader(raw.slice(at, start + index)), encodeAddress)
      at = start + index + blank.length
      runs.push({ text: '', start: from + at - blank.length, end: from + at })
    }
    push(at, end, decodeHeader(raw.slice(at, end)), encodeAddress)
  }
  const phrase = (tokens: Token[]) => {
    const first = tokens.findIndex(({ kind }) => kind !== 'blank')
    const last = tokens.findLastIndex(({ kind }) => kind !== 'blank')
    if (first < 0) return literal(tokens[0]!.start, tokens.at(-1)!.end)
    const named = tokens.slice(first, last + 1)
    literal(tokens[0]!.start, named[0]!.start)
    push(named[0]!.start, named.at(-1)!.end, phraseText(raw, named), encodePhrase)
    literal(named.at(-1)!.end, tokens.at(-1)!.end)
  }
  /** What stood before a mark, as a name or as an address; encoded words are read either way. */
  const flush = (named: boolean) => {
    if (waiting.length === 0) return
    if (named) phrase(waiting)
    else
      for (const group of grouped(waiting)) {
        if (group.some(({ kind }) => kind === 'encoded')) phrase(group)
        else literal(group[0]!.start, group.at(-1)!.end)
      }
    waiting = []
  }
  let angle = false
  const isAddress = () =>
    angle || waiting.some(({ kind, start, end }) => kind === 'word' && /@/.test(raw.slice(start, end)))
  for (const token of tokenise(raw)) {
    const { kind, start, end } = token
    if (kind === 'comment') {
      flush(!isAddress())
      const closed = raw[end - 1] === ')' && end - start > 1
      const inner = closed ? end - 1 : end
      literal(start, start + 1)
      push(start + 1, inner, decodeHeader(unquotedPairs(raw.slice(start + 1, inner))), encodeComment)
      literal(inner, end)
    } else if (kind === 'mark') {
      const mark = raw[start]
      flush(mark === '<' ? !angle : !isAddress())
      literal(start, end)
      if (mark === '<') angle = true
      else if (mark === '>') angle = false
    } else waiting.push(token)
  }
  flush(!isAddress())
  return runs
}

/** Encoded words with the blanks between them apart from all else. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  tokens.forEach((token, index) => {
    const isEncoded = token.kind === 'encoded'
    const within =
      token.kind === 'blank' && tokens[index - 1]?.kind === 'encoded' && tokens[index + 1]?.kind === 'encoded'
    const last = groups.at(-1)
    const lastEncoded = last?.some(({ kind }) => kind === 'encoded')
    if (last !== undefined && lastEncoded === (isEncoded || within)) last.push(token)
    else groups.push([token])
  })
  return groups
}
