import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { cellsWithEscapes, textWithEscapes, withoutEscapes } from '../../../shared/engine/detect/escapes.ts'
import { acrossHyphens } from '../../../shared/engine/detect/finders.ts'
import { reading, readingOf, respelt } from '../../../shared/engine/detect/normalise.ts'
import { placeOf } from '../../../shared/engine/detect/resolved-text.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf } from '../formats/package.ts'
import { tableKinds } from '../formats/tables.ts'

const rules = [
  regexRule('person', '\\bMargaret Johnson\\b'),
  regexRule('email', '[\\w.]+@[\\w.]+\\w'),
  regexRule('iban', '\\b[A-Z]{2}\\d\\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\\b', { validator: 'iban' }),
  regexRule('card', '\\b\\d{4}(?:[ -]?\\d{4}){3}\\b', { validator: 'luhn' }),
  regexRule('phone', '\\+[1-9]\\d{0,2}(?:[ .-]?\\d{1,7}){2,6}|\\b\\d{3}-\\d{3}-\\d{4}\\b'),
  regexRule('ssn', '\\b\\d{3}-\\d\\d-\\d{4}\\b'),
  regexRule('name', '(?<!\\p{L})(?:José|Müller|Griffin)(?!\\p{L})'),
]

/** The patterns that ship. */
const shipped: PlannedRule = {
  ruleId: 'p',
  name: 'patterns',
  detection: { type: 'AIMODEL', modelId: 'pii-patterns', modelVersion: '1.0.0', confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
}

/** What a text says, as it may be spelt, by the rule that finds it. */
const spelt: [rule: string, text: string][] = [
  ['person', 'Margaret\u00a0Johnson'],
  ['person', 'Margaret\u202fJohnson'],
  ['person', 'Margaret\u2009Johnson'],
  ['person', 'Mar\u00adgaret John\u200bson'],
  ['person', 'Ｍａｒｇａｒｅｔ　Ｊｏｈｎｓｏｎ'],
  ['person', 'Margaret\u200c Johnson'],
  ['email', 'bert.k\u200b@example.org'],
  ['email', 'carl.k@exam\u00adple.org'],
  ['email', 'dora.k＠example.org'],
  ['email', 'emil.k﹫example.org'],
  ['email', 'gerd\u200c.k@example.org'],
  ['email', 'hans\u2060.k@example.org'],
  ['iban', 'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000'],
  ['iban', 'DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00'],
  ['card', '4111\u00a01111\u00a01111\u00a01111'],
  ['card', '4111\u20111111\u20111111\u20111111'],
  ['card', '４１１１１１１１１１１１１１１１'],
  ['phone', '+49\u00a0170\u00a01234567'],
  ['phone', '+49\u2009170\u20091234567'],
  ['phone', '415\u2011555\u20112671'],
  ['phone', '415\u2013555\u20132671'],
  ['phone', '＋４９　１７０　１２３４５６７'],
  ['phone', '+49\u200e 171 \u200e7654321'],
  ['ssn', '123\u201145\u20116789'],
  ['ssn', '١٢٣-٤٥-٦٧٨٩'],
  ['name', 'Jose\u0301'],
  ['name', 'Mu\u0308ller'],
  ['name', 'Gri\u034fffin'],
  ['name', 'Gri\ufe0fffin'],
  ['name', 'Gri\u{e0100}ffin'],
  ['email', 'ivo\ufe0e.k@example.org'],
  ['phone', '+49\u061c 172 7654321'],
  ['name', 'Griﬃn'],
]

const text = spelt.map(([, value], n) => `line ${n}: ${value} end`)
const wanted = spelt.map(([rule], n) => `line ${n}: [${rule}] end`)

async function run(name: string, content: string | Uint8Array, more: Partial<Parameters<typeof call>[0]> = {}) {
  const assetType = /\.csv$/.test(name) ? ('TABLE' as const) : ('DOCUMENT' as const)
  const input = bufferInput(name, Buffer.from(content as string))
  const { output, findings } = await anonymise(call({ input, rules, assetType, ...more }))
  return { bytes: Buffer.from(await output.read(0, output.size)), findings }
}
const outputOf = async (...args: Parameters<typeof run>) => (await run(...args)).bytes.toString()

describe('every spelling is found', () => {
  test('in plain text, once each', async () => {
    const { bytes, findings } = await run('a.txt', text.join('\n'))
    expect(bytes.toString().split('\n')).toEqual(wanted)
    const counts = Map.groupBy(spelt, ([rule]) => rule)
    for (const { name, count } of findings) expect([name, count]).toEqual([name, counts.get(name)?.length ?? 0])
  })

  test.each(tableKinds)('in $name', async ({ name, make, read }) => {
    const { bytes, findings } = await run(
      name,
      make(
        ['note', 'x'],
        text.map(line => [line, 'y']),
      ),
      { assetType: 'TABLE' },
    )
    expect(await read(bytes)).toEqual(wanted.map(line => [line, 'y']))
    expect(findings.reduce((sum, { count }) => sum + count, 0)).toBe(spelt.length)
  })

  test('in HTML, as characters and as entities', async () => {
    const page = (lines: string[]) => `<!DOCTYPE html><meta charset=utf-8>${lines.map(one => `<p>${one}</p>`).join('')}`
    expect(await outputOf('a.html', page(text))).toBe(page(wanted))
    const entities = text.map(line => line.replace(/[^\0-\x7f]/gu, one => `&#${one.codePointAt(0)};`))
    expect(await outputOf('a.html', page(entities))).toBe(page(wanted))
    expect(await outputOf('a.html', page(['Margaret&nbsp;Johnson', 'Mar&shy;garet&ensp;Johnson']))).toBe(
      page(['[person]', '[person]']),
    )
  })

  test('in mail, JSON and XML', async () => {
    const mail = (lines: string[]) =>
      `From: a@b\r\nSubject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines.join('\r\n')}\r\n`
    expect(await outputOf('a.eml', mail(text))).toContain(wanted.join('\r\n'))
    expect(JSON.parse(await outputOf('a.json', JSON.stringify({ text })))).toEqual({ text: wanted })
    const xml = (lines: string[]) =>
      `<?xml version="1.0" encoding="UTF-8"?><a>${lines.join('</a><a>')}</a>`.replace('<a>', '<r><a>').concat('</r>')
    expect(await outputOf('a.xml', xml(text))).toBe(xml(wanted))
  })

  test('in Office documents', async () => {
    const paragraph = (line: string) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`
    const docx = await run('a.docx', makeDocx(text.map(paragraph).join('')))
    const odt = await run('a.odt', makeOdf('text', text.map(line => `<text:p>${line}</text:p>`).join('')))
    for (const [name, { bytes, findings }] of [
      ['a.docx', docx],
      ['a.odt', odt],
    ] as const) {
      expect(findings.reduce((sum, { count }) => sum + count, 0)).toBe(spelt.length)
      const again = await run(name, bytes, { rules: [...rules, regexRule('left', 'line \\d+: \\[\\w+\\] end')] })
      expect(again.findings.map(({ count }) => count)).toEqual([...rules.map(() => 0), text.length])
    }
  })

  test('by the patterns that ship', async () => {
    const labels: Record<string, string> = { email: 'EMAIL', iban: 'IBAN', card: 'PAYMENT_CARD', phone: 'PHONE' }
    const lines = spelt.filter(([name]) => labels[name])
    const output = await outputOf('a.txt', lines.map(([, value]) => `x ${value} end`).join('\n'), {
      rules: [shipped],
      models: modelLoader([patternSource]),
    })
    expect(output.split('\n')).toEqual(lines.map(([name]) => `x [${labels[name]}] end`))
  })
})

test.each([
  [
    'a number with a note',
    'a.html',
    '<p>IBAN DE89 3704 0044 0532 0130 00<sup>1</sup> x',
    '<p>IBAN [IBAN]<sup>1</sup> x',
  ],
  ['a number that is emphasised in part', 'a.md', 'IBAN **DE89 3704** 0044 0532 0130 00 x', 'IBAN [IBAN] x'],
])('the patterns that ship find %s', async (_, name, text, wanted) => {
  expect(await outputOf(name, text, { rules: [shipped], models: modelLoader([patternSource]) })).toBe(wanted)
})

test('the same value in another spelling has the same pseudonym', async () => {
  const same = [{ ...rules[0]!, replacement: { pseudonym: {} } }]
  const names = (
    await outputOf('a.txt', 'Margaret Johnson\nMargaret\u00a0Johnson\nMargaret\u200b&nbsp;Johnson', { rules: same })
  ).split('\n')
  expect(names[0]).toMatch(/^VALUE_\w{10}$/)
  expect(new Set(names).size).toBe(1)
})

test('a value that a model found is propagated to other spellings of it', async () => {
  const models = async () => ({
    find: async (texts: string[]) =>
      texts.map(one =>
        [...one.matchAll(/(?<=Mrs )Margaret Johnson/g)].map(({ index }) => ({
          label: 'PERSON',
          start: index,
          end: index + 16,
          score: 1,
        })),
      ),
  })
  const person: PlannedRule = {
    ruleId: 'p',
    name: 'person',
    detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
    replacement: { text: '[{{label}}]' },
  }
  const page = '<!DOCTYPE html><p>Mrs Margaret Johnson</p><p>Margaret&nbsp;Johnson lives, as Margaret John&shy;son</p>'
  expect(await outputOf('a.html', page, { rules: [person], models })).toBe(
    '<!DOCTYPE html><p>Mrs [PERSON]</p><p>[PERSON] lives, as [PERSON]</p>',
  )
})

describe('a text that reads otherwise', () => {
  test('has no numbers of notes beside words and numbers', () => {
    for (const [source, text] of [
      ['Johnson\u00b9 and Berg\u00b2\u2070, 4711\u2079', 'Johnson and Berg, 4711'],
      ['\u00b9Anna, \u00b2\u00b3 12', 'Anna,  12'],
      ['10 km\u00b2 and 10 m\u00b2', '10 km and 10 m\u00b2'],
    ] as const)
      expect(textWithEscapes(source).map(said => said.text)).toEqual([text])
    const [said] = textWithEscapes('a \u00b9Johnson\u00b2 b')
    expect(said!.text).toBe('a Johnson b')
    expect(placeOf(said!, 2, 9)).toEqual({ start: 3, end: 10 })
    const [cell] = cellsWithEscapes(Buffer.from('x\u001fJohnson\u00b9').toString('latin1'))
    expect(cell!.text).toBe('Johnson')
    expect(placeOf(cell!, 0, 7)).toEqual({ start: 2, end: 9 })
  })

  test.each([
    'plain ASCII',
    'Müller, José and Łukasz',
    '山田太郎、東京。',
    'Ещё раз',
    '👨‍👩‍👧 and 🇩🇪',
    'می\u200cخواهم',
    'x² + y³',
  ])('is not made of: %s', one => {
    expect(textWithEscapes(one)).toEqual([])
    expect(reading(one)).toBe(one)
    expect(cellsWithEscapes(Buffer.from(one).toString('latin1'))).toEqual([])
  })

  test('knows where its characters stand, in texts and in cells', () => {
    for (const [, value] of spelt) {
      const source = `é🙂 ${value} é`
      const [said] = textWithEscapes(source)
      const read = withoutEscapes(value)
      expect(read).toBe(reading(value))
      const at = said!.text.indexOf(read)
      expect(placeOf(said!, at, at + read.length)).toEqual({ start: 4, end: 4 + value.length, escaped: true })
      const bytes = (one: string) => Buffer.from(one).toString('latin1')
      const [cell] = cellsWithEscapes(`${bytes('x\u00e9')}\u001f${bytes(source)}\u001fy`)
      expect(cell!.text).toBe(bytes(said!.text))
      const from = cell!.text.indexOf(bytes(read))
      const place = placeOf(cell!, from, from + bytes(read).length)
      expect(
        Buffer.from(`${bytes('x\u00e9')}\u001f${bytes(source)}`.slice(place.start, place.end), 'latin1').toString(),
      ).toBe(value)
    }
  })

  test('leaves what is not seen outside of a match where it is', () => {
    const [said] = textWithEscapes('\u200bab\u00adc\u200bd\u200b')
    expect(placeOf(said!, 0, 3)).toEqual({ start: 1, end: 5, escaped: true })
    expect(placeOf(said!, 0, 2)).toEqual({ start: 1, end: 3 })
  })

  test('shows models a word that a line end hyphenates as one, from any place on', async () => {
    const text = 'Anna Meyer-\u00adLandau met Schnarren-\u00adberger'
    const asked: string[] = []
    const find = acrossHyphens(async (texts, from) =>
      texts.map(read => {
        asked.push(read)
        return [...read.matchAll(/Meyer-Landau|Schnarrenberger/g)]
          .filter(({ index }) => index >= from)
          .map(({ 0: name, index: start }) => ({ rule: 0, label: 'p', score: 1, start, end: start + name.length }))
      }),
    )
    const saidFrom = async (from: number) =>
      (await find([text, 'Meyer-Landau'], from)).map(spans =>
        spans.map(span => [text.slice(span.start, span.end), span.said]),
      )
    const last = ['Schnarren-\u00adberger', 'Schnarrenberger']
    expect((await saidFrom(0))[0]).toEqual([['Meyer-\u00adLandau', 'Meyer-Landau'], last])
    expect((await saidFrom(7))[0]).toEqual([last])
    expect(new Set(asked)).toEqual(new Set(['Anna Meyer-Landau met Schnarrenberger', 'Meyer-Landau']))
  })

  test.each(['data-\u00adbase', 'data \u2060base'])('reads what may part a word or not both ways: %j', source => {
    const [parted, joined] = textWithEscapes(`a ${source} b`)
    expect(parted!.text).toBe(`a ${source.replace(/[\u00ad\u2060]/, '')} b`)
    expect(joined!.text).toBe('a database b')
    expect(placeOf(joined!, 2, 10)).toEqual({ start: 2, end: 12, escaped: true })
  })
})

describe('escapes of strings', () => {
  const word = [regexRule('w', '\\bZqx[a-z]+\\b')]
  test.each([
    ['Hello\\nZqxnl and \\tZqxtab', 'Hello\\n[w] and \\t[w]'],
    ['DESCRIPTION:with\\nZqxone\\NZqxtwo\\, and\\rZqxthree', 'DESCRIPTION:with\\n[w]\\N[w]\\, and\\r[w]'],
    ['C:\\\\nZqxpath \\\\Zqxshare', 'C:\\\\nZqxpath \\\\[w]'],
  ])('end words: %s', async (line, expected) => {
    expect(await outputOf('a.txt', line, { rules: word })).toBe(expected)
    expect(await outputOf('a.csv', `a,b\n"${line}",x\n`, { rules: word })).toBe(
      `a,b\n"${expected}",x\n`.replace(/^"|"$/g, ''),
    )
  })

  test('and paths are searched as they stand, too', async () => {
    const path = [regexRule('p', '\\bC:\\\\new\\\\table\\b'), regexRule('n', '\\bnew\\b'), regexRule('e', '\\bew\\b')]
    expect(await outputOf('a.txt', 'in C:\\new\\table it is', { rules: path.slice(0, 1) })).toBe('in [p] it is')
    expect(await outputOf('a.txt', 'in C:\\new\\table it is', { rules: path.slice(1, 2) })).toBe(
      'in C:\\[n]\\table it is',
    )
    expect(await outputOf('a.txt', 'in C:\\new\\table it is', { rules: path })).toBe('in [p] it is')
  })
})

test('all named entities are resolved, and nothing that is none', () => {
  expect(withoutEscapes('Jos&eacute; M&uuml;ller&ensp;x&hyphen;y &Scaron; &ffilig;')).toBe('José Müller x-y Š ffi')
  expect(withoutEscapes('&nothing; R&D; &copyright; a&b;')).toBe('&nothing; R&D; &copyright; a&b;')
})

const found = '../shared/corpus/found'
describe.skipIf(!existsSync(found))('files that were found', () => {
  const read = (name: string) => readFileSync(`${found}/${name}`)

  test('no-break spaces in HTML', async () => {
    const output = await outputOf('a.html', read('05-html-nbsp.html'))
    expect(output).toContain('<p>Dear [person],</p><p>[person] lives here</p>')
    expect(output).not.toMatch(/Johnson/)
  })

  test('every spelling in HTML', async () => {
    const output = await outputOf('a.html', read('05-norm-all.html'), {
      rules: [shipped],
      models: modelLoader([patternSource]),
    })
    const lines = [...output.matchAll(/<p>([\w-]+): (.*?) end<\/p>/g)]
    expect(lines).toHaveLength(28)
    // Marks of direction around a number and the number of a note behind one stay.
    const kept = lines.filter(([, , line]) => !/^[\u202a\ufeff]*\[\w+\][\u202c\xb9]*$/.test(line!))
    expect(kept.map(([, name]) => name)).toEqual([])
  })

  test('escapes of strings in a table', async () => {
    const output = await outputOf('a.csv', read('15-csv-backslash-n.csv'), {
      rules: [regexRule('w', '\\bZqx[a-z]+\\b')],
    })
    expect(output).toBe('id,text\n1,Hello\\n[w] and \\t[w]\n2,"x\\""[w]"\n')
  })
})

test('nothing that is spelt otherwise is walked past', () => {
  const everyone = new RegExp(respelt.pattern, 'gu')
  const plainly = (text: string) => text.replace(everyone, readingOf).normalize('NFC')
  const differing: number[] = []
  // Ideographs and private characters fill the rest.
  for (let code = 0; code < 0xe0200; code += code === 0x1ffff ? 0xc0001 : 1) {
    const character = String.fromCodePoint(code)
    for (const text of [`a${character}`, `${character}${character}`, `${character}a${character}\u0301 1${character}`])
      if (reading(text) !== plainly(text)) differing.push(code)
  }
  expect(differing).toEqual([])
})
