import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { FormatContext, Input } from '../../../shared/engine/formats/format.ts'
import { detectEncoding } from '../../../shared/engine/formats/text/encoding.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, fleetingInput, regexRule } from '../call.ts'

const western = 'Größe: 5\r\nAnna Müller wohnt in Köln – für 10 €.\r\n'
const japanese = 'これはテストです。Anna さんの電話番号は秘密です。\nこのファイルはとても大切です。\n'
const korean = '안녕하세요 Anna 입니다. 전화번호를 보내 주세요.\n감사합니다.\n'
const chinese = '我是 Anna，这是我们的地址，你可以来中国看我们的大学。\n'
const traditional = '我是 Anna，這是我們的地址，你可以來中國看我們的大學。\n'
const russian = 'Меня зовут Anna, я живу в Москве.\n'

const bom = {
  'utf-8': 'efbbbf',
  'utf-16le': 'fffe',
  'utf-16be': 'feff',
  'utf-32le': 'fffe0000',
  'utf-32be': '0000feff',
}

async function run(input: Buffer, name: string, options = {}) {
  const rules = [regexRule('name', 'Anna')]
  const result = await anonymise(call({ input: bufferInput(name, input), rules, options }))
  const output = Buffer.from(await result.output.read(0, result.output.size))
  return { output, encoding: result.report.choices.encoding, count: result.findings[0]?.count ?? 0 }
}

describe.each(['note.txt', 'table.csv'])('%s', name => {
  const rows = (text: string) => (name.endsWith('.csv') ? text.replaceAll(/^/gm, '1,').replaceAll(/1,$/g, '') : text)

  test.each<[string, string, string?]>([
    ['utf-8', `${western}日本語 🙂\n`],
    ['windows-1252', western],
    ['iso-8859-1', `\u0081${western.replace('€', 'EUR').replace('–', '-')}`],
    ['shift_jis', japanese],
    ['euc-jp', japanese],
    ['euc-kr', korean],
    ['gb18030', chinese],
    ['big5', traditional],
    ['utf-16le', western],
    ['utf-16be', western],
    ['windows-1251', russian],
    ['koi8-r', russian, 'koi8-r'],
    ['cp437', 'Größe Anna\n', 'cp437'],
  ])('keeps the bytes of %s', async (encoding, text, option) => {
    const input = iconv.encode(rows(text), encoding)
    const result = await run(input, name, option ? { encoding: option } : {})
    expect(result.encoding).toBe(encoding)
    expect(result.count).toBe(1)
    expect(result.output.equals(iconv.encode(rows(text).replace('Anna', '[name]'), encoding))).toBe(true)
  })

  test.each(Object.entries(bom))('keeps the byte order mark of %s', async (encoding, mark) => {
    const input = Buffer.concat([Buffer.from(mark, 'hex'), iconv.encode(rows(western), encoding, { addBOM: false })])
    const { output } = await run(input, name)
    const expected = iconv.encode(rows(western).replace('Anna', '[name]'), encoding, { addBOM: false })
    expect(output.equals(Buffer.concat([Buffer.from(mark, 'hex'), expected]))).toBe(true)
  })
})

test.each([
  ['bytes that are not of the named encoding', Buffer.from('Anna \xff\xfe\xfd', 'latin1'), 'utf-8', 'corrupt_file'],
  ['half a character at the end', Buffer.from('Anna \xe2\x82', 'latin1'), 'utf-8', 'corrupt_file'],
  ['an encoding that does not exist', Buffer.from('Anna'), 'klingon', 'invalid_workflow'],
  ['an encoding with states', Buffer.from('Anna'), 'iso-2022-jp', 'invalid_workflow'],
])('%s', async (_, input, encoding, type) => {
  await expect(run(input, 'note.txt', { encoding })).rejects.toMatchObject({ type })
})

test('a replacement that the encoding has no letters for fails rather than become question marks', async () => {
  const rules = [regexRule('name', 'Anna', { replacement: { text: 'Имя' } })]
  const input = bufferInput('note.txt', iconv.encode(western, 'windows-1252'))
  await expect(anonymise(call({ input, rules }))).rejects.toMatchObject({ type: 'invalid_workflow' })
})

