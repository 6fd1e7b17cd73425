import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canaries, hidingPlaces, withoutCanaries } from './hiding.ts'
import { body, book, row } from './hiding-samples.ts'
import { makeDocx, makeOdf } from './package.ts'

const rtf = (content: string) =>
  Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}seen\\par ${content}}`, 'latin1')
const hex = (text: string) => Buffer.from(text).toString('hex')

hidingPlaces('letter.rtf', {
  'the text': () => rtf('Zytext'),
  'a word over formats': () => rtf('Zybro{\\b ken}'),
  'a word in escapes': () => rtf("Zybro\\'6b\\u101?n and \\'5a\\'79escaped"),
  properties: () => rtf('{\\info{\\author Zyauthor}{\\title Zytitle}{\\*\\company Zycompany}}'),
  'own properties': () => rtf('{\\*\\userprops{\\propname Zyname}{\\staticval Zyvalue}}'),
  'a header': () => rtf('{\\header Zyheader\\par}'),
  'a footnote': () => rtf('{\\footnote Zynote}'),
  'an annotation': () => rtf('{\\*\\atnid Zyi}{\\*\\atnauthor Zyauthor}\\chatn{\\*\\annotation Zyannotation}'),
  'deleted text': () => rtf('{\\deleted Zydeleted}'),
  'names of editors': () => rtf('{\\*\\revtbl{Zyeditor;}}'),
  'hidden text': () => rtf('{\\v Zyhidden}'),
  'a bookmark': () => rtf('{\\*\\bkmkstart Zybookmark}{\\*\\bkmkend Zybookmark}'),
  'an address': () => rtf('{\\field{\\*\\fldinst HYPERLINK "https://zyhost.example/%5aypath"}{\\fldrslt x}}'),
  'a form field': () => rtf('{\\*\\formfield{\\*\\ffname Zyfield}{\\*\\ffdeftext Zydefault}{\\*\\ffl Zyentry}}'),
  'an index': () => rtf('{\\xe Zyindex}'),
  'a style': () => rtf('{\\stylesheet{\\s1 Zystyle;}}'),
  'a shape': () => rtf('{\\shp{\\*\\shpinst{\\sp{\\sn wzDescription}{\\sv Zyalt}}{\\shptxt Zybox\\par}}}'),
  'an object': () =>
    rtf(`{\\object\\objemb{\\*\\objclass Zyclass}{\\*\\objdata ${hex('Zyobject in it')}}{\\result Zyresult}}`),
  'a picture that nothing reads': () => rtf(`{\\pict\\wmetafile8 ${hex('Zymetafile')}}`),
  'a picture in bytes': () => rtf('{\\pict\\pngblip\\bin8 Zybinary}'),
  'the name of a picture': () =>
    rtf(`{\\pict{\\*\\picprop{\\sp{\\sn wzName}{\\sv Zypicture}}}\\pngblip ${hex('none')}}`),
  'a theme': () => rtf(`{\\*\\themedata ${hex('Zytheme of it')}}`),
  'custom XML': () => rtf(`{\\*\\datastore ${hex('Zydatastore')}}`),
  'a variable': () => rtf('{\\*\\docvar {Zyname}{Zyvalue}}'),
  'a template': () => rtf('{\\*\\template C:\\\\Users\\\\Zyuser}'),
  'mail merge': () => rtf('{\\*\\mailmerge{\\*\\mmconnectstr Zyconnection}}'),
  'a destination that nobody knows': () => rtf('{\\*\\zzunknown Zyunknown}'),
  'the name of a font': () => rtf('{\\fonttbl{\\f1 Arial{\\*\\falt Zyfont};}}'),
  'a list': () => rtf('{\\*\\listtable{\\list{\\listname Zylist;}}}'),
  'raw bytes': () => rtf('\\bin8 Zyinside'),
})

const mail = (content: string, fields = '', type = 'multipart/mixed; boundary="b"') =>
  Buffer.from(
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: seen\r\nMIME-Version: 1.0\r\n${fields}Content-Type: ${type}\r\n\r\n${content}`,
  )
const section = (head: string, content: string) => `--b\r\n${head}\r\n\r\n${content}\r\n`
const parts = (...all: string[]) => `${section('Content-Type: text/plain', 'seen')}${all.join('')}--b--\r\n`
const attached = (name: string, bytes: Uint8Array, type = 'application/octet-stream') =>
  mail(
    parts(
      section(
        `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"`,
        Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
      ),
    ),
  )

