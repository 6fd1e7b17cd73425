import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { html } from '../../../shared/engine/formats/html/index.ts'
import { xml } from '../../../shared/engine/formats/xml/index.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { elementsOf, shownByHtml } from './shown.ts'
import { formatSuite } from './suite.ts'

const corpus = '../shared/corpus/synthetic'
// Beside whole canaries one that is split between elements, as the one file and the other writes it.
const canaries = (name: string) =>
  existsSync(`${corpus}/${name}`)
    ? [{ name, bytes: () => readFileSync(`${corpus}/${name}`), values: ['Zysp', 'Zy<b>sp'] }]
    : []
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

formatSuite(html, {
  name: 'page.html',
  make: texts =>
    Buffer.from(`<!DOCTYPE html><meta charset="utf-8"><body>\n${texts.map(t => `<p>${escaped(t)}`).join('\n')}`),
  show: shownByHtml,
  untouched: 'bytes',
  files: canaries('canary.html'),
})

formatSuite(xml, {
  name: 'data.xml',
  make: texts =>
    Buffer.from(`<?xml version="1.0"?>\n<r>\n${texts.map(t => `  <t>${escaped(t)}</t>\n`).join('')}</r>\n`),
  show: bytes => elementsOf(bytes, 't').map(({ text }) => text),
  untouched: 'bytes',
  files: canaries('canary.xml'),
  refused: [
    {
      name: 'a DTD',
      bytes: () => Buffer.from('<?xml version="1.0"?><!DOCTYPE r [<!ELEMENT r ANY>]><r>a</r>'),
      type: 'corrupt_file',
    },
    {
      name: 'an entity that stands for others',
      bytes: () => Buffer.from('<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;">]><r>&c;</r>'),
      type: 'corrupt_file',
    },
    {
      name: 'an entity that stands for a file',
      bytes: () => Buffer.from('<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "b.txt">]><r>&a;</r>'),
      type: 'corrupt_file',
    },
    {
      name: 'entities that stand for very much text',
      bytes: () => {
        const entity = `<!DOCTYPE r [<!ENTITY a "${'b'.repeat(1e6)}">]>`
        return Buffer.from(`<?xml version="1.0"?>${entity}<r>${'&a;'.repeat(1e6)}</r>`)
      },
      type: 'limit_exceeded',
    },
    {
      name: 'an entity nobody defined',
      bytes: () => Buffer.from('<?xml version="1.0"?><r>&a;</r>'),
      type: 'corrupt_file',
    },
    { name: 'tags that cross', bytes: () => Buffer.from('<?xml version="1.0"?><r><a></r></a>'), type: 'corrupt_file' },
    { name: 'two roots', bytes: () => Buffer.from('<?xml version="1.0"?><r/><r/>'), type: 'corrupt_file' },
    {
      name: 'deep nesting',
      bytes: () => Buffer.from(`<?xml version="1.0"?>${'<a>'.repeat(1e5)}`),
      type: 'limit_exceeded',
    },
  ],
})

async function clean(name: string, source: string | Buffer, pattern = '\\bZ[Yy]\\w*') {
  const input = bufferInput(name, Buffer.from(source))
  const { output, report } = await anonymise(
    call({ input, rules: [regexRule('X', pattern, { replacement: { text: '"<X>' } })] }),
  )
  return { text: Buffer.from(await output.read(0, output.size)).toString('latin1'), report }
}