test.each(['note.txt', 'table.csv', 'page.html', 'data.xml', 'data.json'])(
  'refuses ISO-2022 in %s, whose letters may stand for others',
  async name => {
    const escaped = Buffer.from('Anna \x1b$BEl5~\x1b(B').toString('latin1')
    const texts: Record<string, string> = {
      html: `<html><meta charset="iso-2022-jp"><p>${escaped}`,
      xml: `<r>${escaped}</r>`,
      json: `{"a":"${escaped}"}`,
    }
    const text = texts[name.split('.')[1]!] ?? `a,b\n${escaped},c\n`
    await expect(run(Buffer.from(text, 'latin1'), name)).rejects.toMatchObject({
      type: expect.stringMatching(/^(?:unsupported_format|corrupt_file)$/),
    })
  },
)

test.each(['note.txt', 'table.csv', 'note.md'])('refuses EBCDIC in %s, which nothing reads', async name => {
  // Anna Bauer;030,,12345 and the end of a line, as mainframes write them.
  const text = Buffer.from('c195958140c281a4859 95ef0f3f06b6bf1f2f3f4f525'.replaceAll(' ', ''), 'hex')
  await expect(run(text, name)).rejects.toMatchObject({ type: 'unsupported_format' })
})

test('takes letters above ASCII without a blank for text', async () => {
  for (const [text, encoding] of [
    ['жуковмарияивановна', 'windows-1251'],
    ['ЖУКОВМАРИЯИВАНОВНА', 'koi8-r'],
    ['これはテストですこれはテストです', 'shift_jis'],
  ] as const) {
    const input = iconv.encode(text, encoding)
    expect((await run(input, 'note.txt', { encoding })).output.equals(input)).toBe(true)
  }
})

test('keeps the escapes of terminals', async () => {
  const text = 'a \x1b[1mAnna\x1b[0m, \x1b(0 and $B at the end \x1b'
  expect((await run(Buffer.from(text), 'note.txt')).output.toString()).toBe(text.replace('Anna', '[name]'))
})

/** Texts as people had them before UTF-8, a name in each, and the encodings that they were stored in. */
const legacy: [text: string, name: string, encodings: string[]][] = [
  ['Меня зовут Жуков, я живу в Москве.\n', 'Жуков', ['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5']],
  ['Ονομάζομαι Παπαδόπουλος και μένω στην Αθήνα.\n', 'Παπαδόπουλος', ['windows-1253']],
  ['Nazywam się Wiśniewski, mieszkam w Łodzi przy ulicy Źródłowej.\n', 'Wiśniewski', ['windows-1250', 'iso-8859-2']],
  ['Jmenuji se Tomáš Dvořáček a žiji v Třebíči, nejraději mám říčky.\n', 'Dvořáček', ['windows-1250', 'iso-8859-2']],
  ['Adım Yıldırım, İstanbul Beşiktaş’ta yaşıyorum, güneş doğuyor.\n', 'Yıldırım', ['windows-1254']],
  ['שמי כהן ואני גר בתל אביב עם המשפחה שלי.\n', 'כהן', ['windows-1255']],
  ['اسمي محمود وأعيش في القاهرة مع عائلتي.\n', 'محمود', ['windows-1256']],
  ['ผมชื่อสมชายและผมอยู่ที่กรุงเทพมหานคร\n', 'สมชาย', ['windows-874']],
  ['Ich heiße Müller und wohne in Köln, Straße der Größe.\n', 'Müller', ['windows-1252', 'cp850', 'macintosh']],
  ['Je m’appelle Hélène Lefèvre, née à Orléans.\n', 'Lefèvre', ['windows-1252', 'macintosh']],
  ['Mi chiamo Nicolò.\n', 'Nicolò', ['windows-1252']],
  ['山田太郎さんの電話番号はひみつです。\n', '山田太郎', ['shift_jis', 'euc-jp']],
  ['张伟住在北京，电话号码是秘密。\n', '张伟', ['gb18030']],
]

test.each([
  ['a.html', '<!DOCTYPE html><meta charset="iso-8859-1"><p>'],
  ['a.html', '<!DOCTYPE html><meta charset="windows-1252"><p>'],
  ['a.xml', '<?xml version="1.0" encoding="ISO-8859-15"?><p>'],
])('what says in %s that it is Western, and is UTF-8, is read as that: %s', async (name, head) => {
  const rules = [regexRule('name', 'Jörg Müßiggang')]
  const input = bufferInput(name, Buffer.from(`${head}Jörg Müßiggang</p>`))
  const { output } = await anonymise(call({ input, rules }))
  expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(`${head}[name]</p>`)
})

describe.each(legacy)('%s', (text, name, encodings) => {
  test.each(encodings)('is read in %s, and the name found', async encoding => {
    const input = iconv.encode(text.repeat(3), encoding)
    const result = await anonymise(
      call({ input: bufferInput('note.txt', input), rules: [regexRule('name', name, { replacement: { text: 'X' } })] }),
    )
    const output = Buffer.from(await result.output.read(0, result.output.size))
    expect(result.report.choices.encoding).toBe(encoding)
    expect(output.equals(iconv.encode(text.replace(name, 'X').repeat(3), encoding))).toBe(true)
  })
})

