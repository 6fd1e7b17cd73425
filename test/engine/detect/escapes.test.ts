import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { escapedLike } from '../../../shared/engine/detect/escaped-like.ts'
import { cellsWithEscapes, linesWithEscapes, withoutEscapes } from '../../../shared/engine/detect/escapes.ts'
import { placeOf } from '../../../shared/engine/detect/resolved-text.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'

const email = regexRule('email', '[\\p{L}\\w.]+@[\\w.]+\\w')

async function outputOf(name: string, content: string, rules: PlannedRule[], model?: EntityModel) {
  const assetType = name.endsWith('.csv') ? ('TABLE' as const) : ('DOCUMENT' as const)
  const input = bufferInput(name, Buffer.from(content))
  const result = await anonymise(call({ input, rules, assetType, models: model && (async () => model) }))
  return Buffer.from(await result.output.read(0, result.output.size)).toString()
}

/** A character as some escape writes it. */
const ways = [
  (character: string) => encodeURIComponent(character).replace(/^[^%]$/, one => `%${one.charCodeAt(0).toString(16)}`),
  (character: string) => `&#${character.codePointAt(0)};`,
  (character: string) => `&#x${character.codePointAt(0)!.toString(16)};`,
  (character: string) => character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
]

describe('lines with escapes', () => {
  const character = fc.constantFrom('a', 'b', 'é', '好', '🙂', ' ', '@', '%', '&', '\\')
  const written = fc.array(fc.record({ character, way: fc.integer({ min: -3, max: ways.length - 1 }) }), {
    maxLength: 30,
  })

  test('say what was escaped, and where it stands', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.nat(), (parts, from, length) => {
        const sources = parts.map(({ character, way }) => ways[way]?.(character) ?? character)
        // What stands there as it is must not happen to read as an escape together with what is around.
        fc.pre(!/[%&\\]/.test(parts.map((part, n) => (sources[n] === part.character ? part.character : '')).join('')))
        const said = parts.map(part => part.character)
        // Nor what it says.
        fc.pre(!/%[ab]{2}/.test(said.join('')))
        const source = sources.join('')
        expect(withoutEscapes(source)).toBe(said.join(''))
        const [line, ...others] = linesWithEscapes(`first\n${source}\nlast`)
        expect(others).toEqual([])
        if (sources.every((one, n) => one === said[n])) {
          expect(line).toBeUndefined()
          return
        }
        expect(line!.text).toBe(said.join(''))
        const [begin, end] = [from % parts.length, Math.min(parts.length, (from % parts.length) + 1 + (length % 5))]
        const before = said.slice(0, begin).join('').length
        const stretch = said.slice(begin, end).join('')
        const place = placeOf(line!, before, before + stretch.length)
        const wanted = sources.slice(begin, end).join('')
        expect(place.escaped).toBe(wanted === stretch ? undefined : true)
        expect(`first\n${source}\nlast`.slice(place.start, place.end)).toBe(wanted)
      }),
    )
  })

  test('that are escaped again say both, and where it stands', () => {
    const source = 'ü %25 a%2540b%26amp%3Bc %25252525zz'
    const lines = linesWithEscapes(source)
    expect(lines.map(({ text }) => text)).toEqual([
      'ü % a%40b&amp;c %252525zz',
      'ü % a@b&c %2525zz',
      'ü % a@b&c %25zz',
      'ü % a@b&c %zz',
    ])
    for (const [wanted, from, to] of [
      ['a%2540b', 4, 7],
      ['b%26amp%3Bc', 6, 9],
      ['c %25252525zz', 8, 13],
    ] as const) {
      const { start, end, escaped } = placeOf(lines.at(-1)!, from, to)
      expect([source.slice(start, end), escaped]).toEqual([wanted, true])
    }
    expect(withoutEscapes('a%2540b')).toBe('a@b')
    const bytes = Buffer.from(source).toString('latin1')
    expect(cellsWithEscapes(bytes).map(({ text }) => Buffer.from(text, 'latin1').toString())).toEqual(
      lines.map(({ text }) => text),
    )
  })

  test('in bytes stay UTF-8 and end at fences', () => {
    const bytes = (text: string) => Buffer.from(text).toString('latin1')
    const lines = cellsWithEscapes(bytes('x\u001fé%C3%A9&#233;\u001fy\u001f\\u00e9'))
    expect(lines.map(({ text }) => text)).toEqual([bytes('ééé'), bytes('é')])
  })

  test('leave alone what is no escape, and stands for no character', () => {
    for (const text of ['100% sure', 'a & b &c; R&D;', 'C:\\users\\u12', '%zz &#xffffff; &#55357; \\ud83d', 'AT&T']) {
      expect(linesWithEscapes(text)).toEqual([])
      expect(withoutEscapes(text)).toBe(text)
    }
  })

  test('take bytes that are no UTF-8 for Latin-1', () => {
    expect(withoutEscapes('Jos%E9')).toBe('José')
    expect(withoutEscapes('Jos\\xe9')).toBe('José')
  })

  test('take time in proportion to the text', () => {
    const work = (count: number) => linesWithEscapes(`${'%40 & \\ '.repeat(count)}\n`.repeat(3)).length
    expect([work(10), work(100_000)]).toEqual([3, 3])
    expect(linesWithEscapes('&'.repeat(1_000_000))).toEqual([])
  })
})