hidingPlaces('message.eml', {
  'the sender and the recipients': () =>
    mail(parts(), 'Reply-To: "Zyname" <zyreply@example.com>\r\nCc: zycopy@example.com\r\n'),
  'an encoded subject': () =>
    mail(parts(), `Comments: =?utf-8?B?${Buffer.from('about Zysubject').toString('base64')}?=\r\n`),
  'a subject in two words': () => mail(parts(), 'Comments: =?utf-8?Q?Zybro?=\r\n =?utf-8?Q?ken?=\r\n'),
  'the way of the message': () =>
    mail(
      parts(),
      'Received: from zyhost (zyhost.example [10.0.0.1])\r\nX-Originating-IP: zyaddress\r\nMessage-ID: <zyid@example.com>\r\nDKIM-Signature: d=zydomain.example\r\n',
    ),
  'quoted-printable': () =>
    mail(
      parts(
        section('Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable', '=5Ayescaped Zyquo=\r\nted'),
      ),
    ),
  base64: () =>
    mail(
      parts(
        section(
          'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64',
          Buffer.from('this is Zybase in it').toString('base64'),
        ),
      ),
    ),
  'another character set': () =>
    mail(
      parts(
        section(
          'Content-Type: text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64',
          Buffer.from('this is Zywide', 'utf16le').toString('base64'),
        ),
      ),
    ),
  HTML: () =>
    mail(
      parts(
        section('Content-Type: text/html', '<p>Zypara<!-- Zyremark --></p><a href="mailto:zylink@example.com">x</a>'),
      ),
    ),
  'an invitation': () =>
    mail(
      parts(
        section(
          'Content-Type: text/calendar; method=REQUEST',
          'BEGIN:VCALENDAR\r\nORGANIZER;CN=Zyhost:mailto:zyhost@example.com\r\nEND:VCALENDAR',
        ),
      ),
    ),
  'a card': () => attached('card.vcf', Buffer.from('BEGIN:VCARD\r\nFN:Zycard\r\nEND:VCARD\r\n'), 'text/vcard'),
  'the name of an attachment': () => attached('Zyreport.txt', Buffer.from('seen')),
  'the name of an attachment in pieces': () =>
    mail(
      parts(
        section(
          "Content-Type: text/plain\r\nContent-Disposition: attachment; filename*0*=utf-8''Zyfil; filename*1*=ename.txt",
          'seen',
        ),
      ),
    ),
  'a document attached': () => attached('a.docx', makeDocx(body('Zydocument'))),
  'a text document attached': () => attached('a.odt', makeOdf('text', '<text:p>Zytext</text:p>')),
  'a workbook attached': () => attached('a.xlsx', book(row('Zycell'))),
  'a table attached': () => attached('a.csv', Buffer.from('name,town\nZyname,Rome\n')),
  'a message attached': () =>
    mail(parts(section('Content-Type: message/rfc822', 'From: zyinner@example.com\r\nSubject: Zyinner\r\n\r\nZybody'))),
  'a message in a message in it': () =>
    attached('a.eml', attached('b.eml', attached('c.txt', Buffer.from('Zydeepest')))),
  'an attachment that nothing reads': () => attached('a.bin', Buffer.from([0, 1, 2, 255, ...Buffer.from('Zybinary')])),
  'text before and after the parts': () => mail(`Zypreamble\r\n${parts()}Zyepilogue\r\n`),
  'a comment in a header': () => mail(parts(), 'Date: Thu, 1 Jan 2026 00:00:00 +0000 (Zycomment)\r\n'),
  'a parameter that nobody knows': () => mail(parts(section('Content-Type: text/plain; x-own=Zyparameter', 'seen'))),
  'what stands behind the end of base64': () =>
    mail(
      parts(
        section(
          'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64',
          `${Buffer.from('seen').toString('base64')}\r\nZytrail`,
        ),
      ),
    ),
  'words beyond the address': () =>
    mail(parts(), 'List-Unsubscribe: <mailto:zylist@example.com>\r\nX-Mailer: Zyprogram\r\n'),
})

const page = (content: string) =>
  Buffer.from(`<!DOCTYPE html><html><head><title>seen</title></head><body><p>seen</p>${content}</body></html>`)