test.each([
  ...[
    'Größe',
    'Füße für Größe',
    'création créée',
    'São João',
    'Ångström',
    'l’été',
    '“quoted”',
    'a – b',
    '€ 50',
    '5 µm',
  ],
  ...['¡Hola!', '© 2020', '§ 5 Abs. 1', '„Zitat“ §§ 1–3', 'a…b', 'x² + y³', 'Ø 5 mm', 'MÜLLER GRÖßE', 'Œuvre, cœur'],
  ...[
    '20 °C ± 5 µm, ½ Zoll, 5 £, © 2020 ACME®, § 3',
    '3 × 5 £, ±4 µm, 2 ÷ 3',
    '¼ cup, ¼ spoon, ¼ litre',
    'La clé « %s » du groupe « %s » est inconnue',
    'El año «dos» y «tres»',
  ],
])('takes %s for Windows-1252', async text => {
  const { encoding } = await run(iconv.encode(text, 'windows-1252'), 'note.txt')
  expect(encoding).toBe('windows-1252')
})

test.each([
  ['note.txt', 'Anna Müller\n', ''],
  ['table.csv', 'name,town\nAnna Müller,Köln\n', ''],
  ['page.html', '<p>Anna Müller</p>\n', '<meta charset="utf-8">'],
  ['data.xml', '<r>Anna Müller</r>\n', ''],
])('refuses %s that is UTF-8 but for a byte, and says where', async (name, text, head) => {
  const whole = Buffer.from(head + text.repeat(name.endsWith('.xml') ? 1 : 9))
  const at = whole.lastIndexOf('Anna')
  const damaged = Buffer.concat([whole.subarray(0, at), Buffer.from([0xfc]), whole.subarray(at)])
  await expect(run(damaged, name)).rejects.toMatchObject({
    type: 'corrupt_file',
    message: expect.stringContaining(`offset ${at}, of 1 in all`),
  })
})

test('a table that is UTF-8 in a few rows and Windows-1252 in the others is refused', async () => {
  const rows = Array.from({ length: 50 }, (_, n) =>
    iconv.encode(`${n},Jürgen Groß\n`, n % 8 === 0 ? 'utf-8' : 'latin1'),
  )
  await expect(run(Buffer.concat(rows), 'table.csv')).rejects.toMatchObject({ type: 'corrupt_file' })
})

test.each([
  ['shift_jis', '山田太郎さんの電話番号はひみつです。'],
  ['gb18030', '张伟住在北京，电话号码是秘密。'],
  ['euc-jp', '山田太郎さんの電話番号はひみつです。'],
])('tells %s where no line ever ends', async (encoding, text) => {
  const input = iconv.encode(text.repeat(9000), encoding)
  expect((await run(input, 'note.txt')).encoding).toBe(encoding)
})

const named = 'Меня зовут Жуков Иван Иванович'

test.each([
  ['note.txt', `${named}, Я\n`],
  ['table.csv', `a,b\n${named},Я\n`],
  ['note.md', `# ${named}\n\nЯ\n`],
  ['page.html', `<p>${named}</p><p>Я</p>`],
  ['data.xml', `<r><a>${named}</a><b>Я</b></r>`],
  ['data.json', `{"a":"${named}","b":"Я"}\n`],
  ['card.vcf', `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${named}\r\nNOTE:Я\r\nEND:VCARD\r\n`],
])('reads %s again in its encoding once the letters that told it are gone', async (name, text) => {
  const rules = [regexRule('word', '[А-Яа-я]{2,}', { replacement: { text: 'X' } })]
  const result = await anonymise(call({ input: bufferInput(name, iconv.encode(text, 'windows-1251')), rules }))
  expect(result.report.choices.encoding).toBe('windows-1251')
  const output = Buffer.from(await result.output.read(0, result.output.size))
  expect(output.equals(iconv.encode(text.replace(named, 'X X X X X'), 'windows-1251'))).toBe(true)
})

