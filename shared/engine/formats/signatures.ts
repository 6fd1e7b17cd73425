/** What a file is by its bytes, and what to do with it instead. */
export type Signature = {
  /** What stands at `at` (from 0 unless given), one character for each byte. */
  bytes: string
  at?: number
  /** Where a text might begin so as well: what must hold besides, of the first bytes read as characters. */
  when?: RegExp
  advice: string
}

const programs = 'Programs are not supported'
const sound = 'Sound is not supported; upload its transcript'
const video = 'Videos are not supported'
const statistics = 'Files of statistics programs are not supported; export the data as CSV or Parquet'
const access = 'Access databases are not supported; export the tables as CSV'
const archive = (kind: string) => `Archives (${kind}) are not supported; upload the files in it`
const packed = (kind: string) => `Compressed files (${kind}) are not supported; upload the file in it`
const save = (what: string, as: string) => `${what} are not supported; save as ${as}`
const health = (what: string) => `${what} are not supported yet; export FHIR, XML or CSV`
const openPgp = 'Keys and signatures of OpenPGP are not supported'

/** A zero byte near the beginning, which no text in one byte a character has. */
const binary = /^.{2,62}\0/s

/** First bytes of what is never anonymised, whatever its name. */
export const signatures: readonly Signature[] = [
  { bytes: '7z\xbc\xaf\x27\x1c', advice: archive('7z') },
  { bytes: 'Rar!\x1a\x07', advice: archive('rar') },
  { bytes: 'ustar', at: 257, advice: archive('tar') },
  { bytes: 'MSCF\0\0\0\0', advice: archive('cab') },
  { bytes: '!<arch>\n', advice: archive('ar') },
  { bytes: '\x1f\x8b', advice: packed('gzip') },
  { bytes: '\x1f\x9d', advice: packed('compress') },
  { bytes: 'BZh', when: /^BZh[1-9]1AY&SY/, advice: packed('bzip2') },
  { bytes: '\xfd7zXZ\0', advice: packed('xz') },
  { bytes: '\x28\xb5\x2f\xfd', advice: packed('zstd') },
  { bytes: '\x04\x22\x4d\x18', advice: packed('lz4') },
  { bytes: '\x7fELF', advice: programs },
  { bytes: 'MZ', when: binary, advice: programs },
  { bytes: '\xfe\xed\xfa\xce', advice: programs },
  { bytes: '\xfe\xed\xfa\xcf', advice: programs },
  { bytes: '\xce\xfa\xed\xfe', advice: programs },
  { bytes: '\xcf\xfa\xed\xfe', advice: programs },
  { bytes: '\xca\xfe\xba\xbe', advice: programs },
  { bytes: '\0asm', advice: programs },
  { bytes: 'dex\n0', advice: programs },
  {
    bytes: 'L\0\0\0\x01\x14\x02\0',
    advice: 'Shortcuts of Windows are not supported; upload the file that it leads to',
  },
  { bytes: 'SQLite format 3\0', advice: 'Database files (SQLite) are not supported; export the tables as CSV' },
  { bytes: '\0\x01\0\0Standard Jet DB', advice: access },
  { bytes: '\0\x01\0\0Standard ACE DB', advice: access },
  { bytes: '!BDN', advice: save('Outlook data files (.pst)', '.eml, message by message') },
  { bytes: '\x78\x9f\x3e\x22', advice: save('Attachments of Outlook (winmail.dat)', '.eml') },
  { bytes: '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d', advice: save('OneNote sections', '.docx or PDF') },
  { bytes: '\xffWPC', advice: save('WordPerfect documents', '.docx') },
  { bytes: '%!PS', advice: save('PostScript files', 'PDF') },
  { bytes: '\xc5\xd0\xd3\xc6', advice: save('PostScript files', 'PDF') },
  { bytes: 'AT&TFORM', advice: save('DjVu documents', 'PDF') },
  { bytes: '8BPS', advice: save('Photoshop documents', 'PNG') },
  { bytes: 'DICM', at: 128, advice: 'DICOM files are not supported; save the picture as PNG and its report as text' },
  { bytes: 'ID3', when: binary, advice: sound },
  { bytes: '\xff\xfb', advice: sound },
  { bytes: '\xff\xf3', advice: sound },
  { bytes: 'OggS\0', advice: sound },
  { bytes: 'fLaC\0', advice: sound },
  { bytes: '#!AMR', advice: sound },
  { bytes: 'WAVE', at: 8, when: /^RIFF/, advice: sound },
  { bytes: 'AVI ', at: 8, when: /^RIFF/, advice: video },
  { bytes: '\x1a\x45\xdf\xa3', advice: video },
  { bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', advice: 'Sound and videos of Windows Media are not supported' },
  { bytes: '\0\0\x01\xba', advice: video },
  {
    bytes: 'ftyp',
    at: 4,
    when: /^....ftyp(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)/s,
    advice: save('HEIC pictures', 'JPEG'),
  },
  { bytes: 'ftyp', at: 4, when: /^....ftypavi[fs]/s, advice: save('AVIF pictures', 'JPEG') },
  { bytes: 'ftyp', at: 4, when: /^....ftypM4[AB]/s, advice: sound },
  { bytes: 'ftyp', at: 4, when: /^\0/, advice: video },
  { bytes: 'moov', at: 4, when: /^\0/, advice: video },
  { bytes: 'mdat', at: 4, when: /^\0/, advice: video },
  { bytes: '$FL2@(#)', advice: statistics },
  { bytes: '$FL3@(#)', advice: statistics },
  { bytes: '<stata_dta>', advice: statistics },
  { bytes: '\xc2\xea\x81\x60\xb3\x14\x11\xcf', at: 12, advice: statistics },
  { bytes: 'RDX3\n', advice: statistics },
  { bytes: '\x89HDF\r\n\x1a\n', advice: 'HDF5 files are not supported; export the tables as CSV or Parquet' },
  // Who holds a key, or has signed, stands in base64.
  { bytes: '-----BEGIN PGP PUBLIC KEY BLOCK-----', advice: openPgp },
  { bytes: '-----BEGIN PGP PRIVATE KEY BLOCK-----', advice: openPgp },
  { bytes: '-----BEGIN PGP SIGNATURE-----', advice: openPgp },
  { bytes: 'Obj\x01', advice: 'Avro files are not supported; export them as Parquet' },
  { bytes: 'ORC', when: /^ORC[\0-\x1f\x80-\xff]/, advice: 'ORC files are not supported; export them as Parquet' },
  { bytes: 'ARROW1\0\0', advice: 'Arrow files are not supported; export them as Parquet' },
]

/** The same of what is refused only where no format takes it: pictures and archives that have kin among the formats. */
export const strangers: readonly Signature[] = [
  { bytes: 'PK\x03\x04', advice: archive('zip') },
  { bytes: 'PK\x05\x06', advice: archive('zip') },
  { bytes: 'BM', when: /^BM....\0\0\0\0/s, advice: save('BMP pictures', 'PNG') },
  { bytes: '\0\0\0\x0cjP  ', advice: save('JPEG 2000 pictures', 'JPEG') },
  { bytes: '\xff\x4f\xff\x51', advice: save('JPEG 2000 pictures', 'JPEG') },
  { bytes: '\0\0\x01\0', advice: save('Icons', 'PNG') },
]

/** The beginning of XML up to the name of its root. */
const root = (names: string) => new RegExp(`^(?:<[?!][^>]*>\\s*)*<(?:${names})[\\s>]`)

/** Texts whose fields nobody would find: their parts stand between marks, a family name apart from the given one. */
export const interchange: readonly [RegExp, string][] = [
  // What follows names the marks of the message; a frame of MLLP begins with a blank of its own.
  [/^(?:MSH|FHS|BHS)(?:\||([^\w\s])(?:[^\w\s]{4,5})\1)/, health('HL7 version 2 messages')],
  [/^ISA([^\w\s])\d\d\1.{10}\1\d\d\1/, 'X12 messages are not supported yet; export the fields as CSV or JSON'],
  [/^(?:UNA.{6}\s*)?UNB\+UN/s, 'EDIFACT messages are not supported yet; export the fields as CSV or JSON'],
  // Words are cut over many elements in them, and pictures stand in base64.
  [root('pkg:package|w:wordDocument'), save('Office documents in one file of XML', '.docx, .xlsx or .pptx')],
  [root('office:document'), save('OpenDocument in one file of XML', '.odt, .ods or .odp')],
  // How many bytes the message has stands in front of it, and a property list behind it.
  [/^(?=.{10}\r?\n)\d{1,9} +\r?\n[A-Za-z][\w-]*:/, save('Messages of Apple Mail (.emlx)', '.eml')],
  [/^H[|]\\\^&[|]/, health('Messages of laboratory devices (ASTM)')],
]