describe('HTML', () => {
  test('words of two elements that somebody made up are found over the blank between them', async () => {
    const page = '<!DOCTYPE html><body><my-a>Zya</my-a> <my-b>Bo</my-b>, <my-a>Zyo</my-a><my-b>Bo</my-b>'
    const { text } = await clean('x.html', page, 'Zy\\w Bo')
    expect(text).toBe(
      page
        .replace('Zya</my-a> <my-b>Bo', '"&lt;X&gt;</my-a><my-b>')
        .replace('Zyo</my-a><my-b>Bo', '"&lt;X&gt;</my-a><my-b>'),
    )
  })

  test.each(['<title>', '<script>'])('very many tags within %s, which are none, are read at once', async open => {
    const page = `${open}${'</a><!--<script>'.repeat(200_000)}`
    const input = bufferInput('x.html', Buffer.from(page))
    const { output } = await anonymise(call({ input, rules: [regexRule('X', 'nothing at all')] }))
    expect(output.size).toBe(page.length)
  })

  test.each([
    ['a link and a time', '<a>Zya</a><time>May</time>', '<a>[X]</a><time>May</time>'],
    ['a name and a number', '<span>Zya</span><span><b>12</b></span>', '<span>[X]</span><span><b>12</b></span>'],
    ['two addresses', '<a>o@p.example</a><a>Zya</a>', '<a>o@p.example</a><a>[X]</a>'],
    ['what is one word', '<b>Zy</b><i>a</i>', '<b>[X]</b><i></i>'],
  ])('that styles part, though nothing stands between two elements: %s', async (_, page, wanted) => {
    const rules = [
      regexRule('X', '(?<![\\p{L}\\p{N}])Zya(?![\\p{L}\\p{N}])', { flags: 'u', replacement: { text: '[X]' } }),
    ]
    const { output } = await anonymise(call({ input: bufferInput('x.html', Buffer.from(`<p>${page}`)), rules }))
    expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(`<p>${wanted}`)
  })

  const cases: [string, string, string][] = [
    ['a word over inline tags', '<p>Zy<b>sp</b>lit</p>', '<p>"&lt;X&gt;<b></b></p>'],
    [
      'a word over what Office recognised',
      '<p><st1:GivenName w:st="on">Zya</st1:GivenName><st2:Sn>b</st2:Sn> c',
      '<p><st1:GivenName w:st="on">"&lt;X&gt;</st1:GivenName><st2:Sn></st2:Sn> c',
    ],
    ['a word over an element that somebody made up', '<p>Zy<my-b>sp</my-b>lit b', '<p>"&lt;X&gt;<my-b></my-b> b'],
    ['a word over labels', '<label>Zy</label><label>sp</label>', '<label>"&lt;X&gt;</label><label></label>'],
    ['a word behind a label', '<label>nameof</label><my-b>Zyb</my-b>', '<label>nameof</label><my-b>"&lt;X&gt;</my-b>'],
    ['elements on lines of their own', '<my-a>Zy</my-a>\n<my-b>sp</my-b>', '<my-a>"&lt;X&gt;</my-a>\n<my-b>sp</my-b>'],
    [
      'a word over what is not shown',
      '<p>Zy<i style="color:red;display: none">no<i>t</i></i>a b',
      '<p>"&lt;X&gt;<i style="color:red;display: none"><i></i></i> b',
    ],
    ['a word over what is hidden', '<p>Zy<span hidden>not </span>a b', '<p>"&lt;X&gt;<span hidden></span> b'],
    ['a word in what is not shown', '<p>a <b hidden>b Zya</b> b', '<p>a <b hidden>b "&lt;X&gt;</b> b'],
    ['a word of which a part is not shown', '<p>a Zy<b hidden>a</b> b', '<p>a "&lt;X&gt;<b hidden></b> b'],
    ['two blocks are two texts', '<p>Zya</p><p>Zyb</p>', '<p>"&lt;X&gt;</p><p>"&lt;X&gt;</p>'],
    ['a line break inside of a match goes with it', '<p>a Zy1<br>Zy2 b', '<p>a "&lt;X&gt;<br>"&lt;X&gt; b'],
    ['entities', '<p>Zy&#101;nt &eacute;', '<p>"&lt;X&gt; &#233;'],
    ['a quoted attribute', '<p><a title="Zyo">x</a>', '<p><a title="&quot;&lt;X&gt;">x</a>'],
    ['an unquoted attribute', '<p><a title=Zyo>x</a>', '<p><a title="&quot;&lt;X&gt;">x</a>'],
    ['a script', '<script>var a="Zyo"</script>', '<script>var a="\\u0022\\u003cX\\u003e"</script>'],
    [
      'octal characters in a script',
      '<script>a="\\132yo \\\\132yo";a.replace(/(b)\\1/)</script>',
      '<script>a="\\u0022\\u003cX\\u003e \\\\132yo";a.replace(/(b)\\1/)</script>',
    ],
    [
      'JSON in a script',
      '<script type="application/json">{"a":"\\u005ayo"}</script>',
      '<script type="application/json">{"a":"\\"\\u003cX>"}</script>',
    ],
    ['a style sheet', '<style>a::after{content:"Zyo"}</style>', '<style>a::after{content:"\\22 \\3c X\\3e "}</style>'],
    ['a comment', '<p><!-- Zyo -->', '<p><!-- " X  -->'],
    ['an address', '<p><a href="/u?n=%5Ayo%20b">x</a>', '<p><a href="/u?n=%22%3CX%3E%20b">x</a>'],
    [
      'text in a data address',
      '<p><img src="data:text/plain;base64,Wnlv">',
      '<p><img src="data:text/plain;base64,IjxYPg==">',
    ],
    ['a picture in a data address', '<p><img src="data:image/png;base64,Wnlv">', '<p><img src="data:,">'],
    ['a template', '<template><p>Zyo</template>', '<template><p>"&lt;X&gt;</template>'],
    ['a title', '<title>Zyo</title>', '<title>"&lt;X&gt;</title>'],
    ['an address that looks like a tag', '<p>a <Zy.b@c.example> b', '<p>a &lt;"&lt;X&gt;.b@c.example&gt; b'],
    ['a name in angle brackets, and what closes it', '<p><Zyo>x</Zyo>', '<p>&lt;"&lt;X&gt;&gt;x&lt;/"&lt;X&gt;&gt;'],
    ['a tag that markup does not have stays where nothing is found in it', '<p><foo>a</foo>', '<p><foo>a</foo>'],
    [
      'names that somebody made up',
      '<zyo-x data-Zyo="1" b="Zyo">a</zyo-x>',
      '<x__X_-x data-__X_="1" b="&quot;&lt;X&gt;">a</x__X_-x>',
    ],
    ['a value cut off', '<p>a</p><a href="Zyo', '<p>a</p><a href="__X_'],
    ['a mark behind a word', '<p>Zyo<sup>1</sup> b', '<p>"&lt;X&gt;<sup>1</sup> b'],
    ['a mark within a word', '<p>Zy<sup>1</sup>o', '<p>"&lt;X&gt;<sup></sup>'],
    ['a letter that is raised', '<p>Zy<sup>er</sup> b', '<p>"&lt;X&gt;<sup></sup> b'],
    ['readings over a word', '<ruby>Zy<rt>r</rt>o<rt>s</rt></ruby> a', '<ruby>"&lt;X&gt;<rt></rt><rt></rt></ruby> a'],
    [
      'readings over the parts of a word',
      '<ruby><rb>Zy</rb><rb>o</rb><rtc><rt>r</rt><rt>s</rt></rtc></ruby> a',
      '<ruby><rb>"&lt;X&gt;</rb><rb></rb><rtc><rt></rt><rt></rt></rtc></ruby> a',
    ],
    ['a reading', '<ruby>a<rt>Zyo</rt></ruby>', '<ruby>a<rt>"&lt;X&gt;</rt></ruby>'],
    ['escapes of a style sheet', '<style>a{content:"\\5a yo"}</style>', '<style>a{content:"\\22 \\3c X\\3e "}</style>'],
    ['escapes of a style', '<p style="content:\'\\5a yo\'">', '<p style="content:\'\\22 \\3c X\\3e \'">'],
    [
      'control characters beside a value',
      '<p title="Zyo\x05">a\x04 Zyo\x1b b',
      '<p title="&quot;&lt;X&gt;\x05">a\x04 "&lt;X&gt;\x1b b',
    ],
    ['tags left open', '<p>Zyo <b', '<p>"&lt;X&gt; <b'],
  ]
  test.each(cases)('%s', async (_, source, expected) => {
    const head = '<html><head></head><body>'
    expect((await clean('x.html', head + source)).text).toBe(head + expected)
  })

  test('a name with a mark behind its first word is one name', async () => {
    const rules = [regexRule('X', 'Ula Brend', { replacement: { text: '[X]' } })]
    const page = '<p>Ula<sup>1</sup> Brend and Ula<sup><a href="#2">[2]</a></sup> Brend, 5 m<sup>2</sup> wide'
    const { output } = await anonymise(call({ input: bufferInput('x.html', Buffer.from(page)), rules }))
    const expected = '<p>[X]<sup></sup> and [X]<sup><a href="#2"></a></sup>, 5 m<sup>2</sup> wide'
    expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(expected)
  })

  describe('names of characters', () => {
    const names = [
      regexRule('G', 'Garc\u00eda'),
      regexRule('M', '[\\w.]+@[\\w.]+\\w'),
      regexRule('J', 'Margaret\\s+Johnson'),
      regexRule('Z', 'Zyoanna'),
    ]
    const run = async (name: string, source: string) => {
      const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(source)), rules: names }))
      return output.read(0, output.size)
    }
    const values =
      'Garc&iacute;a anna&commat;example&period;org Margaret&NewLine;Johnson Margaret&Tab;Johnson Margaret&numsp;Johnson ' +
      'Zyo&zwnj;anna Zyo&zwj;anna Zyo&NoBreak;anna Zyo&ZeroWidthSpace;anna Zyo&shy;anna'
    const left = '[G] [M] [J] [J] [J] [Z] [Z] [Z] [Z] [Z]'

    test('are read as what they stand for, and stay it', async () => {
      const others = 'R&D &hellip; &fjlig; &unknown; &amp;iacute; a&ltb'
      const page = `<!DOCTYPE html><meta charset="utf-8"><body><p>${values} ${others}</p><p title="${values}">`
      const bytes = await run('x.html', page)
      const [shown] = shownByHtml(bytes).filter(text => text.includes('R&D'))
      expect(shown).toBe(`${left} R&D \u2026 fj &unknown; &iacute; a<b`)
      expect(Buffer.from(bytes).toString()).toContain(`<p title="${left}">`)
    })

    test('need no semicolon in a text, and need one in front of letters in an attribute', async () => {
      const bytes = await run(
        'x.html',
        '<!DOCTYPE html><meta charset="utf-8"><p title="Margaret&nbsp Johnson, Garc&iacutea">Garc&iacutea Margaret&nbspJohnson Zyo&shyanna &copy b',
      )
      expect(Buffer.from(bytes).toString()).toBe(
        '<!DOCTYPE html><meta charset="utf-8"><p title="[J], Garc&amp;iacutea">[G] [J] [Z] \u00a9 b',
      )
    })

    test.each([
      ['a.txt', values, left],
      ['a.md', `${values} R&D &hellip; &unknown;`, `${left} R&D &hellip; &unknown;`],
      ['a.json', JSON.stringify({ a: `<p>${values} &hellip;` }), JSON.stringify({ a: `<p>${left} &hellip;` })],
      ['a.xml', `<r><d><![CDATA[${values} R&D &hellip;]]></d></r>`, `<r><d>${left} R&amp;D &amp;hellip;</d></r>`],
      [
        'a.xhtml',
        `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><p>${values} a&lt;</p></html>`,
        `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><p>${left} a&lt;</p></html>`,
      ],
    ])('are read in %s as well', async (name, source, expected) => {
      expect(Buffer.from(await run(name, source)).toString()).toBe(expected)
    })
  })

  test('keeps the encoding that the page declares, and escapes what it has not', async () => {
    const page = Buffer.from('<html><meta charset="iso-8859-1"><p>Jos\xe9 Zyo</p>', 'latin1')
    const rules = [regexRule('X', 'Zyo', { replacement: { text: '\u25a0' } })]
    const { output } = await anonymise(call({ input: bufferInput('x.html', page), rules }))
    const text = Buffer.from(await output.read(0, output.size)).toString('latin1')
    expect(text).toContain('<p>Jos&#233; &#9632;</p>')
  })

  test.each([
    ['is declared to be ASCII', '<meta charset="us-ascii">', '&#8220;"&lt;X&gt;&#8221;'],
    ['declares nothing', '', '&#8220;"&lt;X&gt;&#8221;'],
    ['is declared to be UTF-8', '<meta charset="utf-8">', '\u201c"&lt;X&gt;\u201d'],
  ])('writes letters beyond ASCII as browsers will read them in a page that %s', async (_, head, expected) => {
    const { text } = await clean('x.html', `<html>${head}<p>&ldquo;Zyo&rdquo;</p>`)
    expect(Buffer.from(text, 'latin1').toString()).toContain(`<p>${expected}</p>`)
  })

  test('keeps the lines of a text around what it replaces, as a style may show them', async () => {
    const before = '<p style="white-space: pre-wrap">one\n  two '
    const after = '\n\nthree &amp;\tfour\r\n</p>\n'
    const { text } = await clean('x.html', `${before}Zya\n Zyb${after}`, 'Zya\\sZyb')
    expect(text).toBe(`${before}"&lt;X&gt;${after}`)
  })

  test.each([
    `<script><!--\nw("<script src='Zya'></script>")\n//--></script><p>Zyb</p>`,
    `<script><!-- w("<SCRIPT >Zya</SCRIPT >") --> </script ><p>Zyb</p>`,
    `<script><!--> w("<script>Zya")</script><p>Zyb</p>`,
    `<script>w("<script>Zya")</script><p>Zyb</p><script><!-- a() </script><p>Zyb</p>`,
  ])('ends a script where browsers do: %s', async source => {
    const { text } = await clean('x.html', `<html><b>`.concat(source))
    const expected = source.replaceAll('Zyb', '"&lt;X&gt;').replaceAll('Zya', '\\u0022\\u003cX\\u003e')
    expect(text).toBe(`<html><b>${expected}`)
  })

  test('leaves Markdown that begins with an element to Markdown', async () => {
    const source = '<!-- a\ncomment -->\n<p align="center">x</p>\n\n# Zyo\n\n- one\n- two\n'
    expect((await clean('readme.md', source)).text).toBe(source.replace('Zyo', '"<X>'))
  })

  test('reads Latin-1 as browsers do, which take it for windows-1252', async () => {
    const page = '<html><meta charset="ISO-8859-1"><p>\x84Zyo O\x92Hara\x93</p><p>Jos\xe9 \x84a\x93 \x81</p>'
    const { text } = await clean('x.html', Buffer.from(page, 'latin1'), 'Zyo O\u2019Hara')
    expect(text).toContain('<p>&#8222;"&lt;X&gt;&#8220;</p><p>Jos\xe9 \x84a\x93 \x81</p>')
    const other = await clean('x.html', Buffer.from(page, 'latin1'), 'Jos\u00e9')
    expect(other.text).toContain('<p>\x84Zyo O\x92Hara\x93</p><p>"&lt;X&gt; &#8222;a&#8220; &#129;</p>')
  })

  describe('texts in base64 that are not shown', () => {
    const coded = (text: string) => Buffer.from(text).toString('base64')
    const url = (text: string) => Buffer.from(text).toString('base64url')
    test.each([
      ['in a parameter', `<a href="/s?a=1&amp;k=${coded('to Zyanna')}&amp;z=2">x</a>`, coded('to "<X>')],
      ['escaped with percent signs', `<a href="/s%3F${coded('Zyanna is')}">x</a>`, `/s%3F${coded('"<X> is')}`],
      ['behind a path', `<a href="/parts/of/${coded('{"a":"Zyanna"}')}">x</a>`, `/parts/of/${coded('{"a":""<X>"}')}`],
      [
        'in a token',
        `<i data-a="${url('{"a":1}')}x.${url('{"n":"Zyanna?"}')}.Zz">x</i>`,
        `.${url('{"n":""<X>?"}')}.Zz`,
      ],
      ['in a script', `<script>a("${coded('<b>Zyanna</b>')}")</script>`, `a("${coded('<b>"<X></b>')}")`],
      ['with its slashes escaped', `<script>a("${coded('Zyanna????').replaceAll('/', '\\/')}")</script>`, 'Ijx'],
      ['in JSON', `<script type="application/json">{"a":"${coded('Zyanna, b')}"}</script>`, coded('"<X>, b')],
      ['in a comment', `<!-- part ${coded('/of/Zyanna/')} -->`, `<!-- part ${coded('/of/"<X>/')} -->`],
    ])('%s', async (_, source, expected) => {
      const { text } = await clean('x.html', `<p>Zyanna</p>${source}`)
      expect(text).toContain('<p>"&lt;X&gt;</p>')
      expect(text).toContain(expected)
    })

    test.each([
      ['a set of pictures', '<img srcset="data:image/svg+xml;base64,@ 1x, b.png 2x">'],
      ['a set whose first picture has no size', '<img srcset="data:image/svg+xml;base64,@, b.png 2x">'],
      ['a set of pictures for a link', '<link imagesrcset="a.png 1x, data:image/svg+xml;base64,@ 2x">'],
    ])('%s keeps what stands beside an address', async (_, source) => {
      const [before, after] = ['<svg><text>Zyanna!?</text></svg>', '<svg><text>&quot;&lt;X&gt;!?</text></svg>'].map(
        coded,
      )
      expect((await clean('x.html', source.replace('@', before!))).text).toBe(source.replace('@', after!))
    })

    test('an address that holds something else besides is emptied', async () => {
      const { text } = await clean('x.html', `<a href="data:text/plain;base64,${coded('ab')} Zyanna">x</a>`)
      expect(text).not.toContain('Zyanna')
    })

    test('are still read as they are written, too', async () => {
      const token = url('{"alg":"none"}')
      const { text } = await clean('x.html', `<i data-a="Bearer ${token}.e30.">x</i>`, 'Bearer ey[\\w.-]+')
      expect(text).toBe('<i data-a="&quot;&lt;X&gt;">x</i>')
    })
  })

  test('excuses words of the markup, and nothing else that stands beside them', async () => {
    const rules = [regexRule('W', '(?<= )(?:center|section|Karlsson)(?= )', { replacement: { text: '-' } })]
    const run = (source: string) =>
      anonymise(call({ input: bufferInput('x.html', Buffer.from(`<!DOCTYPE html>${source}`)), rules }))
    const { output } = await run('<section align="center"><p>in the center of a section we</section>')
    expect(Buffer.from(await output.read(0, output.size)).toString()).toContain('<p>in the - of a - we</section>')
    const hidden = '<p>a Karlsson b<p Karlsson><i-karlsson></i-karlsson><i data-karlsson="1" frame="Karlsson">'
    const { output: clean } = await run(hidden)
    expect(Buffer.from(await clean.read(0, clean.size)).toString()).not.toMatch(/karlsson/i)
  })

  test('reads a line of a drawing through its stretches, and lines apart', async () => {
    const { text } = await clean(
      'x.html',
      '<html><svg><text>Z<tspan>yo</tspan> Anna<tspan x="0" dy="9">Zya</tspan><tspan x="0" dy="9">b</tspan></text></svg>',
    )
    expect(text).toContain(
      '<text>"&lt;X&gt;<tspan></tspan> Anna<tspan x="0" dy="9">"&lt;X&gt;</tspan><tspan x="0" dy="9">b</tspan>',
    )
  })

  test('reads a line of a drawing through letters with places of their own', async () => {
    const letters = '<text y="9"><tspan x="0">Z</tspan><tspan x="7">y</tspan><tspan x="14" y="9">b</tspan></text>'
    const lines =
      '<text x="1" y="9">Zy<tspan x="1" y="21">a</tspan><tspan x="8" dy="1">b</tspan></text><text x="9">c</text>'
    const { text } = await clean('x.html', `<html><svg>${letters}${lines}</svg>`, 'Zy(?:a|b)')
    expect(text).toContain(letters.replace('>Z<', '>"&lt;X&gt;<').replace('>y<', '><').replace('>b<', '><') + lines)
  })

  test('says that pictures inside of the page were left out', async () => {
    const { report } = await clean(
      'x.html',
      '<html><img src="data:image/bmp;base64,Qk0aAAAAAAAAABoAAAAMAAAAAQABAAEAGAAAAP8A">',
    )
    expect(report.dropped).toEqual([{ what: 'embedded files', count: 1 }])
  })
})

