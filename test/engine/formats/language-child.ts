import { anonymise } from '../../../shared/engine/anonymise.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import { call, regexRule } from '../call.ts'
import { allOf, typedBitmap } from './picture-samples.ts'

// Anonymises a picture of French lines in the languages named on the command line (`eng+fra`) and says in a line of JSON
// how often the name was found and what a French reader sees afterwards. In a process of its own, which alone is told
// where the data of the second language are.
const lines = ['Lettre de Françoise Lefèvre, à Orléans', 'La sœur a reçu la clé près du château', 'le 14 août']
const png = kindOf('png')
const bytes = await png.encode([await typedBitmap(lines)], new Uint8Array())
const rules = [regexRule('name', 'Françoise Lefèvre')]
const options = { ocrLanguages: process.argv[2] }
const { findings, output } = await anonymise(call({ input: bufferInput('letter.png', bytes), rules, options }))
const [page] = await allOf(png.decode(await output.read(0, output.size)))
const pixels = Uint8Array.from({ length: page!.width * page!.height }, (_, i) => page!.data[i * 4]!)
const ocr = await startOcr(['fra'], new AbortController().signal)
const read = await ocr.read({ width: page!.width, height: page!.height, channels: 1, pixels })
await ocr.close()
const shown = read.lines.map(words => words.map(({ text }) => text).join(' '))
console.log(JSON.stringify({ count: findings[0]?.count, shown }))
