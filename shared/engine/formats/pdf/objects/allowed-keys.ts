const stream = 'Length Filter DecodeParms:filter'

/**
 * The entries that each kind of dictionary keeps (PDF 32000-1, tables by kind), each with the kind of the dictionaries
 * that stand behind it; whatever else a dictionary holds is left out. `*` stands for names that the author chose.
 */
const grammar = {
  catalog: `Type Version Pages:pageNode PageLabels:labels PageLayout PageMode ViewerPreferences:viewer Outlines:outline
    StructTreeRoot:structRoot MarkInfo:markInfo Lang OCProperties:layers OutputIntents:intent`,
  pages: 'Type Parent:pageNode Kids:pageNode Count Resources:resources MediaBox CropBox Rotate',
  page: `Type Parent:pageNode Resources:resources MediaBox CropBox BleedBox TrimBox ArtBox Contents:content Rotate
    Group:group StructParents Tabs UserUnit Annots:link`,
  link: 'Type Subtype Rect Border BS:border C F A:address Dest:target',
  border: 'Type W S D',
  content: stream,
  labels: 'Nums:label Kids:labels Limits',
  label: 'Type S P St',
  viewer: `HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction
    ViewArea ViewClip PrintArea PrintClip PrintScaling Duplex PickTrayByPDFSize PrintPageRange NumCopies Enforce`,
  outline:
    'Type Title Parent:outline Prev:outline Next:outline First:outline Last:outline Count Dest:target A:address C F',
  address: 'S URI',
  markInfo: 'Marked Suspects',
  structRoot: 'Type K:structure ParentTree:parentTree ParentTreeNextKey RoleMap:roles',
  structElement: 'Type S P:structure Pg:target K:structure A:attributes C R T Lang Alt E ActualText',
  parentTree: 'Nums:structure Kids:parentTree Limits',
  mark: 'Type Pg:target Stm:shown MCID',
  roles: '*',
  attributes: `O Placement WritingMode BackgroundColor BorderColor BorderStyle BorderThickness Padding Color SpaceBefore
    SpaceAfter StartIndent EndIndent TextIndent TextAlign BBox Width Height BlockAlign InlineAlign TBorderStyle TPadding
    BaselineShift LineHeight TextDecorationColor TextDecorationThickness TextDecorationType RubyAlign RubyPosition
    GlyphOrientationVertical ColumnCount ColumnGap ColumnWidths ListNumbering RowSpan ColSpan Headers Scope Summary
    Role checked Checked Desc`,
  layers: 'OCGs:layer D:layerView Configs:layerView',
  layerView: `Name BaseState ON:layer OFF:layer Intent AS:layerUse Order:layer ListMode RBGroups:layer
    Locked:layer`,
  layerUse: 'Event OCGs:layer Category',
  layer: 'Type Name Intent Usage:usage',
  membership: 'Type OCGs:layer P VE:layer',
  usage: 'Language:usageOf Export:usageOf Print:usageOf View:usageOf Zoom:usageOf PageElement:usageOf',
  usageOf: 'Lang Preferred ExportState Subtype PrintState ViewState min max',
  intent: 'Type S OutputCondition OutputConditionIdentifier RegistryName Info DestOutputProfile:profile',
  resources: `ExtGState:graphicsStates ColorSpace:colourSpaces Pattern:patterns Shading:shadings XObject:xobjects
    Font:fonts Properties:properties ProcSet`,
  graphicsStates: '*:graphicsState',
  graphicsState: `Type LW LC LJ ML D RI OP op OPM Font:font BG:function BG2:function UCR:function UCR2:function
    TR:function TR2:function FL SM SA BM SMask:softMask CA ca AIS TK UseBlackPtComp`,
  softMask: 'Type S G:xobject BC TR:function',
  colourSpaces: '*:colour',
  colourData: 'WhitePoint BlackPoint Gamma Matrix Range Subtype Colorants:colourSpaces Process:process',
  process: 'ColorSpace:colour Components',
  profile: `N Alternate:colour Range ${stream}`,
  data: stream,
  function: `FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Functions:function Bounds
    ${stream}`,
  shadings: '*:shading',
  shading: `ShadingType ColorSpace:colour Background BBox AntiAlias Domain Matrix Function:function Coords Extend
    BitsPerCoordinate BitsPerComponent BitsPerFlag Decode VerticesPerRow ${stream}`,
  patterns: '*:pattern',
  shadingPattern: 'Type PatternType Shading:shading Matrix ExtGState:graphicsState',
  tiling: `Type PatternType PaintType TilingType BBox XStep YStep Resources:resources Matrix ${stream}`,
  xobjects: '*:xobject',
  form: `Type Subtype FormType BBox Matrix Resources:resources Group:group StructParent StructParents OC:optional
    ${stream}`,
  group: 'Type S CS:colour I K',
  image: `Type Subtype Width Height ColorSpace:colour BitsPerComponent Intent ImageMask Mask:image Decode Interpolate
    SMask:image SMaskInData StructParent OC:optional Matte ${stream}`,
  fonts: '*:font',
  font: `Type Subtype BaseFont FirstChar LastChar Widths FontDescriptor:descriptor Encoding:encoding ToUnicode:cmap
    DescendantFonts:font CIDSystemInfo:collection DW W DW2 W2 CIDToGIDMap:data FontBBox FontMatrix CharProcs:glyphs
    Resources:resources`,
  encoding: 'Type BaseEncoding Differences',
  cmap: `Type CMapName CIDSystemInfo:collection WMode UseCMap:cmap ${stream}`,
  collection: 'Registry Ordering Supplement',
  descriptor: `Type FontName Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth
    MaxWidth MissingWidth FontFile:program FontFile2:program FontFile3:program CIDSet:data FontFamily FontStretch FontWeight`,
  program: `Length1 Length2 Length3 Subtype ${stream}`,
  glyphs: '*:glyph',
  glyph: stream,
  properties: '*:property',
  marked: 'Type MCID ActualText Alt E Lang Subtype Attached BBox',
  filter: `Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1
    DamagedRowsBeforeError JBIG2Globals:data ColorTransform`,
} as const