describe('XML', () => {
  const cases: [string, string, string][] = [
    ['mixed content is one text', '<p>Zy<b>sp</b>lit</p>', '<p>&quot;&lt;X&gt;<b></b></p>'],
    [
      'fields without blanks between them are several',
      '<p><a>Zya</a><b>b</b></p>',
      '<p><a>&quot;&lt;X&gt;</a><b>b</b></p>',
    ],
    ['an attribute', "<p a='Zyo'/>", "<p a='&quot;&lt;X&gt;'/>"],
    ['a CDATA section', '<p><![CDATA[Zyo]]></p>', '<p>&quot;&lt;X&gt;</p>'],
    ['a comment', '<p><!--Zyo--></p>', '<p><!--"<X>--></p>'],
    ['an instruction', '<p><?a Zyo?></p>', '<p><?a __X_?></p>'],
    [
      'a text that alone stood between two others',
      '<p><a>Z</a>yo<b>p</b> <i>q</i></p>',
      '<p><a>&quot;&lt;X&gt;</a><b></b> <i>q</i></p>',
    ],
    [
      'a line of a drawing in stretches',
      '<svg><text><tspan>Z</tspan><tspan dx="1">yo</tspan> <tspan x="1" y="2">a <tspan>Zy</tspan>c</tspan></text></svg>',
      '<svg><text><tspan>&quot;&lt;X&gt;</tspan><tspan dx="1"></tspan> <tspan x="1" y="2">a <tspan>&quot;&lt;X&gt;</tspan></tspan></text></svg>',
    ],
    [
      'the same where all of them follow each other',
      '<svg><text x="1"><tspan>Z</tspan><tspan dx="1">yo</tspan></text><text>b</text></svg>',
      '<svg><text x="1"><tspan>&quot;&lt;X&gt;</tspan><tspan dx="1"></tspan></text><text>b</text></svg>',
    ],
    [
      'lines of a drawing',
      '<svg><text>Anna<tspan x="0" dy="1em">Zyo</tspan></text></svg>',
      '<svg><text>Anna<tspan x="0" dy="1em">&quot;&lt;X&gt;</tspan></text></svg>',
    ],
    [
      'the same words elsewhere',
      '<r><text><tspan>Z</tspan><tspan>yo</tspan></text></r>',
      '<r><text><tspan>Z</tspan><tspan>yo</tspan></text></r>',
    ],
  ]
  test('an element with very many attributes is read at once, and a repeated one is refused', async () => {
    const page = (last: string) =>
      `<a ${Array.from({ length: 100_000 }, (_, n) => `x${n}="y"`).join(' ')} ${last}="Zya B"/>`
    const { output } = await anonymise(call({ input: bufferInput('x.xml', Buffer.from(page('z'))), rules: [] }))
    expect(output.size).toBe(page('z').length)
    const repeated = call({ input: bufferInput('x.xml', Buffer.from(page('x5'))), rules: [] })
    await expect(anonymise(repeated)).rejects.toMatchObject({ type: 'corrupt_file' })
  })

  test('excuses usual prefixes of vocabularies that everybody knows', async () => {
    const drawing = (prefix: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:${prefix}="http://www.w3.org/1999/xlink"><text>xlink Zylink</text></svg>`
    const { text } = await clean('a.svg', drawing('xlink'), 'xlink')
    expect(text).toBe(drawing('xlink').replace('xlink Zylink', '&quot;&lt;X&gt; Zylink'))
    await expect(clean('a.svg', drawing('Zylink'))).rejects.toMatchObject({ type: 'leak_detected' })
  })

  test('puts the texts of entities in their place, as drawings declare them for namespaces', async () => {
    const doctype = `<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY who 'Zya "b'>]>`
    const drawing = (uri: string, who: string) =>
      `<svg xmlns="${uri}"><!-- &who; --><text id="${who}">a ${who} <![CDATA[&who;]]></text></svg>`
    const { text, report } = await clean('a.svg', `${doctype}${drawing('&ns_svg;', '&who;')}`)
    expect(text).toBe(drawing('http://www.w3.org/2000/svg', '&quot;&lt;X&gt; &quot;b'))
    expect(report.dropped).toEqual([{ what: 'document type declarations', count: 1 }])
  })

  test('puts characters by their number in the place of entities that name them', async () => {
    const doctype = '<!DOCTYPE r [<!ENTITY ouml "&#246;"><!ENTITY who "Zya &#xF6;&#39;">]>'
    const { text } = await clean('a.xml', `${doctype}<r a="&who;">K&ouml;ln, &who;</r>`)
    const who = '&quot;&lt;X&gt; ö&apos;'
    expect(Buffer.from(text, 'latin1').toString()).toBe(`<r a="${who}">Köln, ${who}</r>`)
  })

  test('keeps the names of namespaces addresses that parsers take', async () => {
    const source = (name: string) =>
      `<r xmlns="http://${name}.example/a?b=1&amp;c" xmlns:p="urn:${name}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:${name} a.xsd"><p:a/></r>`
    const { text } = await clean('a.xml', source('Zyname'))
    expect(text).toBe(source('%22%3CX%3E'))
  })

  test.each([
    ['utf-8', ']]&gt;<![CDATA[\u20ac '],
    ['us-ascii', ']]&gt;&#8364;<![CDATA[ '],
  ])('reads what stands around a picture in a CDATA section, in %s', async (encoding, expected) => {
    const picture = `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=">`
    const source = `<?xml version="1.0" encoding="${encoding}"?><k><d>a <![CDATA[b & Zya ${picture} Zyb c]]> d</d></k>`
    const rules = [regexRule('X', 'Zy.', { replacement: { text: ']]>\u20ac' } })]
    const { output } = await anonymise(call({ input: bufferInput('a.xml', Buffer.from(source)), rules }))
    const text = Buffer.from(await output.read(0, output.size)).toString()
    expect(text).toContain(`<d>a <![CDATA[b & ]]>${expected}<img src="data:image/gif;base64,`)
    expect(text).toContain(`"> ]]>${expected}c]]> d</d>`)
  })

  test.each(cases)('%s', async (_, source, expected) => {
    const head = '<?xml version="1.0" encoding="UTF-8"?>\r\n'
    expect((await clean('x.xml', head + source)).text).toBe(head + expected)
  })
})
