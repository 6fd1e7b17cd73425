import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../shared/engine/detect/entity-model.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { folderSource } from '../../shared/engine/models/classifier.ts'
import { modelLoader } from '../../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { patternSource } from '../../shared/engine/recognisers/index.ts'
import { call, regexRule } from './call.ts'

/** A model that knows a person only behind a title, as small models do, and says how often it was asked. */
function titleModel() {
  const asked: string[] = []
  const model: EntityModel = {
    find: async texts =>
      texts.map(text => {
        asked.push(text)
        return [...text.matchAll(/(?<=Mrs\. )\p{Lu}\p{L}+/gu)].map(match => ({
          label: 'PERSON',
          start: match.index,
          end: match.index + match[0].length,
          score: match[0] === 'Maybe' ? 0.3 : 0.9,
        }))
      }),
  }
  return { model, asked }
}

const person: PlannedRule = {
  ruleId: 'person',
  name: 'person',
  detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
  replacement: { text: '<{{label}}>' },
}

async function run(name: string, content: string, rules: PlannedRule[], model: EntityModel) {
  const result = await anonymise(
    call({ input: bufferInput(name, Buffer.from(content)), rules, models: async () => model }),
  )
  const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
  return { output, counts: result.findings.map(({ count }) => count) }
}

test('what a model found in one sentence is replaced in all others, as a whole word', async () => {
  const { model } = titleModel()
  const text = 'Smith called.\nMrs. Smith came. smith, Smithson and Smith’s dog.\nMrs. Maybe left; Maybe not.\n'
  expect(await run('note.txt', text, [person], model)).toEqual({
    output: '<PERSON> called.\nMrs. <PERSON> came. smith, Smithson and <PERSON>’s dog.\nMrs. Maybe left; Maybe not.\n',
    counts: [3],
  })
})

test('findings are counted by label too, the most frequent first', async () => {
  const model: EntityModel = {
    find: async texts =>
      texts.map(text =>
        [...text.matchAll(/(?<PERSON>Quorum)|(?<CITY>Leeds)|(?<DATE>Friday)/g)].map(({ 0: value, index, groups }) => ({
          label: Object.entries(groups!).find(([, found]) => found)![0],
          start: index,
          end: index + value.length,
          score: 0.9,
        })),
      ),
  }
  const rules = [person, regexRule('id', '\\d{5}'), regexRule('none', 'nowhere')]
  const input = bufferInput('note.txt', Buffer.from('Leeds, Friday: Quorum, 12345. Leeds, Leeds, 54321, Friday.\n'))
  const { findings } = await anonymise(call({ input, rules, models: async () => model }))
  const labels = [
    { label: 'CITY', count: 3 },
    { label: 'DATE', count: 2 },
    { label: 'PERSON', count: 1 },
  ]
  expect(findings).toMatchObject([
    { name: 'person', count: 6, labels },
    { name: 'id', count: 2, labels: [{ label: 'id', count: 2 }] },
    { name: 'none', count: 0, labels: [] },
  ])
})

test('what a pattern found is replaced where it matches only', async () => {
  const { model } = titleModel()
  const rules = [regexRule('id', '(?<=ID: )\\d{5}'), person]
  expect((await run('note.txt', 'ID: 12345, order 12345, Mrs. Smith\n', rules, model)).output).toBe(
    'ID: [id], order 12345, Mrs. <PERSON>\n',
  )
})

test('names of files, links and identifiers go with what a pattern found', async () => {
  const { model } = titleModel()
  const rules = [regexRule('X', 'Anna Berg|Åsa Öst|Li Wu')]
  const text =
    '# Anna Berg\n\n[a](#anna-berg) [b](https://x.example/anna_berg/) ![p](img/anna-berg.jpg) Anna_Berg.pdf\n' +
    '[a][anna-berg] anna.berg84@x.example <a id="anna-berg"></a> Åsa Öst: asa-ost, aasa_oest Anna berg anna-bergen\n'
  const output =
    '# [X]\n\n[a](#[X]) [b](https://x.example/[X]/) ![p](img/[X].jpg) [X].pdf\n' +
    '[a][[X]] [X]84@x.example <a id="[X]"></a> [X]: [X], [X] Anna berg anna-bergen\n'
  for (const name of ['note.md', 'note.txt']) expect((await run(name, text, rules, model)).output).toBe(output)
  expect((await run('t.json', '[{"a":"Anna Berg","b":"anna-berg","c":"anna berg"}]', rules, model)).output).toBe(
    '[{"a":"[X]","b":"[X]","c":"anna berg"}]',
  )
  expect((await run('t.ndjson', '{"a":"x/anna-berg?b"}\n{"a":"Anna Berg"}\n', rules, model)).output).toBe(
    '{"a":"x/[X]?b"}\n{"a":"[X]"}\n',
  )
  expect((await run('t.csv', 'a,b\nli-wu,Anna_Berg.pdf\nLi Wu,Anna Berg\n', rules, model)).output).toBe(
    'a,b\n[X],[X].pdf\n[X],[X]\n',
  )
})

