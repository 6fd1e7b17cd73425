const words = (text: string): string[] => text.trim().split(/\s+/)

/** Names that the format itself defines (PDF 32000-1 and the extensions in use): they say nothing of a document. */
const defined = words(`
  A85 AA ABCpdf AC ADBE AESV2 AESV3 AF AFRelationship AHx AIS AN AP APRef AS ASCII85Decode ASCIIHexDecode AcroForm
  Action ActualText Adobe AfterPermsReady AllOff AllOn AllPages Alpha Alphabetic AlphaNum Alt Alternate Alternates
  AlternatePresentations Angle AnimationStyle Annot Annotation Annots AntiAlias Any AnyOff AnyOn App ArtBox Artifact
  Art Ascent Attestation Attached AttachedPM Author Auto AvgWidth B BBox BC BE BG BG2 BM BS BaseEncoding BaseFont
  BaseState BaseVersion Background BackgroundColor BarcodePlaintext Base BeforeAll Bead Bitstream BibEntry BlackIs1
  BlackPoint BleedBox Block BlockAlign BlockQuote Blinds Border BorderColor BorderStyle BorderThickness Both Bounds Box
  Btn ByteRange Bl CA CF CFM CIDFontType0 CIDFontType0C CIDFontType2 CIDInit CIDSet CIDSystemInfo CIDToGIDMap CMap
  CMapName CMapType CMYK CO CP CS CV CA CalCMYK CalGray CalRGB Cap CapHeight Caption Caret Catalog CCF CCITTFaxDecode
  CenterWindow Center Ch CharProcs CharSet Circle ClassMap Code Collection CollectionField CollectionItem CollectionSort
  CollectionSubitem Color Color1 ColorBurn ColorDodge ColorSpace ColorTransform ColorType Colorants Colors ColSpan
  Column ColumnCount ColumnGap Columns ColumnWidth Comment CommentURL Compatible Components Confidential Contents
  Content Coords Copyright Count Cover CreationDate Creator CreatorInfo CropBox CropRect Crypt CryptFilter
  CryptFilterDecodeParms CurStm Custom DA DCT DCTDecode DL DP DR DS DV DW DW2 DamagedRowsBeforeError Darken Dashed Data
  Date Decimal Decode DecodeParms Default DefaultCMYK DefaultForPrinting DefaultGray DefaultRGB Delete Delta Departmental
  Desc DescendantFonts Descent Dest DestOutputProfile DestOutputProfileRef Dests DeviceCMYK DeviceColorant DeviceGray
  DeviceN DeviceNAttrs DeviceRGB DeveloperExtensions Diamond Difference Differences DigestLocation DigestMethod
  DigestValue Dimensions Direction DisplayDocTitle Dissolve Distribute Div DocMDP DocOpen Document Domain DotGain Dotted
  Double Draft Duplex DuplexFlipLongEdge DuplexFlipShortEdge Dur EF EFF EFOpen ETSI EarlyChange EmbeddedFile
  EmbeddedFiles Encode EncodedByteAlign Encoding Encrypt EncryptMetadata End EndIndent EndOfBlock EndOfLine Endnote
  Exclude Exclusion Event ExData Experimental Expired Exponential Export ExportState ExtGState Extend Extends
  ExtensionLevel Extensions ExternalRefXobjects External FB FD FDF FDecodeParms FFilter FL FT FXOAA Fade False Ff Fields
  Figure FileAttachment FileSpec Filespec Filter Final First FirstChar FirstPage Fit FitB FitBH FitBV FitH FitR FitV
  FitWindow FixedPrint Fixed Flags FlateDecode Fly Font FontAuto FontBBox FontDescriptor FontFamily FontFauxing FontFile
  FontFile2 FontFile3 FontMatrix FontName FontStretch FontWeight Footer ForComment Form FormEx FormType Formula Forms
  FreeText FreeTextCallout FreeTextTypeWriter Frequency FullSave FullScreen Function FunctionType Functions GTS_PDFA1
  GTS_PDFE1 GTS_PDFX GTS_PDFXConformance GTS_PDFXVersion Gamma Glitter GoTo GoTo3DView GoToE GoToR Graph Gray Groove Group
  H1 H2 H3 H4 H5 H6 HT HTP Halftone HalftoneName HalftoneType HardLight HeaderRow Header Headers Height Height2 Help
  Hidden Hide HideMenubar HideToolbar HideWindowUI Highlight Hue ICCBased IDS IDTree IRT IX Icon Identity Identity-H
  Identity-V Image ImageB ImageC ImageI ImageMask Import ImportData InclusiveFormula Include Index Indexed Info Ink
  InkList Inline InlineAlign Inset Intent InterPolate Interpolate InvertedDouble InvertedDoubleDot InvertedEllipseA
  InvertedEllipseC InvertedSimpleDot Invisible IssuerCert ItalicAngle JBIG2Decode JBIG2Globals JPXDecode JS JavaScript
  Justify Key Keys Keyword Keywords Kids L2R LBody LE LI LL LLE LLO LW LZW LZWDecode Lab Landscape Lang Language Last
  LastChar LastModified LastPage Launch Layout LC Lbl Leading Legal Length Length1 Length2 Length3 Level1 Lighten Limits
  Line LineDouble LineEmphasis LineHeight LineThrough LineX LineY Linearized Link ListMode ListNumbering Lock Locked
  LockedContents LowerAlpha LowerRoman Luminosity Luminosity MCD MCID MCR MDP MK MMType1 MN MacExpertEncoding
  MacRomanEncoding Mac MarkInfo MarkStyle Marked Mask Matrix Matte MaxLen MaxWidth Max Measure MediaBox MediaClip
  MediaPlayers Metadata MissingWidth Mix ModDate Modify Movie MovieActions Msg Multiply NM NChannel Named NavNode Name
  Names NeedAppearances NeedsRendering NewParagraph NewWindow Next NextPage NoView NonEFontNoWarn NonFullScreenPageMode
  NonStruct Normal NotApproved NotForPublicRelease Note NumCopies NumberFormat Numeral Nums OBJR OC OCG OCGs OCMD
  OCProperties OFF OID ON OPI OPM ObjStm Off OneColumn Oneway Opaque Open OpenAction OpenArea OpenType Optional
  OptionalContent Order Ordering Origin Orientation Outlines OutputCondition OutputConditionIdentifier OutputIntent
  OutputIntents Outset Overlay Overprint PCM PDF PDFDocEncoding PNG PROTECTION PS PSAttribute Padding Page PageElement
  PageLabel PageLabels PageLayout PageMode Pages Pagination PaintType Panose Paperclip Para Paragraph Parent ParentTree
  ParentTreeNextKey Part Pattern PatternType Percent Perceptual Perms PickTrayByPDFSize PieceInfo Placement Polygon
  PolygonCloud PolygonDimension PolyLine PolyLineDimension Popup Portrait Position Predictor PreRelease PresSteps
  PreserveRB Prev PrevPage Preview Print PrintArea PrintClip PrintPageRange PrintScaling PrintState Printed Private
  ProcSet Producer Prop Properties Proportional Push PushPin QuadPoints Quote RBGroups RC RGB RI RL RV R2L Range
  Reason Redact Ref Reference RegistryName Registry RelativeColorimetric Rename Rendition Renditions RenderingIntent
  ReplaceHD Required Requirements ResetForm Resources Rhombus Rich RichMedia Ridge RoleMap Role Root Rotate Rotated Row
  RowSpan Rows Rubi Ruby RunLengthDecode RP RT SA SMask SMaskInData STAMP SV Saturation Schema Scope Screen Sect
  Separation SeparationColorNames SeparationInfo Set SetOCGState Shading ShadingType Short Sig SigFieldLock SigFlags SigRef
  Signature SimpleDot SinglePage Size Slash Smpte Sold SoftLight Solid Sound SourcePDF SpaceAfter SpaceBefore Span Speaker
  SpiderInfo Split SpotFunction Square Squiggly StandardEncoding Stamp Standard Start StartIndent StartResource State
  StateModel Status StemH StemV StmF StmOwn StrF StrikeOut StringF StructElem StructParent StructParents StructTreeRoot
  Style SubFilter SubType Subject SubmitForm SubpageName Subsample Substitute Subtype Summary SummaryView Supplement
  Suspect Suspects Sy Synchronous TBody TFoot THead TOC TOCI TOI TPL TR TR2 TU TableColumn Table Tabs Tag Template Test
  Text TextAlign TextDecorationColor TextDecorationThickness TextDecorationType TextIndent Thread Threads Thumb TilingType
  TimeStamp Title Toggle ToUnicode TopSecret Top Trans TransformMethod TransformParams Transparency TrapNet TrapRegions
  TrapStyles Trapped TrimBox True TrueType TwoColumnLeft TwoColumnRight TwoPageLeft TwoPageRight Type Type0 Type1 Type1C
  Type3 URIActions URLS Unchanged Uncover Underline Unix Unknown Unspecified UpperAlpha UpperRoman Usage UseAttachments
  UseBlackPtComp UseCMap UseNone UseOC UseOutlines UseThumbs User UserProperties UserUnit VERSION VeriSign VeriSignPPKVS
  Version Vertices View ViewArea ViewClip ViewerPreferences ViewState Viewport Visible VisiblePages WMode Warichu
  Watermark WhitePoint Widget Width Width2 Widths Win WinAnsiEncoding Window Wipe WritingMode XFA XHeight XML XObject XRef
  XRefStm XSquare XStep XUID XYZ XAllOff YSquare YStep Yes Zoom deflate
  Helvetica Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic
  Courier Courier-Bold Courier-Oblique Courier-BoldOblique Symbol ZapfDingbats UCS Adobe-Identity-UCS
  AnonymisedLabel Tx Black Cyan Magenta Yellow None Red Green Blue`)

/** Words of the format's syntax that stand without a slash. */
export const keywords: ReadonlySet<string> = new Set(
  words(`obj endobj CMapName stream endstream xref startxref trailer true false null begincmap endcmap usecmap dict dup begin
    findresource defineresource currentdict beginbfchar endbfchar beginbfrange endbfrange begincodespacerange
    endcodespacerange begincidrange endcidrange begincidchar endcidchar beginnotdefrange endnotdefrange`),
)

/** Whether a name belongs to the format. */
export const isDefined: (name: string) => boolean = (
  set => (name: string) =>
    set.has(name)
)(new Set(defined))