test('a replacement is written as its surroundings need it', () => {
  expect(escapedLike('a%40b', '[E mail] & "x"')).toBe('%5BE%20mail%5D%20%26%20%22x%22')
  expect(escapedLike('a\\u0040b', 'a "b"\n')).toBe('a \\"b\\"\\n')
  expect(escapedLike('a&#64;b', '<b> & "c"')).toBe('&#60;b&#62; &#38; &#34;c&#34;')
})

describe('values that are escaped', () => {
  test.each([
    ['a URL', 'see https://x.org/?to=ann%40example.org&n=1', 'see https://x.org/?to=%5Bemail%5D&n=1'],
    ['JSON in a text', 'log {"to":"jos\\u00e9@example.org"}', 'log {"to":"[email]"}'],
    ['a program', 'to = "ann\\u{40}example\\u{0002e}org"', 'to = "[email]"'],
    ['any entity of HTML', 'ann&nosuch;bob&commat;example&period;org', 'ann&nosuch;[email]'],
    ['signs of Markdown and TeX', 'see ann\\_lee\\@example\\.org, C:\\\\_x', 'see [email], C:\\\\_x'],
    ['bytes of a log', 'to=jos\\xC3\\xA9\\x40example.org "\\x22', 'to=[email] "\\x22'],
    ['markup in a text', 'ann&#64;example.org or bob&commat;example.org', '[email] or [email]'],
  ])('are found in %s', async (_, text, wanted) => {
    expect(await outputOf('a.txt', `${text}\nann@example.org\n`, [email])).toBe(`${wanted}\n[email]\n`)
    const cell = (value: string) => `"${value.replaceAll('"', '""')}"`
    const table = (value: string) => `id,note\n1,${cell(value)}\n2,é ann@example.org\n`
    // Pattern rules look at many cells at once.
    expect(await outputOf('a.csv', table(text), [email])).toBe(`id,note\n1,${cell(wanted)}\n2,é [email]\n`)
  })

  test.each([
    ['> Dear Anna\n> Berg, see', '> Dear [name], see'],
    ['>> Anna\r\n>> Berg\r\n> > Anna\r\n> > Berg', '>> [name]\r\n> > [name]'],
    ['> Anna\n> Bergen\n> a > b', '> Anna\n> Bergen\n> a > b'],
  ])('are found over lines that are quoted: %j', async (text, wanted) => {
    const name = regexRule('name', 'Anna\\s+Berg\\b')
    expect(await outputOf('a.txt', `${text}\n`, [name])).toBe(`${wanted}\n`)
    const many = (note: string) => `id,note\n${`1,"${note}"\n`.repeat(100)}`
    expect(await outputOf('a.csv', many(text), [name])).toBe(many(wanted))
  })

  describe('where a plus is a blank', () => {
    const names = regexRule('name', 'Anna Berg\\b|DE89 3704 0044|\\+49 40 5550')
    test.each([
      ['a query', 'see https://x.org/find?q=Anna+Berg&n=1', 'see https://x.org/find?q=%5Bname%5D&n=1'],
      ['an address', 'see https://x.org/place/Anna+Berg,+Rome', 'see https://x.org/place/%5Bname%5D,+Rome'],
      [
        'a form',
        'who=Anna+Berg&tel=%2B49+40+5550&iban=DE89+3704+0044',
        'who=%5Bname%5D&tel=%5Bname%5D&iban=%5Bname%5D',
      ],
      [
        'a line of a log',
        'GET /?e=Zo%C3%AB+Lee&q=by+Anna+Berg HTTP/1.1',
        'GET /?e=Zo%C3%AB+Lee&q=by+%5Bname%5D HTTP/1.1',
      ],
    ])('are found in %s', async (_, text, wanted) => {
      expect(await outputOf('a.txt', `${text}\nAnna Berg\n`, [names])).toBe(`${wanted}\n[name]\n`)
      expect(await outputOf('a.csv', `id,note\n1,"${text}"\n2,é\n`, [names])).toBe(`id,note\n1,"${wanted}"\n2,é\n`)
      const many = (note: string) => `id,note\n${`1,"${note}"\n`.repeat(100)}`
      expect(await outputOf('a.csv', many(text), [names])).toBe(many(wanted))
    })

    test('are those that stand with a blank elsewhere', async () => {
      const pseudonymous = { ...names, replacement: { pseudonym: { as: 'NAME' } } }
      const output = await outputOf('a.txt', 'Anna Berg\nhttps://x.org/?q=Anna+Berg\n', [pseudonymous])
      const [plain, written] = [...output.matchAll(/NAME_\w{10}/g)].map(([found]) => found)
      expect(plain).toBeDefined()
      expect(written).toBe(plain)
    })

    test.each(['sum: Anna+Berg', 'a=+Berg', 'C++ or x = Anna+Berg'])('and nowhere else: %s', text =>
      expect(linesWithEscapes(text)).toEqual([]),
    )

    test('but not in the name of a mailbox', async () => {
      const addresses = regexRule('email', '[\\w.+]+@[\\w.]+\\w')
      const text = 'https://x.org/?to=ann+news@example.org&cc=bob+x%40example.org'
      expect(await outputOf('a.txt', text, [addresses])).toBe('https://x.org/?to=[email]&cc=%5Bemail%5D')
    })
  })

  test('have the pseudonym of what everybody sees of them', async () => {
    const pseudonymous = { ...email, replacement: { pseudonym: { as: 'EMAIL' } } }
    const page = '<!DOCTYPE html><p>ann@example.org</p><p>ann<i hidden>no</i>@example.org</p>'
    const output = await outputOf('a.html', page, [pseudonymous])
    const [plain, hiding] = [...output.matchAll(/EMAIL_\w{10}/g)].map(([found]) => found)
    expect(plain).toBeDefined()
    expect(hiding).toBe(plain)
  })

  test('have the pseudonym of the plain value, and the mask of what they say', async () => {
    const pseudonymous = { ...email, replacement: { pseudonym: { as: 'EMAIL' } } }
    const [plain, escaped] = (await outputOf('a.txt', 'ann@example.org\nann%40example.org', [pseudonymous])).split('\n')
    expect(plain).toMatch(/^EMAIL_\w{10}$/)
    expect(escaped).toBe(plain)
    const masked = { ...email, replacement: { mask: { keepFirst: 1 } } }
    expect(await outputOf('a.csv', 'a\nx=ann%40e.org\n', [masked])).toBe('a\nx=a********\n')
  })

  test('are found once where the rule matches the escaped form as well', async () => {
    const link = regexRule('link', 'https://\\S+', { replacement: { hash: {} } })
    const [plain, table] = await Promise.all([
      outputOf('a.txt', 'https://x.org/a%20b\n', [link]),
      outputOf('a.csv', 'a\nhttps://x.org/a%20b\n', [link]),
    ])
    expect(table).toBe(`a\n${plain}`)
    expect(plain).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test('of a model are found in links by what stands in the text', async () => {
    const model: EntityModel = {
      find: async texts =>
        texts.map(text =>
          [...text.matchAll(/(?<=Mrs )Ann Lee/g)].map(({ index }) => ({
            label: 'PERSON',
            start: index,
            end: index + 7,
            score: 1,
          })),
        ),
    }
    const person: PlannedRule = {
      ruleId: 'p',
      name: 'person',
      detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
      replacement: { text: '[{{label}}]' },
    }
    const page = '<!DOCTYPE html><p>Mrs Ann Lee, <a href="https://x.org/Ann%20Lee">here</a></p>'
    const output = await outputOf('a.html', page, [person], model)
    expect(output).toContain('Mrs [PERSON]')
    expect(output).toContain('https://x.org/%5BPERSON%5D')
  })

  test('are replaced by rules of their columns only', async () => {
    const rule = regexRule('email', '\\w+@[\\w.]+', { columns: ['to'] })
    expect(await outputOf('a.csv', 'to,from\nann%40e.org,bob%40e.org\n', [rule])).toBe(
      'to,from\n%5Bemail%5D,bob%40e.org\n',
    )
  })
})

describe('tags within a value', () => {
  const rules = [regexRule('name', '\\bAnna Berg\\b')]
  const calendar = (line: string) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', line, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
  const mail = (type: string, body: string) =>
    `From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`

  test.each([
    [
      'a string of JSON',
      'a.json',
      '{"html":"<p>Dear Anna <b>Berg</b>, yes</p>"}',
      '{"html":"<p>Dear [name]<b></b>, yes</p>"}',
    ],
    [
      'a string of JSON with attributes',
      'a.json',
      String.raw`{"html":"Anna <span title=\"Anna\">Berg<\/span>"}`,
      '{"html":"[name]<span></span>"}',
    ],
    ['a line of JSON', 'a.ndjson', '{"html":"Anna <i>Berg</i>"}\n', '{"html":"[name]<i></i>"}\n'],
    ['a cell', 'a.csv', 'a,b\n1,Anna <em>Berg</em>\n', 'a,b\n1,[name]<em></em>\n'],
    [
      'HTML in a calendar',
      'a.ics',
      calendar('X-ALT-DESC;FMTTYPE=text/html:<html><body>with Anna <b>Berg</b></body></html>'),
      calendar('X-ALT-DESC;FMTTYPE=text/html:<html><body>with [name]<b></b></body></html>'),
    ],
    [
      'enriched text of mail',
      'a.eml',
      mail('text/enriched', '<bold>Anna</bold> <italic>Berg</italic> writes'),
      mail('text/enriched;\r\n\tcharset="utf-8"', '<bold>[name]</bold><italic></italic> writes'),
    ],
    ['Markdown', 'a.md', 'Dear Anna <u>Berg</u>', 'Dear [name]<u></u>'],
  ])('%s', async (_, name, content, wanted) => {
    const output = await outputOf(name, content, rules)
    expect(output.replace(/<\\\//g, '</')).toBe(wanted)
  })

  test('what a tag holds is found in it, however it is written', async () => {
    for (const written of ['Anna%20Berg', 'Anna&#32;Berg', 'Anna\\u0020Berg', 'Anna\u00a0Berg', 'Anna Berg']) {
      const text = `See <a href="x?to=${written}">here</a> and Anna <b>Berg</b>`
      expect(await outputOf('a.txt', text, [regexRule('name', 'Anna\\sBerg', { replacement: { remove: {} } })])).toBe(
        'See <a href="x?to=">here</a> and <b></b>',
      )
    }
  })

  test.each([
    ['a colour', 'Anna \x1b[1;31mBerg\x1b[0m, yes', '[name]\x1b[1;31m\x1b[0m, yes'],
    [
      'a link of a terminal',
      '\x1b]8;;https://a.example/Anna\x1b\\Anna\x1b]8;;\x1b\\ Berg',
      '\x1b]8;;https://a.example/Anna\x1b\\[name]\x1b]8;;\x1b\\',
    ],
    [
      'a link that begins within',
      'Anna \x1b]8;id=1;file:///Anna\x07Berg\x1b]8;;\x07',
      '[name]\x1b]8;;\x07\x1b]8;;\x07',
    ],
    ['a title of a terminal', 'Anna\x1b]0;a\x07 Berg', '[name]'],
    ['a bold word of a manual', 'A\bAn\bnn\bna\ba Berg', '[name]'],
    ['an underlined one', '_\bA_\bn_\bn_\ba B\b_e\b_r\b_g\b_', '[name]'],
    ['a colour that ends within', '\x1b[31mAn\x1b[mna Berg', '\x1b[31m[name]\x1b[m'],
    ['a colour in a string', String.raw`"\u001b[32mAnna\u001b[39m Berg"`, String.raw`"\u001b[32m[name]\u001b[39m"`],
    ['a colour in a log of the system', '#033[31mAnna#033[0m Berg', '#033[31m[name]#033[0m'],
    ['a colour as people see it', '^[[31mAnna^[[0m Berg', '^[[31m[name]^[[0m'],
  ])('%s', async (_, text, wanted) => {
    expect(await outputOf('a.txt', text, rules)).toBe(wanted)
    expect(await outputOf('a.csv', `a\n"${text.replaceAll('"', '""')}"\n`, rules)).toBe(
      `a\n"${wanted.replaceAll('"', '""')}"\n`,
    )
  })

  test('a move of the cursor parts', () => {
    for (const text of ['Anna\x1b[2CBerg', 'Anna #033 Berg', '^[ Anna']) expect(withoutEscapes(text)).toBe(text)
  })

  test('those that part blocks, and what only looks like one, are left', () => {
    for (const text of ['Anna <p>Berg', 'Anna < b > Berg', 'vector<Anna> x']) expect(withoutEscapes(text)).toBe(text)
    expect(withoutEscapes('Anna<BR/>Berg')).toBe('Anna\nBerg')
  })
})

describe('a match that begins in the middle of an escape', () => {
  const sources: [string, string][] = [
    ['?q=%22ann@example.org%22', '?q=%22[email]%22'],
    ['\\u003cann@example.org\\u003e', '\\u003c[email]\\u003e'],
    ['\\x3Cann@example.org bob@example.org', '\\x3C[email] [email]'],
    // Found in no other way, and what may be the end of a path.
    ['%2', '%2'],
    ['DOMAIN\\nora@example.org', 'DOMAIN\\[email]'],
  ]
  test.each(sources)('is none: %s', async (source, expected) => {
    expect(await outputOf('a.txt', `x ${source}`, [email])).toBe(`x ${expected}`)
    const table = (cell: string) => `id,text\n1,a\n2,${cell}\n3,é ${cell}\n`
    expect(await outputOf('a.csv', table(source), [email])).toBe(table(expected))
  })

  test('has the pseudonym of what stands behind it', async () => {
    const rule = regexRule('email', '[\\w.]+@[\\w.]+\\w', { replacement: { pseudonym: {} } })
    const [first, second] = (await outputOf('a.txt', 'ann@example.org %22ann@example.org%22', [rule])).split(' ')
    expect(second).toBe(`%22${first}%22`)
  })
})