test('what a rule for some columns found is looked for nowhere else', async () => {
  const { model } = titleModel()
  const rules = [{ ...regexRule('X', 'Anna Berg'), columns: ['a'] }]
  expect((await run('t.csv', 'a,b\nAnna Berg,anna-berg\n', rules, model)).output).toBe('a,b\n[X],anna-berg\n')
})

test.each(['note.md', 'note.txt', 'note.csv'])(
  'values of %s that is too large to hold them all are replaced where a pattern matches only',
  async name => {
    const { model } = titleModel()
    const large = `Anna Berg [a](#anna-berg)\n${'Nothing is written here at all.\n'.repeat(70_000)}`
    const { output } = await run(name, large, [regexRule('X', 'Anna Berg')], model)
    expect(output).toBe(large.replace('Anna Berg', '[X]'))
  },
)

test('in a table each cell stands for itself, and equal cells are asked about once', async () => {
  const { model, asked } = titleModel()
  const text = 'who,note\nMrs. Smith,x\nSmith,x\nMrs. Smith,x\n'
  expect((await run('t.csv', text, [person], model)).output).toBe(
    'who,note\nMrs. <PERSON>,x\nSmith,x\nMrs. <PERSON>,x\n',
  )
  expect(asked.filter(cell => cell === 'Mrs. Smith')).toHaveLength(1)
})

test('a longer text is gone through in pieces, and the edges lose nothing', async () => {
  const { model } = titleModel()
  const line = 'Some words that fill the line, and nothing else at all.\n'
  const text = `Smith\n${line.repeat(3000)}Mrs. Smith\n${line.repeat(3000)}Smith\n`
  const { output, counts } = await run('note.txt', text, [person], model)
  expect(output).toBe(text.replaceAll('Smith', '<PERSON>'))
  expect(counts).toEqual([3])
})

const { signal } = new AbortController()

/** A model that takes whatever it is told for a person, the first time that it stands in a text. */
const taking = (score: number, ...values: string[]): EntityModel => ({
  find: async texts =>
    texts.map(text =>
      values.flatMap(value => {
        const start = text.indexOf(value)
        return start < 0 ? [] : [{ label: 'PERSON', start, end: start + value.length, score }]
      }),
    ),
})

test.each([
  ['.', 'It rained. It stopped. It is over.\n'],
  ['The', 'The rain came. The sun went.\n'],
  ['Er', 'Er kam. Er ging.\n'],
  ['March', 'March was wet. March was cold.\n'],
  ['widow', 'A widow met a widow.\n'],
  ['04', 'It cost 04 of 04.\n'],
])('%s, found once, is replaced there and nowhere else', async (value, text) => {
  expect((await run('note.txt', text, [person], taking(0.9, value))).output).toBe(text.replace(value, '<PERSON>'))
})

test('a single word that was found once, in doubt, is replaced there only; a sure one wherever it stands', async () => {
  const text = 'Court orders. The Court, the Court of Appeal.\n'
  expect((await run('note.txt', text, [person], taking(0.55, 'Court'))).output).toBe(text.replace('Court', '<PERSON>'))
  expect((await run('note.txt', text, [person], taking(0.9, 'Court'))).output).toBe(
    text.replaceAll('Court', '<PERSON>'),
  )
})

test('a given name that was found once, in doubt, is replaced wherever it stands', async () => {
  const text = 'Spoke to Tracey. Rang Tracey again.\n'
  expect((await run('note.txt', text, [person], taking(0.55, 'Tracey'))).output).toBe(
    text.replaceAll('Tracey', '<PERSON>'),
  )
})

test('names in scripts without capitals, and without blanks between words, are found again', async () => {
  const text = '张伟来了。昨天张伟说，محمد هنا؛ قال محمد.\n'
  const { output } = await run('note.txt', text, [person], taking(0.9, '张伟', 'محمد'))
  expect(output).toBe('<PERSON>来了。昨天<PERSON>说，<PERSON> هنا؛ قال <PERSON>.\n')
})

