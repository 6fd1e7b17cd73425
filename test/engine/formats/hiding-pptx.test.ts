import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { hidingPlaces } from './hiding.ts'
import {
  book,
  cache,
  chart,
  deck,
  element,
  fromMain,
  fromRoot,
  fromSlide,
  inner,
  jpeg,
  named,
  ole,
  row,
  runs,
  tree,
} from './hiding-samples.ts'
import { readZip, relationships } from './package.ts'

hidingPlaces('talk.pptx', {
  'a slide': () => deck(tree(runs('Zyslide'))),
  'a word over runs': () => deck(tree('<a:p><a:r><a:t>Zybro</a:t></a:r><a:r><a:t>ken</a:t></a:r></a:p>')),
  'a table': () => deck(tree(`<a:tbl><a:tr><a:tc><a:txBody>${runs('Zycell')}</a:txBody></a:tc></a:tr></a:tbl>`)),
  'a hidden slide': () =>
    deck('', {
      'ppt/slides/slide1.xml': element('p:sld', tree(runs('Zyhidden'))).replace('<p:sld', '<p:sld show="0"'),
    }),
  'the name of a slide': () => deck(`<p:cSld name="Zyname">${runs('seen')}</p:cSld>`),
  'an alternative text': () => deck(named('name="Picture 1" descr="Photo of Zydescription"')),
  'a title of a shape': () => deck(named('name="a" title="Zytitle"')),
  'the name of a shape': () => deck(named('name="Zyshape"')),
  notes: () => fromSlide('notesSlide', 'notesSlides/notesSlide1.xml', element('p:notes', tree(runs('Zynotes')))),
  comments: () =>
    fromSlide(
      'comments',
      'comments/comment1.xml',
      element('p:cmLst', '<p:cm authorId="0" dt="2020-01-01T00:00:00"><p:text>Zycomment</p:text></p:cm>'),
    ),
  'comments of today': () =>
    fromSlide(
      'comments',
      'comments/modern1.xml',
      element('p188:cmLst', `<p188:cm id="{1}"><p188:txBody>${runs('Zymodern')}</p188:txBody></p188:cm>`),
    ),
  'authors of comments': () =>
    fromMain(
      'commentAuthors',
      'commentAuthors.xml',
      element('p:cmAuthorLst', '<p:cmAuthor id="0" name="Zyauthor" initials="Zyinitials"/>'),
    ),
  'authors of comments of today': () =>
    fromMain(
      'authors',
      'authors.xml',
      element('p188:authorLst', '<p188:author id="{1}" name="Zyauthor" initials="Zy" userId="zyuser@example.com"/>'),
    ),
  'a master': () =>
    fromMain('slideMaster', 'slideMasters/slideMaster1.xml', element('p:sldMaster', tree(runs('Zymaster')))),
  'a layout': () =>
    fromSlide('slideLayout', 'slideLayouts/slideLayout1.xml', element('p:sldLayout', tree(runs('Zylayout')))),
  'a master of notes': () =>
    fromMain('notesMaster', 'notesMasters/n1.xml', element('p:notesMaster', tree(runs('Zynotesmaster')))),
  'a master of handouts': () =>
    fromMain('handoutMaster', 'handoutMasters/h1.xml', element('p:handoutMaster', tree(runs('Zyhandout')))),
  'a cached value of a chart': () => fromSlide('chart', 'charts/chart1.xml', cache),
  'a title of a chart': () =>
    fromSlide(
      'chart',
      'charts/chart1.xml',
      chart(`<c:title><c:tx><c:rich>${runs('Zychart')}</c:rich></c:tx></c:title>`),
    ),
  'the workbook behind a chart': () =>
    fromSlide('chart', 'charts/chart1.xml', chart('<c:externalData r:id="e1"/>'), {
      'ppt/charts/_rels/chart1.xml.rels': relationships([
        ['e1', 'package', '../embeddings/Microsoft_Excel_Sheet1.xlsx'],
      ]),
      'ppt/embeddings/Microsoft_Excel_Sheet1.xlsx': inner(),
    }),
  'the name of an embedded file': () => fromSlide('package', 'embeddings/Zysecret plan.xlsx', book(row('nothing'))),
  'a diagram': () =>
    fromSlide(
      'diagramData',
      'diagrams/data1.xml',
      element('dgm:dataModel', `<dgm:pt><dgm:t>${runs('Zydiagram')}</dgm:t></dgm:pt>`),
    ),
  tags: () => fromSlide('tags', 'tags/tag1.xml', element('p:tagLst', '<p:tag name="OWNER" val="Zytag"/>')),
  'an embedded object': () => fromSlide('oleObject', 'embeddings/oleObject1.bin', ole),
  'a control': () => fromSlide('control', 'activeX/activeX1.xml', '<ax:ocx xmlns:ax="urn:x" name="Zycontrol"/>'),
  'a film': () => fromSlide('video', 'media/media1.mp4', Buffer.from('ftyp Zyfilm')),
  'a picture that nothing reads': () => fromSlide('image', 'media/image1.emf', Buffer.from('Zydrawing', 'utf16le')),
  'the name of a picture': () => fromSlide('image', 'media/Zyfacade.emf', Buffer.from('x')),
  'a section': () =>
    deck(tree(runs('seen')), {
      'ppt/presentation.xml': element(
        'p:presentation',
        '<p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst><p:extLst><p:ext uri="{1}"><p14:sectionLst><p14:section name="Zysection" id="{2}"/></p14:sectionLst></p:ext></p:extLst>',
      ),
    }),
  'the name of a custom show': () =>
    deck(tree(runs('seen')), {
      'ppt/presentation.xml': element(
        'p:presentation',
        '<p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst><p:custShowLst><p:custShow name="Zyshow" id="0"/></p:custShowLst>',
      ),
    }),
  'an address': () =>
    deck(tree('<x r:id="r1"/>'), {}, { slide: [['r1', 'hyperlink', 'https://Zyhost.example/%5Aypath', true]] }),
  'a tooltip': () => deck(tree('<a:hlinkClick tooltip="Zytooltip"/>')),
  'a file that is linked to': () =>
    deck(tree('<x r:link="r1"/>'), {}, { slide: [['r1', 'image', 'file:///C:/Users/Zyuser/a.png', true]] }),
  properties: () => fromRoot('core-properties', 'docProps/core.xml', '<a>Zycreator</a>'),
  'properties of the program': () => fromRoot('extended-properties', 'docProps/app.xml', '<a>Zycompany</a>'),
  'own properties': () => fromRoot('custom-properties', 'docProps/custom.xml', '<a>Zycustom</a>'),
  'a preview': () => fromRoot('thumbnail', 'docProps/thumbnail.jpeg', jpeg),
  'custom XML': () =>
    deck(
      tree(runs('seen')),
      { 'customXml/item1.xml': '<a>Zyitem</a>' },
      { main: [['r1', 'customXml', '../customXml/item1.xml']] },
    ),
  macros: () => fromMain('vbaProject', 'vbaProject.bin', ole),
  'settings of a printer': () =>
    fromSlide('printerSettings', 'printerSettings1.bin', Buffer.from('Zyprinter', 'utf16le')),
  'a part that nothing points to': () => deck(tree(runs('seen')), { 'ppt/media/Zystray.txt': 'Zystray' }),
  'an XML comment': () => deck(tree(`<!-- Zyremark -->${runs('seen')}`)),
  'an attribute that nobody knows': () =>
    deck(tree('<x:y xmlns:x="urn:x" z="see Zyattribute"/><x:y xmlns:x="urn:x" z="zyattribute"/>')),
  'an element that nobody knows': () => deck(tree('<x:y xmlns:x="urn:x">Zyelement</x:y>')),
  'a picture drawn twice for old programs': () =>
    deck(
      tree(
        `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Fallback>${runs('Zyfallback')}</mc:Fallback></mc:AlternateContent>`,
      ),
    ),
  'a theme': () =>
    fromMain(
      'theme',
      'theme/theme1.xml',
      element('a:theme', '').replace('<a:theme', '<a:theme name="Theme of Zytheme"'),
    ),
  'a digital signature': () => fromRoot('origin', '_xmlsignatures/origin.sigs', 'Zysigned'),
})

test('dates that masters and layouts show as samples are emptied and not counted; those of slides are texts', async () => {
  const field = (type: string, text: string) =>
    `<a:p><a:fld id="{1}" type="${type}"><a:rPr lang="en"/><a:t>${text}</a:t></a:fld></a:p>`
  const texts = field('datetimeFigureOut', '1/27/13') + field('slidenum', '‹#›')
  const master = element('p:sldMaster', tree(texts))
  const file = await deck(
    tree(field('datetime1', '1/27/13')),
    { 'ppt/slideMasters/slideMaster1.xml': master },
    { main: [['r1', 'slideMaster', 'slideMasters/slideMaster1.xml']] },
  )
  const rules = [regexRule('D', '\\d+/\\d+/\\d+')]
  const { output, findings } = await anonymise(call({ input: bufferInput('a.pptx', file), rules }))
  const parts = readZip(await output.read(0, output.size))
  expect(parts.get('ppt/slideMasters/slideMaster1.xml')?.toString()).toContain(texts.replace('1/27/13', ''))
  expect([findings[0]?.count, parts.get('ppt/slides/slide1.xml')?.toString()]).toEqual([
    1,
    expect.stringContaining('[D]'),
  ])
})