const data = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`

hidingPlaces('page.html', {
  'the text': () => page('<p>Zypara</p>'),
  'a word over tags': () => page('<p>Zybro<b>ken</b> Zyent&#105;ty</p>'),
  'a comment': () => page('<!-- Zyremark --><!--[if IE]>Zyold<![endif]-->'),
  attributes: () =>
    page(
      '<img alt="Zyalt" title="Zytitle" data-x="Zydata" aria-label="Zylabel"><input value="Zyvalue" placeholder="Zyholder" name="zyname">',
    ),
  'attributes that nobody knows': () => page('<p zz="zyattribute">x</p>'),
  'an address': () =>
    page(
      '<a href="https://zyhost.example/%5Aypath?q=zyquery">x</a><img src="/img/Zyphoto.png" srcset="/Zyset.png 2x">',
    ),
  metadata: () => page('<meta name="author" content="Zyauthor"><meta property="og:title" content="Zytitle">'),
  'a script': () => page('<script>var a = "Zyscript" // Zyremark\n</script>'),
  'data of a script': () => page('<script type="application/ld+json">{"name":"Zyjson","\\u005ayescaped":1}</script>'),
  'a style': () => page('<style>.a::before { content: "Zystyle" }</style><p style="background:url(Zyback.png)">x</p>'),
  'a template': () => page('<template><p>Zytemplate</p></template><noscript>Zynoscript</noscript>'),
  'hidden elements': () =>
    page(
      '<div hidden>Zyhidden</div><div style="display:none">Zynone</div><textarea>Zyarea</textarea><select><option value="Zyoption">Zychoice</option></select>',
    ),
  'a drawing': () =>
    page('<svg><title>Zydrawing</title><desc>Zydesc</desc><text>Zyshape</text><metadata>Zymeta</metadata></svg>'),
  'a page in an attribute': () => page('<iframe srcdoc="&lt;p&gt;Zyframe&lt;/p&gt;"></iframe>'),
  'text in an address': () =>
    page(
      `<iframe src="${data('text/html', '<p>this is Zyinside</p>')}"></iframe><a href="data:text/plain,Zyplain%20text">x</a>`,
    ),
  'a file in an address': () => page(`<a href="${data('application/octet-stream', 'this is Zybinary of it')}">x</a>`),
  'a font in a style': () =>
    page(`<style>@font-face { src: url(${data('font/woff', 'this is Zyfont of it')}) }</style>`),
  'a picture that nothing reads': () => page(`<img src="${data('image/gif', 'GIF89a this is Zygif')}">`),
  'a drawing in an address': () =>
    page(
      `<img src="${data('image/svg+xml', '<svg><text>Zyvector</text></svg>')}"><img src="data:image/svg+xml,%3Csvg%3E%3Ctext%3EZyplain%3C/text%3E%3C/svg%3E">`,
    ),
  'what stands behind the end': () => Buffer.concat([page('x'), Buffer.from('Zytrailer<!-- Zylast -->')]),
})

hidingPlaces('data.xml', {
  'the text': () => Buffer.from('<a><b>Zytext</b></a>'),
  'a word over elements': () => Buffer.from('<a>Zybro<b>ken</b> on</a>'),
  'an attribute': () => Buffer.from('<a b="Zyattribute" c=\'&#90;yentity\'/>'),
  'a comment and an instruction': () => Buffer.from('<a><!-- Zyremark --><?go Zyinstruction?></a>'),
  'a section of characters': () => Buffer.from('<a><![CDATA[Zysection]]></a>'),
  'another encoding': () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<?xml version="1.0"?><a>Zywide</a>', 'utf16le')]),
})

hidingPlaces('data.json', {
  'a value': () => Buffer.from('{"a":"Zyvalue","b":["\\u005ayescaped"]}'),
  'a key': () => Buffer.from('{"Zykey":1,"b":{"Zyinner":null}}'),
  'a value twice': () => Buffer.from('{"a":"Zyfirst","a":"Zysecond"}'),
})

hidingPlaces('data.ndjson', {
  'a value': () => Buffer.from('{"a":"Zyvalue"}\n{"a":"\\u005ayescaped"}\n{"a":{"b":["Zydeep"]}}\n'),
})

hidingPlaces('notes.md', {
  'texts, addresses and code': () =>
    Buffer.from(
      '# Zytitle\n\n[x](https://zyhost.example "Zytitle") ![Zyalt](Zyphoto.png)\n\n```\nZycode\n```\n<!-- Zyremark -->\n\n[r]: <zyref>\n',
    ),
  'the head of a page': () => Buffer.from('---\nauthor: Zyauthor\n---\ntext\n'),
})

const synthetic = '../shared/corpus/synthetic'
const files = existsSync(synthetic) ? readdirSync(synthetic).filter(name => name.startsWith('canary')) : []
if (files.length === 0) console.log('skipped: the canaries of the corpus are not here')

describe.skipIf(files.length === 0)('the canaries of the corpus', () => {
  test.each(files)('%s', async name => {
    const bytes = readFileSync(`${synthetic}/${name}`)
    // What is packed inside of a PDF is another test's.
    if (!name.endsWith('.pdf')) expect(canaries(bytes)).not.toEqual([])
    expect(canaries((await withoutCanaries(name, bytes)).bytes)).toEqual([])
  })
})
