import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Doc } from './delivered.ts'

/** A word of a sentence, and what it is of: `PER`, `B-PER`, `O` or `0`. */
type Word = [word: string, tag: string]

/** Words of the sentences of a file that has one in a line, with a blank line behind each sentence. */
function sentencesIn(path: string, split: (line: string) => Word): Word[][] {
  const sentences = readFileSync(path, 'utf8')
    .split(/\r?\n[ \t]*\r?\n/)
    .map(lines =>
      lines
        .split(/\r?\n/)
        .filter(line => line.trim() !== '')
        .map(split),
    )
  return sentences.filter(words => words.length > 0)
}

const columns = (line: string) => line.trim().split(/\s+/)
const wordFirst = (line: string): Word => [columns(line)[0]!, columns(line).at(-1)!]
const numberFirst = (line: string): Word => [columns(line)[1]!, columns(line)[2]!]

/** A text out of some sentences, one in a line, with the persons marked. Behind an apostrophe Italian puts no blank. */
function textOf(id: string, sentences: readonly Word[][]): Doc {
  const doc: Doc = { id, text: '', spans: [] }
  for (const sentence of sentences) {
    let before = ''
    for (const [word, tag] of sentence) {
      const stands = /(?:^|[\s([«])$/.test(doc.text) || /^[,.;:!?)\]»%…]+$/.test(word) || /\p{L}['’]$/u.test(doc.text)
      const start = doc.text.length + (stands ? 0 : 1)
      const last = doc.spans.at(-1)
      doc.text += `${stands ? '' : ' '}${word}`
      const type = tag.replace(/^[BI]-/, '')
      if (type === 'PER' && before === 'PER' && !tag.startsWith('B-') && last) last.end = doc.text.length
      else if (type === 'PER') doc.spans.push({ start, end: doc.text.length, type: 'PERSON' })
      before = type
    }
    doc.text += '\n'
  }
  return doc
}

/** Documents of so many sentences each. */
function grouped(sentences: readonly Word[][], size: number): Doc[] {
  const docs: Doc[] = []
  for (let at = 0; at < sentences.length; at += size)
    docs.push(textOf(`${docs.length}`, sentences.slice(at, at + size)))
  return docs
}

/** News in Czech. The names of each are listed by their forms, every one of which in the text is marked. */
function* czech(folder: string): Generator<Doc> {
  for (const topic of readdirSync(join(folder, 'ner')).sort()) {
    const of = (part: string) => join(folder, part, topic, 'cs')
    if (!existsSync(of('ner'))) continue
    for (const file of readdirSync(of('ner')).sort()) {
      const text = readFileSync(join(of('raw'), file.replace(/tsv$/, 'txt')), 'utf8')
      const rows = readFileSync(join(of('ner'), file), 'utf8').split(/\r?\n/)
      const names = rows.map(row => row.split('\t')).filter(([, , , , type]) => type === 'PER')
      const forms = [...new Set(names.map(([, , form = '']) => form.trim()))].filter(Boolean)
      yield { id: file, text, spans: forms.flatMap(form => placesOf(text, form)) }
    }
  }
}

const placesOf = (text: string, form: string) =>
  Array.from(
    text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(form)}(?![\\p{L}\\p{N}])`, 'gu')),
    ({ index }) => ({ start: index, end: index + form.length, type: 'PERSON' }),
  )

/** Of every so many documents one. */
const eachOf = <T>(every: number, list: Iterable<T>): T[] => [...list].filter((_, n) => n % every === 0)

const kind = (part: string) => ({
  name: `it ${part}`,
  path: `KIND/dataset/${part}_test.tsv`,
  read: (path: string) => grouped(sentencesIn(path, wordFirst), 10),
})

/** Sets under licences that let nobody ship or train on them, as their repositories hold them. */
export const nameSets: readonly { name: string; path: string; read: (path: string) => Doc[] }[] = [
  {
    name: 'sv news',
    path: 'swedish-ner-corpus/test_corpus.txt',
    read: path => grouped(sentencesIn(path, wordFirst), 10),
  },
  ...['wikinews', 'fiction', 'degasperi', 'moro'].map(kind),
  {
    name: 'it wikipedia',
    path: 'wikineural/data/wikineural/it/test.conllu',
    read: path => grouped(eachOf(6, sentencesIn(path, numberFirst)), 5),
  },
  { name: 'cs news', path: 'SlavicNER', read: path => eachOf(2, czech(path)) },
]
