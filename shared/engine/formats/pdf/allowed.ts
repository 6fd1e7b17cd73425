const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const stream = 'Length Filter DecodeParms'

/** The entries that each kind of dictionary keeps; whatever else it holds is left out (PDF 32000-1, tables by kind). */
export const allowed = {
  catalog: words(`Type Version Pages PageLabels PageLayout PageMode ViewerPreferences Outlines StructTreeRoot MarkInfo
    Lang OCProperties OutputIntents`),
  pages: words('Type Parent Kids Count Resources MediaBox CropBox Rotate'),
  page: words(`Type Parent Resources MediaBox CropBox BleedBox TrimBox ArtBox Contents Rotate Group StructParents Tabs
    UserUnit`),
  outline: words('Title Parent Prev Next First Last Count Dest C F'),
  structRoot: words('Type K ParentTree ParentTreeNextKey RoleMap'),
  structElement: words('Type S P Pg K A C R Title T Lang Alt E ActualText'),
  image: words(`Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask
    SMaskInData StructParent OC Matte ${stream}`),
  form: words(`Type Subtype FormType BBox Matrix Resources Group StructParent StructParents OC ${stream}`),
  font: words(`Type Subtype BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts
    CIDSystemInfo DW W DW2 W2 CIDToGIDMap FontBBox FontMatrix CharProcs Resources`),
  descriptor: words(`Type FontName Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH
    AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 CIDSet FontStretch FontWeight`),
} as const

/** Entries that no dictionary keeps: history, software's own data, actions, files, previews, alternatives. */
export const forbidden = words(`Metadata PieceInfo LastModified AF AA OpenAction Thumb JS JavaScript EF EmbeddedFiles
  RichMediaContent RC RV XFA AcroForm Annots Collection Threads B SpiderInfo Perms DSS Legal OPI Alternates Ref Measure
  VP PtData CharSet FontFamily CreatorInfo Private Requirements URLS SigFlags`)

/** Strings under these entries are no text: they choose character collections. */
export const technical = words('CIDSystemInfo Indexed Registry Ordering')

/** Entries whose strings people read aloud or look at, for the place in a report. */
export const spokenKeys = words('Alt ActualText E T')