/** Kinds that a dictionary tells by itself, of those that may stand in one place. */
type Choice = 'pageNode' | 'structure' | 'optional' | 'colour' | 'pattern' | 'xobject' | 'property' | 'target' | 'shown'

/** What a dictionary is where it stands. */
export type Kind = keyof typeof grammar

/** What may stand in one place. */
export type Expectation = Kind | Choice

/** What a kind of dictionary keeps: its entries, and behind each what is expected there. */
export type Entries = { all: boolean; under: ReadonlyMap<string, Expectation | undefined>; rest?: Expectation }

const parse = (text: string): Entries => {
  const pairs = text
    .trim()
    .split(/\s+/)
    .map(word => word.split(':') as [string, Expectation | undefined])
  const under = new Map(pairs)
  return { all: under.has('*'), under, rest: under.get('*') }
}

/** The entries of each kind. */
export const entriesOf = Object.fromEntries(
  Object.entries(grammar).map(([kind, text]) => [kind, parse(text)]),
) as Record<Kind, Entries>

/** What a dictionary says of itself. */
export type Traits = { has(key: string): boolean; name(key: string): string | undefined; isStream: boolean }

const choices: Record<Choice, (dict: Traits) => Kind | undefined> = {
  pageNode: dict => (dict.has('Kids') || dict.name('Type') === 'Pages' ? 'pages' : 'page'),
  structure: dict => {
    const type = dict.name('Type')
    if (type === 'OBJR') return undefined
    return type === 'MCR' ? 'mark' : type === 'StructTreeRoot' ? 'structRoot' : 'structElement'
  },
  optional: dict => (dict.name('Type') === 'OCMD' ? 'membership' : 'layer'),
  colour: dict => {
    if (dict.has('FunctionType')) return 'function'
    return dict.isStream ? (dict.has('N') ? 'profile' : 'data') : 'colourData'
  },
  pattern: dict => (dict.isStream ? 'tiling' : 'shadingPattern'),
  xobject: dict => {
    const subtype = dict.name('Subtype')
    return subtype === 'Form' ? 'form' : subtype === 'Image' ? 'image' : undefined
  },
  property: dict => {
    const type = dict.name('Type')
    return type === 'OCMD' ? 'membership' : type === 'OCG' ? 'layer' : 'marked'
  },
  // They lead elsewhere: what they lead to stays for other reasons or not at all.
  target: () => undefined,
  shown: () => undefined,
}

/** The kind of a dictionary that stands where something is expected; undefined for what must not stand there. */
export const kindOf = (expected: Expectation, dict: Traits): Kind | undefined => {
  if (expected === 'encoding' && dict.isStream) return 'cmap'
  return expected in choices ? choices[expected as Choice](dict) : (expected as Kind)
}
