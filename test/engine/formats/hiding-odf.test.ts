import { hidingPlaces } from './hiding.ts'
import { body as wordBody } from './hiding-samples.ts'
import { makeDocx, makeOdf } from './package.ts'

type Parts = Record<string, string | Uint8Array>

const p = (text: string) => `<text:p>${text}</text:p>`
const oasis = 'urn:oasis:names:tc:opendocument:xmlns:'
const part = (name: string, content: string) =>
  `<office:${name} xmlns:office="${oasis}office:1.0" xmlns:text="${oasis}text:1.0" xmlns:style="${oasis}style:1.0" xmlns:config="${oasis}config:1.0" xmlns:meta="${oasis}meta:1.0" xmlns:draw="${oasis}drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">${content}</office:${name}>`
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('tEXtTitle\0Zypreview')])

/** What texts, presentations and spreadsheets alike may hide. `seen` is content that shows something harmless. */
const everyKind = (kind: string, seen: (more?: string) => string) => {
  const make = (more = '', parts: Parts = {}) => makeOdf(kind, seen(more), parts)
  const object = (content: string) => ({
    'Object 1/content.xml': part('document-content', `<office:body>${content}</office:body>`),
  })
  const frame = (href: string) =>
    `<draw:frame><draw:object xlink:href="${href}"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>`
  return {
    properties: () => make('', { 'meta.xml': part('document-meta', '<meta:user-defined>Zymeta</meta:user-defined>') }),
    'a preview': () => make('', { 'Thumbnails/thumbnail.png': png }),
    'a setting': () =>
      make('', {
        'settings.xml': part(
          'document-settings',
          '<config:config-item config:name="PrinterName">Zyprinter</config:config-item><config:config-item config:name="Other">a Zysetting</config:config-item>',
        ),
      }),
    'which table is open': () =>
      make('', {
        'settings.xml': part(
          'document-settings',
          '<config:config-item-map-named config:name="Tables"><config:config-item-map-entry config:name="Zytable"><config:config-item config:name="CursorPositionX">1</config:config-item></config:config-item-map-entry></config:config-item-map-named><config:config-item config:name="ActiveTable">Zyopen</config:config-item>',
        ),
      }),
    'a page style': () =>
      make('', { 'styles.xml': part('document-styles', `<style:header>${p('Zyheader')}</style:header>`) }),
    'the name of a style': () =>
      make('', {
        'styles.xml': part('document-styles', '<style:style style:name="Zystyle" style:display-name="The Zystyle"/>'),
      }),
    'an embedded object': () => make(frame('./Object 1'), object(p('Zyobject'))),
    'an embedded object as Microsoft Office names it': () => make(frame('Object 1/'), object(p('Zyobject'))),
    'a picture as Microsoft Office names it': () =>
      make('<draw:image xlink:href="media/Zyphoto.svm"/>', { 'media/Zyphoto.svm': 'Zyimage' }),
    'the picture of an embedded object': () =>
      make(frame('./Object 1'), { ...object(p('x')), 'ObjectReplacements/Object 1': 'Zyreplacement' }),
    'a binary object': () => make(frame('./Object 2'), { 'Object 2': Buffer.from('Zybinary', 'utf16le') }),
    'a document of another kind': () => make(frame('./Object 3'), { 'Object 3': makeDocx(wordBody('Zyother')) }),
    macros: () => make('', { 'Basic/Standard/Module1.xml': '<a>Zymacro</a>' }),
    'a script': () => make('', { 'Scripts/python/Zyscript.py': 'Zyscript' }),
    'a signature': () => make('', { 'META-INF/documentsignatures.xml': '<a>Zysigner</a>' }),
    'an own menu': () => make('', { 'Configurations2/menubar/m.xml': '<a>Zymenu</a>' }),
    'a description of the package': () => make('', { 'manifest.rdf': '<a>Zyrdf</a>' }),
    'a part that nothing names': () => make('', { 'Zystray.bin': 'Zystray' }),
    'a picture that nothing reads': () =>
      make('<draw:image xlink:href="Pictures/a.svm"/>', { 'Pictures/a.svm': 'Zyimage' }),
    'the name of a picture': () =>
      make('<draw:image xlink:href="Pictures/Zyphoto.svm"/>', { 'Pictures/Zyphoto.svm': 'x' }),
    'an annotation': () =>
      make(
        p(
          'a<office:annotation><dc:creator>Zycreator</dc:creator><meta:creator-initials>Zyi</meta:creator-initials><text:p>Zyannotation</text:p></office:annotation>',
        ),
      ),
    'an alternative text': () =>
      make(
        '<draw:frame draw:name="Zyframe"><svg:title xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">Zytitle</svg:title><svg:desc xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">Zydesc</svg:desc></draw:frame>',
      ),
    'an address': () => make(p('<text:a xlink:href="https://zyhost.example/%5aypath" office:name="Zylink">x</text:a>')),
    'an XML comment': () => make('<!-- Zyremark -->'),
    'an attribute that nobody knows': () => make('<x:y xmlns:x="urn:x" z="zyattribute" n="see Zyother"/>'),
    'an element that nobody knows': () => make('<x:y xmlns:x="urn:x">Zyelement</x:y>'),
    'a form': () =>
      make(
        '<form:form xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" form:name="Zyform"><form:text form:current-value="Zyvalue" form:label="Zylabel"/></form:form>',
      ),
  }
}