test.each([
  ['koi8-u', 'Всі нові ціни, дві сукні.\n'],
  ['koi8-u', 'Моё имя Семён Алёшин.\n'],
  ['windows-1251', 'КИЇВ, ВІТАЛІЙ ШЕВЧУК.\n'],
  ['iso-8859-5', 'ТАТЬЯНА СТАНИСЛАВОВНА УТКИНА.\n'],
  ['windows-1253', 'ΣΟΛΩΜΊΔΟΥ, ΕΛΠΊΔΑ ΖΆΚΥΝΘΟΣ.\n'],
  ['windows-1252', 'UNIVERSITÉ\u00a0: LA SOCIÉTÉ\u00a0»\n'],
  ['windows-1252', '„Spaß“ und „Gruß“ – Größe\n'],
])('does not take neighbours for UTF-8 in %s: %s', async (encoding, text) => {
  expect((await run(iconv.encode(text.repeat(3), encoding), 'note.txt')).encoding).toBe(encoding)
})

test.each(['gb18030', 'koi8-r', 'ibm866'])('refuses a table of %s with rows of UTF-8', async encoding => {
  const text = encoding === 'gb18030' ? '张伟,住在北京\n' : 'Жуков,живу в Москве\n'
  const rows = Array.from({ length: 50 }, (_, n) => iconv.encode(text, n % 5 === 0 ? 'utf-8' : encoding))
  await expect(run(Buffer.concat(rows), 'table.csv')).rejects.toMatchObject({ type: 'corrupt_file' })
})

test.each([
  ['windows-1251', 'Меня зовут Жуков, я живу в Москве.\n', 0x98, 5],
  ['windows-1250', 'Nazywam się Wiśniewski, mieszkam w Łodzi.\n', 0x81, 5],
  ['windows-1255', 'שמי כהן ואני גר בתל אביב.\n', 0xff, 5],
  ['gb18030', '张伟住在北京，电话号码是秘密。\n', 0xff, 5],
  ['windows-1251', 'Меня зовут Жуков, я живу в Москве.\n', 0x98, 3000],
  ['windows-1253', 'Ονομάζομαι Παπαδόπουλος και μένω.\n', 0xff, 3000],
  ['windows-1250', 'Nazywam się Wiśniewski, mieszkam w Łodzi.\n', 0x81, 3000],
])('refuses %s with a byte that it lacks, rather than read it as another: %s', async (encoding, text, byte, times) => {
  const input = Buffer.concat([iconv.encode(text.repeat(times), encoding), Buffer.from([byte])])
  const message = expect.stringContaining(encoding)
  await expect(run(input, 'note.txt')).rejects.toMatchObject({ type: 'corrupt_file', message })
})

test.each([
  ['cp850', 'Jörg Müller, Größe, Zürich\n'],
  ['windows-1250', 'BŁASZCZAK, ŁÓDŹ, WIŚNIEWSKA, ŻABIŃSKI, KRAKÓW\n'],
  ['iso-8859-2', 'BŁASZCZAK, ŁÓDŹ, WIŚNIEWSKA, ŻABIŃSKI, KRAKÓW\n'],
])('tells %s whatever the pieces that the text comes in', async (encoding, text) => {
  const bytes = iconv.encode(text.repeat(3), encoding)
  for (const pieceBytes of [1, 2, 3, 7, 1000]) {
    const input = fleetingInput('note.txt', bytes, pieceBytes)
    const { report } = await anonymise(call({ input, rules: [regexRule('name', 'Anna')] }))
    expect(report.choices.encoding).toBe(encoding)
  }
})

/** A file that is never made: a line again and again, `size` bytes. */
function endless(line: Buffer, size: number): Input {
  const many = Buffer.concat(Array.from({ length: Math.ceil((1024 * 1024) / line.length) }, () => line))
  const read: Input['read'] = async (start, end) =>
    many.subarray(start % line.length, (start % line.length) + Math.min(end, size) - start)
  return { name: 'table.csv', size, read, stream: () => expect.unreachable() }
}

test.each([
  ['gb18030', '张伟，住在北京，电话号码是秘密。\n'],
  ['euc-jp', '山田太郎さんの電話番号はひみつです。東京都\n'],
  ['euc-kr', '안녕하세요 입니다. 전화번호를 보내 주세요.\n'],
  ['utf-8', 'Müller, Größe, 张伟\n'],
])(
  'tells %s of a file of which windows are read, wherever these begin',
  { timeout: 180_000 },
  async (encoding, text) => {
    const context = { options: {}, signal: new AbortController().signal } as unknown as FormatContext
    // Letters have up to four bytes, so that each length of a line modulo three and four comes once.
    for (let more = 0; more < 12; more++) {
      const line = iconv.encode(`1,${'x'.repeat(more)},${text}`, encoding)
      const size = line.length * Math.floor((5 * 1024 ** 3) / line.length)
      expect((await detectEncoding(endless(line, size), context)).name).toBe(encoding)
    }
  },
)