test('punctuation that a model takes along is not looked for', async () => {
  const { output } = await run('note.txt', 'By (Smith, then Smith.\n', [person], taking(0.9, '(Smith,'))
  expect(output).toBe('By <PERSON> then <PERSON>.\n')
})

test('one name in two spellings is found in both', async () => {
  const { output } = await run('note.txt', 'SMITH, Smith. Smith, SMITH.\n', [person], taking(0.9, 'SMITH', 'Smith'))
  expect(output).toBe('<PERSON>, <PERSON>. <PERSON>, <PERSON>.\n')
})

test('names of files hold what was found, whatever stands between their words', async () => {
  const rules = [{ ...person, replacement: { text: 'P{{n}}' } }]
  const model = taking(0.9, 'Jane Doe')
  const text =
    'Jane Doe sent Jane_Doe.pdf, (jane.doe-cv.docx), Jane-Doe_2.jpeg and anna_jane_doeling.pdf, from jane.doe.\n'
  expect((await run('note.txt', text, rules, model)).output).toBe(
    'P1 sent P1.pdf, (P1-cv.docx), P1_2.jpeg and anna_jane_doeling.pdf, from P1.\n',
  )
  const page = '<p>Jane Doe</p><a href="files/jane_doe.pdf" title="Jane-Doe.png">it</a>'
  const { output } = await run('a.html', page, rules, model)
  expect(output).toBe('<p>P1</p><a href="files/P1.pdf" title="P1.png">it</a>')
  const [header, body] = ['Content-Disposition: attachment; filename=', 'MIME-Version: 1.0\r\nContent-Type: ']
  const part = `${'Content-Type: text/plain'}\r\n${header}"doe_Jane_Doe.cv.txt"\r\n\r\nhello\r\n`
  const mail = `${body}multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nJane Doe\r\n--b\r\n${part}--b--\r\n`
  expect((await run('a.eml', mail, rules, model)).output).toMatch(/filename="?doe_P1\.cv\.txt/)
})

test('hidden places are cleaned of names, and keep marks and common words', async () => {
  const text = '<p title="The end. On Meyerhof’s day">The Meyerhof; came.</p>'
  const rule = { ...person, replacement: { text: 'X' } }
  const shown = taking(0.9, 'The', 'Meyerhof', ';')
  const model: EntityModel = {
    find: texts =>
      shown.find(
        texts.map(found => (found.endsWith('day') ? '' : found)),
        signal,
      ),
  }
  expect((await run('a.html', text, [rule], model)).output).toBe('<p title="The end. On X’s day">X XX came.</p>')
})

test('both shipped models leave the marks of a clinical sentence alone', async () => {
  const text = '(PASI), obteniéndose un índice PASI de 18.60. Se reinició etanercept 25 mg 2 veces\n'
  const rules = ['pii-patterns', 'pii-ner'].map(
    (modelId): PlannedRule => ({
      ...person,
      ruleId: modelId,
      detection: { type: 'AIMODEL', modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5 },
    }),
  )
  const models = modelLoader([patternSource, folderSource(join(import.meta.dirname, '../../models'), 1)])
  const result = await anonymise(call({ input: bufferInput('a.txt', Buffer.from(text)), rules, models }))
  expect(Buffer.from(await result.output.read(0, result.output.size)).toString()).toBe(text)
})

test('without a loader, or with a model that fails, the asset fails', async () => {
  const input = bufferInput('note.txt', Buffer.from('Mrs. Smith'))
  await expect(anonymise(call({ input, rules: [person] }))).rejects.toMatchObject({ type: 'model_load_failed' })
  const broken: EntityModel = { find: () => Promise.reject(new Error('broken')) }
  await expect(run('note.txt', 'Mrs. Smith', [person], broken)).rejects.toThrow('broken')
})

test('a part of a name is looked for though it was found once by itself, and doubtfully', async () => {
  const model: EntityModel = {
    find: async texts =>
      texts.map(text =>
        [...text.matchAll(/Strobel, Volkmar|(?<=Firm )Strobel/g)].map(({ index, 0: found }) => ({
          label: found === 'Strobel' ? 'ORGANIZATION' : 'PERSON',
          start: index,
          end: index + found.length,
          score: found === 'Strobel' ? 0.6 : 0.9,
        })),
      ),
  }
  const input = bufferInput('a.txt', Buffer.from('Strobel, Volkmar\n\nFirm Strobel\n\nthen Strobel left\n'))
  const { output } = await anonymise(call({ input, rules: [person], models: async () => model }))
  const written = Buffer.from(await output.read(0, output.size)).toString()
  expect(written).toBe('<PERSON>\n\nFirm <PERSON>\n\nthen <PERSON> left\n')
})
