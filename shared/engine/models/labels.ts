/** What each label of a model means for the decoding of entities. */
export type LabelScheme = {
  /** Entity types in order of first appearance. */
  types: string[]
  /** For each label: index of its type, or -1 for the label of text that is nothing. */
  type: Int32Array
  /** For each label: whether it begins an entity (`B`, `S`, `U`). Plain labels begin none. */
  begins: boolean[]
  /** For each label: what is added to its logit, before all are multiplied by `sharpness`. */
  bias: Float32Array
  sharpness: number
}

/**
 * Reads the labels of a model: BIO, BIOES or BILOU with either separator (`B-PER`, `S_PER`), or plain types. `rename`
 * gives types other names, or drops them with an empty one; `calibration` is that of the model's manifest.
 */
export function labelScheme(
  labels: readonly string[],
  rename: Readonly<Record<string, string>> = {},
  { temperature, bias: biases }: Calibration = { temperature: 1, bias: {} },
): LabelScheme {
  const tagged = labels.some(label => /^[BISU][-_]./.test(label))
  const types: string[] = []
  const type = new Int32Array(labels.length).fill(-1)
  const bias = new Float32Array(labels.length)
  const begins = labels.map(() => false)
  labels.forEach((label, i) => {
    const [, prefix, rest] = (tagged && /^([BIESLU])[-_](.+)$/.exec(label)) || [undefined, undefined, label]
    if (/^(O|OTHER|NONE|LABEL_0|)$/i.test(rest!)) return
    bias[i] = biases[rest!] ?? 0
    const name = rename[rest!] ?? rest!
    if (name === '') return
    if (!types.includes(name)) types.push(name)
    type[i] = types.indexOf(name)
    begins[i] = prefix === 'B' || prefix === 'S' || prefix === 'U'
  })
  return { types, type, begins, bias, sharpness: 1 / temperature }
}

type Biases = Readonly<Record<string, number>>

/** The `calibration` of a manifest; what `languages` has is added to the biases of all. */
export type Calibration = { temperature: number; bias: Biases; languages?: Readonly<Record<string, Biases>> }

/** The calibration of a language, whose name has no region. */
export function calibrationOf({ temperature, bias, languages = {} }: Calibration, language: string): Calibration {
  const own = Object.entries(languages[language] ?? {}).map(([type, more]) => [type, (bias[type] ?? 0) + more])
  return { temperature, bias: { ...bias, ...Object.fromEntries(own) } }
}

/** How the predictions for the pieces of a word become one: those of its first piece, the mean, or the largest. */
export type Aggregation = 'first' | 'mean' | 'max'

/** Predictions for the words of a text: the chance of each type, and of beginning an entity. */
export type WordScores = {
  /** `words * types` chances. */
  chances: Float32Array
  /** For each word: whether its first piece more likely begins an entity of its best type than continues one. */
  begins: Uint8Array
}

/** Adds up the pieces of each word. `logits` has a row of labels per piece, `words` the number of each piece's word. */
export function wordScores(
  logits: Float32Array,
  words: Uint32Array,
  count: number,
  scheme: LabelScheme,
  aggregation: Aggregation,
): WordScores {
  const labels = scheme.type.length
  const types = scheme.types.length
  const chances = new Float32Array(count * types)
  const begins = new Uint8Array(count)
  const row = new Float32Array(types)
  const begin = new Float32Array(types)
  let pieces = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const first = i === 0 || words[i - 1] !== word
    pieces = first ? 1 : pieces + 1
    if (!first && aggregation === 'first') continue
    softmax(logits, i * labels, scheme, row, begin)
    for (let t = 0; t < types; t++) {
      const at = word * types + t
      if (aggregation === 'max') chances[at] = Math.max(chances[at]!, row[t]!)
      else chances[at] = chances[at]! + (row[t]! - chances[at]!) / pieces
    }
    if (first) {
      const best = row.indexOf(Math.max(...row))
      begins[word] = Number(begin[best]! > row[best]! / 2)
    }
  }
  return { chances, begins }
}

/** Chances of each type (and of its beginning) from one row of logits. */
function softmax(logits: Float32Array, at: number, scheme: LabelScheme, row: Float32Array, begin: Float32Array) {
  const labels = scheme.type.length
  let highest = Number.NEGATIVE_INFINITY
  for (let l = 0; l < labels; l++) highest = Math.max(highest, logits[at + l]! + scheme.bias[l]!)
  row.fill(0)
  begin.fill(0)
  let sum = 0
  for (let l = 0; l < labels; l++) {
    const power = Math.exp((logits[at + l]! + scheme.bias[l]! - highest) * scheme.sharpness)
    const type = scheme.type[l]!
    sum += power
    if (type < 0) continue
    row[type] = row[type]! + power
    if (scheme.begins[l]) begin[type] = begin[type]! + power
  }
  for (let t = 0; t < row.length; t++) {
    row[t] = row[t]! / sum
    begin[t] = begin[t]! / sum
  }
}

/**
 * What stands between two words: nothing, nothing in a script that has no blanks, something within a paragraph, or the end
 * of one.
 */
export type Gap = 'none' | 'unspaced' | 'blank' | 'paragraph'

/** A run of words of one type: first word, last word (inclusive), index of the type, score. */
export type Entity = { first: number; last: number; type: number; score: number }

/**
 * Joins words into entities. A word counts with the chance that it is any of the types asked for, so that doubt between
 * two of them loses nothing; its type is the likeliest of them. An entity's score is the mean of its words' chances.
 * `gap` tells what stands between a word and the one before it: after nothing a word never begins an entity of the same
 * type, after the end of a paragraph it always does. In a script without blanks words are mere parts: there one of another type goes on
 * with the entity as well, unless it begins one, and the type of most is that of all.
 */
export function entities(
  scores: WordScores,
  count: number,
  types: number,
  kept: readonly boolean[],
  threshold: number,
  gap: (word: number) => Gap,
): Entity[] {
  const out: Entity[] = []
  const floor = Math.min(threshold, 0.5)
  let open: Entity | undefined
  let sum = 0
  const sums = new Float64Array(types)
  const close = () => {
    if (open) {
      open.score = sum / (open.last - open.first + 1)
      if (open.score >= threshold) out.push(open)
    }
    open = undefined
    sums.fill(0)
  }
  const take = (word: number) => {
    for (let t = 0; t < types; t++) if (kept[t]) sums[t]! += scores.chances[word * types + t]!
  }
  for (let word = 0; word < count; word++) {
    let best = -1
    let chance = 0
    for (let t = 0; t < types; t++) {
      if (!kept[t]) continue
      const value = scores.chances[word * types + t]!
      chance += value
      if (best < 0 || value > scores.chances[word * types + best]!) best = t
    }
    if (best < 0 || chance < floor || chance === 0) {
      close()
      continue
    }
    const between = gap(word)
    const begins = scores.begins[word] === 1
    const isSame = open?.type === best && (between === 'none' || (between === 'blank' && !begins))
    const isPart = between === 'unspaced' && (open?.type === best || !begins)
    if (open && (isSame || isPart)) {
      open.last = word
      sum += chance
      take(word)
      if (isPart) open.type = sums.indexOf(Math.max(...sums))
      continue
    }
    close()
    open = { first: word, last: word, type: best, score: 0 }
    sum = chance
    take(word)
  }
  close()
  return out
}
