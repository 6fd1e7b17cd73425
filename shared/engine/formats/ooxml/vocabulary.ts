const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Elements whose runs are read as one text. */
const paragraphs = words('w:p w:rt a:p s:text')

/** Of those, the ones that stand inside of another and are no part of its text. */
export const asides = words('w:rt')

/** Elements that hold a paragraph's characters. */
const texts = words('w:t a:t m:t s:t')

/** Of those, the ones that need `xml:space` to keep blanks at their edges. */
const spaced = words('w:t m:t s:t')

/** Elements that stand for characters, or merely interrupt a word. */
export const marks: ReadonlyMap<string, string> = new Map([
  ['w:tab', '\t'],
  ['w:ptab', '\t'],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['a:br', '\n'],
  ['w:noBreakHyphen', '-'],
  ['w:softHyphen', ''],
  ['w:sym', ''],
])

const fontsOfSymbols = /symbol|dings?\b|wingdings|marlett|mt extra|monotype sorts/i

/** The character that Word writes as that of a font (`w:sym`); nothing where the font has other signs for the characters. */
export function symbolText(font: string, char: string): string {
  const code = Number.parseInt(char, 16)
  if (fontsOfSymbols.test(font) || !(code >= 0x20 && code <= 0xffff)) return ''
  return String.fromCharCode(code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code)
}

/** Wrappers of accepted changes: their tags go, their content stays. */
const unwrapped = words('w:ins w:moveTo')

/**
 * Elements left out with all they hold: rejected text and the record of changes, what points outside of the file or
 * into parts that are left out, and what identifies people, machines and places.
 */
const droppedElements = words(`
  w:del w:moveFrom w:rPrChange w:pPrChange w:sectPrChange w:tblPrChange w:tblPrExChange w:tblGridChange w:trPrChange
  w:tcPrChange w:numberingChange w:cellIns w:cellDel w:cellMerge w:moveFromRangeStart w:moveFromRangeEnd
  w:moveToRangeStart w:moveToRangeEnd w:customXmlInsRangeStart w:customXmlInsRangeEnd w:customXmlDelRangeStart
  w:customXmlDelRangeEnd w:customXmlMoveFromRangeStart w:customXmlMoveFromRangeEnd w:customXmlMoveToRangeStart
  w:customXmlMoveToRangeEnd w:docVars w:rsids w:attachedTemplate w:mailMerge w:dataBinding w15:dataBinding
  w:saveThroughXslt w:attachedSchema w:schemaLibrary w:proofErr w14:conflictIns w14:conflictDel w:fldData
  p:custDataLst p:smartTags
  s:fileSharing s:customWorkbookViews s:customSheetViews s:pivotCaches s:externalReferences s:controls
  s:webPublishItems s:webPublishing s:smartTags s:smartTagPr s:smartTagTypes s:customProperties s:scenarios
  s:dataConsolidate s:xmlColumnPr s:calcPr
  ?:absPath ?:revisionPtr ?:docId`)

/** What the report calls the more telling of them. */
export const droppedNames: Record<string, string> = {
  'w:del': 'deleted text',
  'w:moveFrom': 'deleted text',
  'w:docVars': 'document variables',
  'w:rsids': 'editing sessions',
  'w:attachedTemplate': 'template links',
  'w:mailMerge': 'mail-merge settings',
  'w:fldData': 'data of fields',
  's:fileSharing': 'names of people',
  's:customWorkbookViews': 'names of people',
  's:pivotCaches': 'pivot tables',
  's:externalReferences': 'external links',
  's:controls': 'form controls',
  's:scenarios': 'scenarios',
}

/** When an element goes because what it points to has gone, the ancestor that would be left without a sense. */
export const carriers = words('p:graphicFrame w:tr s:ext a:ext p:ext c:ext w:altChunk s:oleObjects')

/** What elements are to the reader of a part. */
export type ElementRole = {
  isParagraph: boolean
  isAside: boolean
  isText: boolean
  isSpaced: boolean
  isUnwrapped: boolean
  isDropped: boolean
  /** The characters that it stands for. */
  mark?: string
}

