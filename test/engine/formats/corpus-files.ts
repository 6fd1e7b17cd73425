import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { formatOf, headBytes, registry } from '../../../shared/engine/formats/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readZip } from './package.ts'

const shared = join(import.meta.dirname, '../../../../shared')

/** Whether all files are wanted and not a sample: `CORPUS=all`. */
const all = process.env.CORPUS === 'all'

/** The files of the corpus but for PDF, which has a test of its own; of Apache POI's, workbooks and every ninth other file. */
export const corpusFiles: string[] = existsSync(shared)
  ? [
      ...globSync(join(shared, 'corpus/{docx,pptx,xlsx,odt,mail,rtf,image,text,synthetic}/*')).filter(
        // The list of naughty strings writes the same words in ten encodings; `robust.test.ts` has it.
        path => !/\.pdf$|blns/.test(path),
      ),
      ...globSync(join(shared, 'data/open/robust/poi/*')).filter(
        (path, n) => all || /\.xls[xm]$/.test(path) || n % 9 === 0,
      ),
    ]
  : []

if (corpusFiles.length === 0) console.log('skipped: the corpus of documents is not here')
else if (!all) console.log('a sample of the corpus; CORPUS=all takes all of it')

/** The program that looks for strings in any file, where it is here. */
export const leakFinder = join(shared, 'tools/leak.mjs')

/** The names of a file's parts, elements and attributes, and of functions in its formulas: words of its markup. */
function markupOf(bytes: Uint8Array): string {
  const isPackage = Buffer.from(bytes.subarray(0, 2)).toString() === 'PK'
  const parts = isPackage ? [...readZip(bytes)] : [['', Buffer.from(bytes)] as const]
  const names = parts.map(([name, part]) => {
    const tags = part.toString('latin1').match(/<\/?[\w:.-]+|\s[\w:.-]+=(?=["'])/g)
    const functions = part.toString('latin1').match(/\b[A-Z][A-Z.]+(?=\()/g)
    return `${name} ${[...new Set([...(tags ?? []), ...(functions ?? [])])].join(' ')}`
  })
  return names.join(' ').toLowerCase()
}

/** Words that formats, programs and their styles use themselves. */
const vocabulary =
  /^(?:arial|author|header|footer|table|normal|heading|title|sheet|image|picture|chart|style|theme|column|document|content|workbook|worksheet|paragraph|hyperlink|readonly|subtitle|subject|bottom|center|address|medium|dotted|number|endnote|footnote|comment|default|calibri|cambria|times|verdana|schema|script|string|format|received|message|version|shared|width|height|element|attribute|object|values?$|dashed|double|decimal|inline|traffic|lights|symbols|arrows|rating|quarters|triangles|spreadsheet|microsoft|tracked|sample|standard)/

/** The three most frequent longer words that a file shows; words of markup are nobody's secret. */
export async function frequentWords(name: string, bytes: Uint8Array): Promise<string[]> {
  const input = bufferInput(name, bytes)
  const { limits, signal } = call({ input, rules: [] })
  const options = { pictures: 'blank' }
  const file = await formatOf(bytes.subarray(0, headBytes), name).open(input, { registry, limits, signal, options })
  const markup = markupOf(bytes)
  const counts = new Map<string, number>()
  for await (const batch of file.segments())
    for (const { text, visible } of batch)
      for (const [word] of visible ? text.matchAll(/(?<![\p{L}\p{N}_])\p{L}{6,}(?![\p{L}\p{N}_])/gu) : []) {
        const lower = word.toLowerCase()
        if (!vocabulary.test(lower) && !markup.includes(lower)) counts.set(lower, (counts.get(lower) ?? 0) + 1)
      }
  await file.close()
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([word]) => word)
}

/** The file with those words, wherever and in whatever case they stand, masked by as many letters. */
export async function maskWords(path: string, bytes: Uint8Array, words: string[]): Promise<Uint8Array> {
  const pattern = words.length > 0 ? words.join('|') : 'nothing at all'
  const rules = [regexRule('word', pattern, { flags: 'i', replacement: { mask: { char: 'x' } } })]
  const { output } = await anonymise(call({ input: bufferInput(basename(path), bytes), rules }))
  return output.read(0, output.size)
}
