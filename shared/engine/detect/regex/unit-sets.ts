import type { AST } from '@eslint-community/regexpp'
import { flagLetters, type PatternFlags } from './syntax.ts'

/**
 * Kinds of code units that are told apart: each of the Latin scripts by itself (0 to 383), all others together, halves of
 * pairs too, and that there is none, before a text and behind it.
 */
export const others = 0x180
export const none = others + 1
export const kinds = others + 2

/** A set of kinds, a bit each. */
export type UnitSet = Uint32Array

const words = Math.ceil(kinds / 32)

export const noUnits = (): UnitSet => new Uint32Array(words)
export const allUnits = (): UnitSet => noUnits().fill(0xffff_ffff)
export const holds = (set: UnitSet, kind: number): boolean => ((set[kind >> 5]! >>> (kind & 31)) & 1) === 1

export function put(set: UnitSet, kind: number): void {
  set[kind >> 5]! |= 1 << (kind & 31)
}

export function include(set: UnitSet, more: UnitSet): void {
  for (let word = 0; word < words; word++) set[word]! |= more[word]!
}

/** Calls a function with each kind of a set. */
export function visit(set: UnitSet, take: (kind: number) => void): void {
  for (let word = 0; word < words; word++)
    for (let bits = set[word]!; bits !== 0; bits &= bits - 1) {
      const kind = word * 32 + 31 - Math.clz32(bits & -bits)
      if (kind < kinds) take(kind)
    }
}

/** Leaves the Latin units of a set out of another; of the others it can't be told which they are. */
export function excludeLatin(set: UnitSet, less: UnitSet): void {
  for (let word = 0; word < others >> 5; word++) set[word]! &= ~less[word]!
}

export type OneCharacter = AST.Character | AST.CharacterSet | AST.CharacterClass

/** Whether an element matches one character, and is none of those that only the flag `v` allows. */
export const isOneCharacter = (node: AST.Element): node is OneCharacter =>
  node.type === 'Character' || node.type === 'CharacterSet' || (node.type === 'CharacterClass' && !node.unicodeSets)

const known = new Map<string, UnitSet>()

function kept(key: string, make: () => UnitSet): UnitSet {
  let units = known.get(key)
  if (!units) {
    units = make()
    known.set(key, units)
  }
  return units
}

/** The units that an element of one character may match, of a pair its halves. Others than Latin ones are there in doubt. */
export function unitsOf(node: OneCharacter, flags: PatternFlags): UnitSet {
  if (node.type === 'Character') return unitsOfCharacter(node.value, flags)
  return kept(`${flagLetters(flags)}/${node.raw}`, () => {
    const parts = node.type === 'CharacterClass' && !node.negate ? node.elements : undefined
    const isFar = (part: AST.CharacterClassElement) => part.type === 'CharacterClassRange' && part.max.value >= others
    if (!parts || parts.some(isFar)) return tried(node.raw, flags, !isNear(node))
    const units = noUnits()
    for (const part of parts) {
      if (part.type === 'CharacterClassRange')
        for (let code = part.min.value; code <= part.max.value; code++) include(units, unitsOfCharacter(code, flags))
      else if (part.type === 'Character' || part.type === 'CharacterSet') include(units, unitsOf(part, flags))
    }
    return units
  })
}

/** Whether it is a set of ASCII characters, in doubt not; in any case some of them have others that are the same. */
const isNear = (node: OneCharacter) =>
  node.type === 'CharacterSet' && (node.kind === 'digit' || node.kind === 'word') && !node.negate

function unitsOfCharacter(code: number, flags: PatternFlags): UnitSet {
  const text = String.fromCodePoint(code)
  if (flags.ignoreCase && text.toLowerCase() !== text.toUpperCase())
    return kept(`i${text}`, () => tried(text, flags, code >= others))
  return kept(text, () => {
    const units = noUnits()
    put(units, Math.min(code, others))
    return units
  })
}

const latin = Array.from({ length: others }, (_, code) => String.fromCharCode(code)).join('')
/** The characters of other scripts that are the same as a Latin one in any case. */
const sameInAnyCase = '\u1e9e\u212a\u212b\u039c\u03bc'

/** The units that the source of one character matches, and all others than Latin ones if they may be among them. */
function tried(source: string, flags: PatternFlags, isFar: boolean): UnitSet {
  const units = noUnits()
  const alone = new RegExp(source, `g${flagLetters(flags)}u`)
  for (const { index } of latin.matchAll(alone)) put(units, index)
  if (isFar || sameInAnyCase.search(alone) >= 0) put(units, others)
  return units
}