const roleFor = (name: string): ElementRole => ({
  isParagraph: paragraphs.has(name),
  isAside: asides.has(name),
  isText: texts.has(name),
  isSpaced: spaced.has(name),
  isUnwrapped: unwrapped.has(name),
  isDropped: droppedElements.has(name),
  mark: marks.get(name),
})

const roles = new Map(
  [paragraphs, asides, texts, spaced, new Set(marks.keys()), unwrapped, droppedElements].flatMap(names =>
    [...names].map(name => [name, roleFor(name)] as const),
  ),
)
const noRole = roleFor('')

/** The role of elements of a name, told by one look. */
export const roleOf = (name: string): ElementRole => roles.get(name) ?? noRole

const formulas = words(`
  s:f s:formula s:formula1 s:formula2 s:calculatedColumnFormula s:totalsRowFormula s:definedName xm:f c:f cx:f x14:formula`)

/** Whether the text of an element is a formula. */
export const isFormula = (element: string): boolean => formulas.has(element)

/** Prefixes of vocabularies whose bare numbers and keywords between tags are measures and switches. */
export const measuring = words('wp wp14 xdr x cdr p p14 p15 dgm x14 w10')

/** Kinds of relationship whose parts are read, treated and kept. Everything else is left out. */
export const keptRelationships = words(`
  officeDocument header footer footnotes endnotes comments commentsExtended commentsIds styles stylesWithEffects
  stylesWithtEffects fontTable numbering settings theme themeOverride image hyperlink chart chartEx chartUserShapes
  chartStyle chartColorStyle diagramData diagramLayout diagramQuickStyle diagramColors diagramDrawing slide
  slideLayout slideMaster notesSlide notesMaster handoutMaster presProps viewProps tableStyles commentAuthors authors
  worksheet chartsheet sharedStrings table drawing vmlDrawing package aFChunk sheetMetadata threadedComment person`)

/** Parts that are left out by the kinds of their relationships, by what the report calls them. */
const dropped = {
  macros: 'vbaProject wordVbaData xlMacrosheet xlIntlMacrosheet dialogsheet attachedToolbars keyMapCustomizations',
  previews: 'thumbnail',
  properties: 'core-properties extended-properties extendedProperties custom-properties customProperty tags',
  'custom XML': 'customXml customXmlProps customData',
  'printer settings': 'printerSettings',
  'embedded objects': 'oleObject',
  'form controls': 'control ctrlProp activeXControlBinary',
  'template links': 'attachedTemplate',
  signatures: 'origin signature',
  'external links': 'externalLink externalLinkPath externalLinkLongPath frame subDocument',
  'pivot tables': 'pivotTable pivotCacheDefinition pivotCacheRecords',
  slicers: 'slicer slicerCache timeline timelineCache',
  'data connections': 'connections queryTable volatileDependencies',
  'data models': 'powerPivotData',
  'data types': 'rdRichValue rdRichValueStructure rdRichValueTypes rdSupportingPropertyBag richStyles',
  'XML maps': 'xmlMaps tableSingleCells',
  'change history': 'revisionHeaders revisionLog',
  'names of people': 'usernames people',
  'dates of comments': 'commentsExtensible',
  tasks: 'documenttasks',
  'building blocks': 'glossaryDocument',
  'embedded fonts': 'font',
  'calculation order': 'calcChain',
  media: 'video audio media model3d',
  'mail-merge settings': 'mailMergeSource mailMergeHeaderSource recipientData',
  'settings of web pages': 'webSettings htmlPubSaveAs',
  'settings of the ribbon': 'extensibility userCustomization',
  'add-ins': 'webextension webextensiontaskpanes',
}

/** What the report calls a part that is left out, by the kind of its relationship. */
export const droppedRelationships: ReadonlyMap<string, string> = new Map(
  Object.entries(dropped).flatMap(([what, kinds]) => [...words(kinds)].map(kind => [kind, what])),
)