hidingPlaces('letter.odt', {
  ...everyKind('text', (more = '') => p('seen') + more),
  'a paragraph over spans': () => makeOdf('text', p('Zybro<text:span>ken</text:span>')),
  'changes that are tracked': () =>
    makeOdf(
      'text',
      `<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Zyeditor</dc:creator></office:change-info>${p('Zydeleted')}</text:deletion></text:changed-region></text:tracked-changes>${p('seen')}`,
    ),
  'a hidden section': () =>
    makeOdf('text', `<text:section text:name="Zysection" text:display="none">${p('Zyhidden')}</text:section>`),
  'hidden text': () => makeOdf('text', p('<text:hidden-text text:condition="x" text:string-value="Zyhidden"/>seen')),
  'a hidden paragraph': () => makeOdf('text', p('<text:hidden-paragraph text:condition="a Zycondition"/>seen')),
  'a note': () => makeOdf('text', p(`a<text:note><text:note-body>${p('Zynote')}</text:note-body></text:note>`)),
  'a bookmark': () => makeOdf('text', p('<text:bookmark text:name="Zybookmark"/>a')),
  'a variable': () =>
    makeOdf(
      'text',
      '<text:variable-decls><text:variable-decl text:name="Zyvariable"/></text:variable-decls><text:user-field-decls><text:user-field-decl text:name="u" office:string-value="Zyfield"/></text:user-field-decls>',
    ),
  'an entry of an index': () =>
    makeOdf('text', p('<text:alphabetical-index-mark text:string-value="Zyindex" text:key1="Zykey"/>a')),
  'a field of a database': () =>
    makeOdf(
      'text',
      p(
        '<text:database-display text:table-name="Zytable" text:column-name="Zycolumn" text:database-name="Zydatabase"/>a',
      ),
    ),
  'a placeholder': () =>
    makeOdf('text', p('<text:placeholder text:description="Zyplaceholder">Zyshown</text:placeholder>')),
  'the name of a font': () =>
    makeOdf('text', p('seen'), {
      'styles.xml': part(
        'document-styles',
        '<style:font-face style:name="Zyfont" svg:font-family="&apos;Zyfont&apos;" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"/>',
      ),
    }),
  'a reading aid': () =>
    makeOdf(
      'text',
      p('<text:ruby><text:ruby-base>a</text:ruby-base><text:ruby-text>Zyruby</text:ruby-text></text:ruby>'),
    ),
})

