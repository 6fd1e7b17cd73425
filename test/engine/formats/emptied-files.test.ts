import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { withEmptyBareFiles } from '../../../shared/engine/formats/container/bare-files.ts'
import { emptyFiles, withEmptyFiles } from '../../../shared/engine/formats/container/emptied-files.ts'
import { emptyBare, emptyPicture } from '../../../shared/engine/formats/container/file-address.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeOdf, makeOffice, readZip, relationships } from './package.ts'

const content = Buffer.from('%PDF-1.7 Zyanne lives here, and more than one line of it'.repeat(40)).toString('base64')
const address = `data:application/pdf;name=a.pdf;base64,${content}`

async function clean(name: string, source: string, options = {}) {
  const rules = [regexRule('X', '\\bZy\\w*')]
  const { output, report } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules, options }))
  return { text: Buffer.from(await output.read(0, output.size)).toString(), report }
}

/** A sheet with a cell for each text. */
function workbook(...texts: string[]) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const cells = texts.map((_, index) => `<row><c t="s"><v>${index}</v></c></row>`).join('')
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData></worksheet>`,
  })
}

function spreadsheet(...texts: string[]) {
  const cell = (text: string) =>
    `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`
  return makeOdf('spreadsheet', `<table:table table:name="S">${texts.map(cell).join('')}</table:table>`)
}

describe('files in addresses, where text is streamed', () => {
  const cases: [name: string, source: string, expected: string][] = [
    ['a.txt', `See Zya ${address} and Zyb`, `See [X] ${emptyPicture} and [X]`],
    ['a.ndjson', `{"a":"Zya","b":"${address}"}\n{"a":1}\n`, `{"a":"[X]","b":"${emptyPicture}"}\n{"a":1}\n`],
    ['a.json', `[{"a":"${address.replaceAll('/', '\\/')} Zya"}]`, `[{"a":"${emptyPicture} [X]"}]`],
    [
      'a.eml',
      `From: a@b.example\r\nContent-Type: text/plain\r\n\r\n${address} Zya\r\n`,
      `From: a@b.example\r\nContent-Type: text/plain;\r\n\tcharset="utf-8"\r\n\r\n${emptyPicture} [X]\r\n`,
    ],
  ]
  test.each(cases)('%s', async (name, source, expected) => {
    const { text, report } = await clean(name, source)
    expect(text).toBe(expected)
    expect(report.dropped).toContainEqual({ what: 'embedded files', count: 1 })
    expect((await clean(name, text)).report.dropped).toEqual([])
  })

  const table = (a: string, b: string) => Buffer.from(`a,b\n"${a}",1\n2,"${b}"\n`)
  test.each([
    ['a.csv', table],
    ['a.xlsx', workbook],
    ['a.ods', spreadsheet],
  ])('in cells of %s', async (name, make) => {
    const rules = [regexRule('X', '\\bZy\\w*|[A-Z]Db')]
    const input = bufferInput(name, make(`Zya ${address}`, address))
    const { output, report, findings } = await anonymise(call({ input, rules }))
    const written = Buffer.from(await output.read(0, output.size))
    const shown = name === 'a.csv' ? written.toString() : [...readZip(written).values()].join()
    expect(shown).not.toContain(content.slice(0, 99))
    expect(shown).toContain(`[X] ${emptyPicture}`)
    expect(findings[0]!.count).toBe(1)
    expect(report.dropped).toContainEqual({ what: 'embedded files', count: 2 })
    const again = await anonymise(call({ input: bufferInput(name, written), rules }))
    expect(again.report.dropped.map(({ what }) => what)).not.toContain('embedded files')
    const kept = await anonymise(call({ input, rules: [regexRule('X', '\\bZy\\w*')], options: { pictures: 'keep' } }))
    expect(kept.report.warnings).toEqual(['Pictures were kept as they are and not looked into'])
  })

  const lines = content.replace(/.{76}/g, '$&\n')
  test.each([
    [
      'a.csv',
      `a,b\n"${lines}",Zya\n${content},"so ${content} Zyb"\n`,
      `a,b\n"${emptyBare}",[X]\n${emptyBare},"so ${emptyBare} [X]"\n`,
    ],
    [
      'a.ndjson',
      `{"a":${JSON.stringify(lines)},"b":["${content.replaceAll('/', '\\/')}","Zya"]}\n`,
      `{"a":"${emptyBare}","b":["${emptyBare}","[X]"]}\n`,
    ],
    ['a.json', `[{"a":"${content}"},{"a":"Zya"}]`, `[{"a":"${emptyBare}"},{"a":"[X]"}]`],
    [
      'a.xml',
      `<a b="${content}"><c>${content}</c><d>\n${lines}\n</d><e>Zya ${content}, Zyb</e><f><![CDATA[${content}]]></f></a>`,
      `<a b="${emptyBare}"><c>${emptyBare}</c><d>\n${emptyBare}\n</d><e>[X] ${emptyBare}, [X]</e><f><![CDATA[${emptyBare}]]></f></a>`,
    ],
    [
      'b.xml',
      `<a><c>${address}</c><e>Zya ${address} Zyb</e></a>`,
      `<a><c>${emptyPicture}</c><e>[X] ${emptyPicture} [X]</e></a>`,
    ],
    ['a.txt', `Zya\n\n${lines}\n\nand data=${content} Zyb`, `[X]\n\n${emptyBare}\n\nand data=${emptyBare} [X]`],
    ['a.md', `# Zya\n\n${lines}\n\n\`${content}\`\n`, `# [X]\n\n${emptyBare}\n\n\`${emptyBare}\`\n`],
    [
      'a.eml',
      `From: a@b.example\r\n\r\nZya\r\n${lines.replaceAll('\n', '\r\n')}\r\n`,
      `From: a@b.example\r\nContent-Type: text/plain; charset="utf-8"\r\n\r\n[X]\r\n${emptyBare}\r\n`,
    ],
    [
      'a.html',
      `<p>Zya ${lines}</p><pre title="${content}">${lines}</pre><!-- ${content} --><script>a='${content}'</script>${address}`,
      `<p>[X] ${emptyBare}</p><pre title="${emptyBare}">${emptyBare}</pre><!-- ${emptyBare} --><script>a='${emptyBare}'</script>${emptyPicture}`,
    ],
  ])('that stand in base64 with nothing around them, in %s', async (name, source, expected) => {
    const { text, report } = await clean(name, source)
    expect(text).toBe(expected)
    expect(report.dropped).toHaveLength(1)
    const again = await clean(name, text)
    expect(again.text).toBe(text)
    expect(again.report.dropped).toEqual([])
  })

  const picture = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    Buffer.alloc(1000, 'Zya '),
  ]).toString('base64')
  test.each([
    ['a.txt', 64, '\n', ''],
    ['mail.txt', 70, '\r\n> ', '> '],
    ['a.py', 76, '\\n', ''],
    ['a.md', 64, '\n> ', '> '],
    ['a.yaml', 64, '\n    ', '    '],
    ['a.csv', 64, '\r\n', 'a,b\n1,"'],
    ['a.ndjson', 64, '\\r\\n', '{"a":"'],
    ['a.xml', 64, '&#13;\n', '<a>'],
    ['b.xml', 76, '\n      ', '<a>'],
  ])(
    'in lines of any width, as quoted, as indented and as strings write them: %s',
    async (name, width, end, before) => {
      const after = { '<a>': '</a>', '{"a":"': '"}\n', 'a,b\n1,"': '"\n' }[before] ?? '\n'
      for (const file of [content, picture]) {
        if (file === picture && /xml/.test(name)) continue
        const lines = file.replace(new RegExp(`.{${width}}(?=.)`, 'g'), line => line + end)
        expect((await clean(name, `${before}${lines}${after}`)).text).toBe(`${before}${emptyBare}${after}`)
      }
    },
  )

  test('what only looks like the beginning of one stays', async () => {
    const words = [
      'JVBERi0x',
      'H4sIshort',
      `a${content}`,
      'a3f5c9'.repeat(12),
      `/9j/${'x/'.repeat(20)}`,
      'U'.repeat(80),
    ]
    for (const [name, text] of [
      ['a.csv', `a,b\n${words.map(word => `Zya,${word}\n`).join('')}`],
      ['a.ndjson', words.map(word => `{"a":"Zya","b":"${word}"}\n`).join('')],
      ['a.xml', `<a>${words.map(word => `<b c="${word}">Zya</b><d>${word}</d>`).join('')}</a>`],
      ['a.txt', `${words.join(' Zya ')}\nZya`],
      ['a.html', words.map(word => `<p title="${word}">Zya</p><p>${word}</p>`).join('')],
    ] as const)
      expect((await clean(name, text)).text).toBe(text.replaceAll('Zya', '[X]'))
  })

  test('in a cell that is replaced as a whole, and beside a value', async () => {
    const { text, report } = await clean('a.csv', `a\n"${address}"\n"Zy${address}"\n`)
    expect(text).toBe(`a\n"${emptyPicture}"\n"[X]${emptyPicture}"\n`)
    const rules = [regexRule('X', '.+', { columns: ['a'] })]
    const whole = await anonymise(call({ input: bufferInput('a.csv', table(address, 'c')), rules }))
    expect(Buffer.from(await whole.output.read(0, 99)).toString()).toBe('a,b\n"[X]",1\n[X],"c"\n')
    expect([report.dropped[0]!.count, whole.report.dropped[0]!.count]).toEqual([2, 1])
  })

  test('stay where pictures are to be kept, and the report says so', async () => {
    const { text, report } = await clean('a.txt', `Zya ${address}`, { pictures: 'keep' })
    expect(text).toBe(`[X] ${address}`)
    expect(report.warnings).toEqual(['Pictures were kept as they are and not looked into'])
  })

  /** A text in parts of some sizes, and the rest. */
  async function* cut(text: string, sizes: readonly number[]) {
    let at = 0
    for (const size of [...sizes, text.length]) {
      yield text.slice(at, at + size)
      at += size
    }
  }

  async function all(parts: AsyncIterable<string>) {
    let text = ''
    for await (const part of parts) text += part
    return text
  }

  test('wherever a text is cut that holds files with nothing around them', async () => {
    const line = content.slice(0, 76)
    const pieces = [
      'J',
      'JVBERi0',
      line,
      content,
      emptyBare,
      'AA',
      '=',
      '\n',
      '\r\n',
      '\n  ',
      ' ',
      '"',
      'a word',
      line.slice(0, 50),
    ]
    const arbitrary = fc.array(fc.constantFrom(...pieces), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.array(fc.integer({ min: 1, max: 60 })), async (parts, sizes) => {
        const text = parts.join('')
        const [whole, streamed] = [{ files: 0 }, { files: 0 }]
        const out = await all(withEmptyBareFiles(cut(text, [text.length]), whole, false))
        expect(await all(withEmptyBareFiles(cut(text, sizes), streamed, false))).toBe(out)
        expect(streamed).toEqual(whole)
        expect(out).toBe(emptyFiles(text, { files: 0 }, false))
        expect(await all(withEmptyBareFiles(cut(text, sizes), streamed, true))).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  test('wherever the text is cut', async () => {
    const piece = fc.constantFrom(
      'd',
      'data',
      'data:',
      'a ',
      'data:;base64,',
      'AAAA',
      emptyPicture,
      address,
      ';base64,',
      '\n',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.integer({ min: 1, max: 60 })), async (pieces, sizes) => {
        const text = pieces.join('')
        const [whole, streamed] = [{ files: 0 }, { files: 0 }]
        const out = await all(withEmptyFiles(cut(text, sizes), streamed, false))
        expect(out).toBe(emptyFiles(text, whole, false))
        expect(streamed).toEqual(whole)
        expect(out).not.toContain(content.slice(0, 100))
      }),
    )
  })
})

test('a picture wrapped over lines in HTML inside of Markdown', async () => {
  const wrapped = content.replace(/.{76}/g, '$&\n')
  const { text } = await clean(
    'a.md',
    `# Zya\n\n<img src="data:image/x-own;base64,${wrapped}">\n\nInternationalization\n`,
  )
  expect(text).toBe(`# [X]\n\n<img src="${emptyPicture}">\n\nInternationalization\n`)
})
