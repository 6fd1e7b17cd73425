import { hidingPlaces } from './hiding.ts'
import { body, book, cache, main, type Parts, row } from './hiding-samples.ts'
import { makeDocx, relationships } from './package.ts'

const linked = (kind: string, name: string, content: string | Uint8Array, more: Parts = {}, cells = row('seen')) =>
  book(`${cells}<drawing r:id="r1"/>`, { [`xl/${name}`]: content, ...more }, { sheet: [['r1', kind, `../${name}`]] })
const inBook = (kind: string, name: string, content: string | Uint8Array, more: Parts = {}) =>
  book(row('seen'), { [`xl/${name}`]: content, ...more }, { main: [['r1', kind, name]] })
const root = (content: string) => `<workbookData xmlns="${main('spreadsheetml')}">${content}</workbookData>`

hidingPlaces('table.xlsx', {
  'a cell': () => book(row('Zycell')),
  'a cell over formats': () => book(row('x').replace('<t>x</t>', '<r><t>Zybro</t></r><r><t>ken</t></r>')),
  'how a cell is read aloud': () =>
    book(row('x').replace('<t>x</t>', '<t>x</t><rPh sb="0" eb="1"><t>Zyreading</t></rPh>')),
  'a literal of a formula': () =>
    book('<sheetData><row r="1"><c r="A1" t="str"><f>"Zyliteral"&amp;B1</f><v>x</v></c></row></sheetData>'),
  'the value of a formula': () =>
    book('<sheetData><row r="1"><c r="A1" t="str"><f>B1</f><v>Zyvalue</v></c></row></sheetData>'),
  'the name of a sheet': () => book(row('seen'), {}, {}, '', 'name="Zysheet"'),
  'a hidden sheet': () => book(row('Zyhidden'), {}, {}, '', 'name="One" state="hidden"'),
  'a sheet that only programs show': () => book(row('Zyhidden'), {}, {}, '', 'name="One" state="veryHidden"'),
  'a shared string': () =>
    book(
      '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>',
      { 'xl/sharedStrings.xml': root('<si><t>Zyshared</t></si>').replaceAll('workbookData', 'sst') },
      { main: [['t1', 'sharedStrings', 'sharedStrings.xml']] },
    ),
  'a shared string that no cell shows': () =>
    book(
      row('seen'),
      { 'xl/sharedStrings.xml': root('<si><t>Zyunused</t></si>').replaceAll('workbookData', 'sst') },
      { main: [['t1', 'sharedStrings', 'sharedStrings.xml']] },
    ),
  'a defined name': () =>
    book(
      row('seen'),
      {},
      {},
      '<definedNames><definedName name="Zyname" comment="Zyremark">"Zydefinition"</definedName></definedNames>',
    ),
  'a header of a page': () => book(`${row('seen')}<headerFooter><oddHeader>&amp;LZyheader</oddHeader></headerFooter>`),
  'a validation': () =>
    book(
      `${row('seen')}<dataValidations><dataValidation prompt="Zyprompt" error="Zyerror"><formula1>"Zyone,Zytwo"</formula1></dataValidation></dataValidations>`,
    ),
  'a conditional format': () =>
    book(
      `${row('seen')}<conditionalFormatting sqref="A1"><cfRule type="containsText" text="Zyrule"><formula>A1="Zyrule"</formula></cfRule></conditionalFormatting>`,
    ),
  'a filter': () =>
    book(
      `${row('seen')}<autoFilter ref="A1"><filterColumn><filters><filter val="Zyfilter"/></filters></filterColumn></autoFilter>`,
    ),
  'an address': () =>
    book(
      `${row('seen')}<hyperlinks><hyperlink ref="A1" r:id="h1" display="Zydisplay" tooltip="Zytooltip"/></hyperlinks>`,
      {},
      { sheet: [['h1', 'hyperlink', 'mailto:zymail@example.com', true]] },
    ),
  'a comment': () =>
    linked(
      'comments',
      'comments1.xml',
      root(
        '<authors><author>Zyauthor</author></authors><comment authorId="0"><text><t>Zycomment</t></text></comment>',
      ).replaceAll('workbookData', 'comments'),
    ),
  'a comment of today': () =>
    linked(
      'threadedComment',
      'threaded1.xml',
      '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1" personId="{1}" id="{2}"><text>Zythread</text></threadedComment></ThreadedComments>',
    ),
  persons: () =>
    inBook(
      'person',
      'persons/person.xml',
      '<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><person displayName="Zyperson" id="{1}" userId="zyuser" providerId="AD"/></personList>',
    ),
  'a drawing for old programs': () =>
    linked(
      'vmlDrawing',
      'drawings/vml1.vml',
      '<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape alt="Zyalt"><v:textbox><div>Zybox</div></v:textbox></v:shape></xml>',
    ),
  'a table': () =>
    linked(
      'table',
      'tables/table1.xml',
      root('<tableColumns><tableColumn name="Zycolumn"/></tableColumns>').replaceAll('workbookData', 'table'),
    ),
  'a pivot cache': () =>
    inBook('pivotCacheDefinition', 'pivotCache/p1.xml', root('<sharedItems><s v="Zypivot"/></sharedItems>')),
  'a link to another workbook': () =>
    inBook('externalLink', 'externalLinks/e1.xml', root('<sheetName val="Zyexternal"/>')),
  'a data connection': () =>
    inBook('connections', 'connections.xml', root('<connection connection="Password=Zypassword"/>')),
  'a map of XML': () => inBook('xmlMaps', 'xmlMaps.xml', '<MapInfo><Map Name="Zymap"/></MapInfo>'),
  'a chart': () =>
    linked('drawing', 'drawings/drawing1.xml', '<d xmlns:r="urn:r"/>', {
      'xl/drawings/_rels/drawing1.xml.rels': relationships([['c1', 'chart', '../charts/chart1.xml']]),
      'xl/charts/chart1.xml': cache,
    }),
  'a document in the workbook': () => linked('package', 'embeddings/file.docx', makeDocx(body('Zydocument'))),
  'a scenario': () => book(`${row('seen')}<scenarios><scenario name="Zyscenario" user="Zyuser"/></scenarios>`),
  'a view of a person': () =>
    book(row('seen'), {}, {}, '<customWorkbookViews><customWorkbookView name="Zyview"/></customWorkbookViews>'),
  'where the file was kept': () =>
    book(
      row('seen'),
      {},
      {},
      '<x15ac:absPath xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac" url="C:\\Users\\Zyuser"/>',
    ),
  properties: () =>
    book(
      row('seen'),
      { 'docProps/core.xml': '<a>Zycreator</a>' },
      { root: [['p1', 'core-properties', 'docProps/core.xml']] },
    ),
})