hidingPlaces('talk.odp', {
  ...everyKind(
    'presentation',
    (more = '') =>
      `<draw:page draw:name="one"><draw:frame><draw:text-box>${p('seen')}${more}</draw:text-box></draw:frame></draw:page>`,
  ),
  'the name of a slide': () => makeOdf('presentation', `<draw:page draw:name="Zyslide">${p('seen')}</draw:page>`),
  notes: () =>
    makeOdf(
      'presentation',
      `<draw:page><presentation:notes xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0">${p('Zynotes')}</presentation:notes></draw:page>`,
    ),
  'a hidden slide': () =>
    makeOdf(
      'presentation',
      `<draw:page draw:style-name="dp2" presentation:visibility="hidden" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0">${p('Zyhidden')}</draw:page>`,
    ),
  'a footer': () =>
    makeOdf(
      'presentation',
      `<presentation:footer-decl xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" presentation:name="ftr1">Zyfooter</presentation:footer-decl>`,
    ),
  'a show': () =>
    makeOdf(
      'presentation',
      '<presentation:settings xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"><presentation:show presentation:name="Zyshow" presentation:pages="one,Zytwo"/></presentation:settings>',
    ),
})

const table = (rows: string, attributes = 'table:name="S"', after = '') =>
  `<table:table ${attributes}>${rows}</table:table>${after}`
const cell = (text: string, attributes = '') =>
  `<table:table-row><table:table-cell office:value-type="string" ${attributes}>${p(text)}</table:table-cell></table:table-row>`

hidingPlaces('table.ods', {
  ...everyKind('spreadsheet', (more = '') => table(`${cell('seen')}<table:shapes>${more}</table:shapes>`)),
  'a cell': () => makeOdf('spreadsheet', table(cell('Zycell'))),
  'the value behind a cell': () => makeOdf('spreadsheet', table(cell('x', 'office:string-value="Zyvalue"'))),
  'a formula': () => makeOdf('spreadsheet', table(cell('x', 'table:formula="of:=&quot;Zyliteral&quot;"'))),
  'the name of a sheet': () => makeOdf('spreadsheet', table(cell('x'), 'table:name="Zysheet"')),
  'a hidden sheet': () => makeOdf('spreadsheet', table(cell('Zyhidden'), 'table:name="S" table:display="false"')),
  'a hidden row': () =>
    makeOdf(
      'spreadsheet',
      table(cell('Zyhidden').replace('<table:table-row', '<table:table-row table:visibility="collapse"')),
    ),
  'a validation': () =>
    makeOdf(
      'spreadsheet',
      `<table:content-validations><table:content-validation table:name="v" table:condition="cell-content-is-in-list(&quot;Zyone&quot;)"><table:help-message table:title="Zytitle">${p('Zyhelp')}</table:help-message></table:content-validation></table:content-validations>${table(cell('x'))}`,
    ),
  'a named range': () =>
    makeOdf(
      'spreadsheet',
      table(
        cell('x'),
        undefined,
        '<table:named-expressions><table:named-range table:name="Zyrange" table:cell-range-address="$Zysheet.$A$1"/></table:named-expressions>',
      ),
    ),
  'a filter': () =>
    makeOdf(
      'spreadsheet',
      table(
        cell('x'),
        undefined,
        '<table:database-ranges><table:database-range table:name="Zydatabase"><table:filter><table:filter-condition table:value="Zyfilter"/></table:filter></table:database-range></table:database-ranges>',
      ),
    ),
  'a pivot table': () =>
    makeOdf(
      'spreadsheet',
      table(
        cell('x'),
        undefined,
        '<table:data-pilot-tables><table:data-pilot-table table:name="Zypivot"/></table:data-pilot-tables>',
      ),
    ),
  'a scenario': () => makeOdf('spreadsheet', table(`<table:scenario table:comment="Zyscenario"/>${cell('x')}`)),
  'tracked changes': () =>
    makeOdf(
      'spreadsheet',
      `<table:tracked-changes><table:cell-content-change><dc:creator>Zyeditor</dc:creator>${p('Zybefore')}</table:cell-content-change></table:tracked-changes>${table(cell('x'))}`,
    ),
  'a link to another file': () =>
    makeOdf('spreadsheet', table(`<table:table-source xlink:href="file:///home/zyuser/a.ods"/>${cell('x')}`)),
})
