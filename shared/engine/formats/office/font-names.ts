const families = `agency fb|aldhabi|algerian|andale mono|angsana new|aparajita|apple chancery|arabic typesetting|arial|arial black|
arial narrow|arial rounded mt bold|arial unicode ms|aptos|avenir|bahnschrift|baskerville|batang|batangche|
bitstream vera sans|bitstream vera serif|book antiqua|bookman old style|browallia new|calibri|calibri light|cambria|
cambria math|candara|carlito|caladea|century|century gothic|century schoolbook|comic sans ms|consolas|constantia|
copperplate gothic|corbel|cordia new|courier|courier new|courier 10 pitch|daunpenh|david|dejavu sans|
dejavu sans condensed|dejavu sans mono|dejavu serif|didot|dilleniaupc|dotum|dotumche|droid sans|droid sans fallback|
ebrima|estrangelo edessa|euphemia|fangsong|fixedsys|franklin gothic medium|freemono|freesans|freeserif|futura|gabriola|
garamond|gautami|geneva|georgia|gill sans|gill sans mt|gisha|gulim|gulimche|gungsuh|helvetica|helvetica neue|
hoefler text|impact|iris upc|iskoola pota|jasmineupc|kaiti|kalinga|kartika|khmer ui|kokila|lao ui|latha|leelawadee|
levenim mt|liberation mono|liberation sans|liberation sans narrow|liberation serif|linux libertine g|lohit devanagari|
lohit hindi|lucida bright|lucida console|lucida grande|lucida sans|lucida sans unicode|luxi sans|malgun gothic|mangal|
meiryo|meiryo ui|menlo|moolboran|dokchampa|nirmala ui|leelawadee ui|gadugi|javanese text|myanmar text|phagspa|aptos display|aptos narrow|yu gothic light|yu gothic ui|ms ui gothic|segoe ui emoji|segoe ui historic|microsoft himalaya|microsoft new tai lue|microsoft phagspa|microsoft tai le|microsoft yi baiti|microsoft jhenghei|microsoft sans serif|microsoft uighur|microsoft yahei|mingliu|miriam|
modern|monaco|mongolian baiti|monospace|monotype corsiva|monotype sorts|ms gothic|ms mincho|ms outlook|ms pgothic|
ms pmincho|ms sans serif|ms serif|mv boli|myriad pro|nanumgothic|narkisim|new century schoolbook|noto sans|
noto sans cjk sc|noto sans devanagari|noto serif|nsimsun|nyala|open sans|opensymbol|optima|palatino|palatino linotype|
plantagenet cherokee|pmingliu|raavi|roboto|rockwell|rod|sans|sans-serif|sakkal majalla|segoe print|segoe script|
segoe ui|segoe ui symbol|serif|shonar bangla|shruti|simhei|simplified arabic|simsun|source han sans cn|starsymbol|
swiss|sylfaen|symbol|symbolmt|system|tahoma|thorndale|times|times new roman|times new roman ps|timesnewroman|
traditional arabic|trebuchet ms|tunga|tw cen mt|univers|utsaah|vani|verdana|vijaya|vrinda|webdings|wingdings|
wingdings 2|wingdings 3|yu gothic|yu mincho|zapf dingbats|zapfino|宋体|新細明體|굴림|맑은 고딕|등온|等线|等线 light|
ｍｓ ゴシック|ｍｓ 明朝|ｍｓ ｐゴシック|ｍｓ ｐ明朝|游ゴシック|游明朝|游明朝 demibold|微软雅黑|黑体|仿宋|楷体|바탕|돋움`

const usual = new Set(families.split('|').map(name => name.trim()))

/** Variants that programs append to a family's name: of style, script or coding. */
const variants =
  /(?:[ -](?:bold|italic|oblique|regular|medium|light|semibold|black|condensed|mt|ce|cyr|greek|tur|baltic|vietnamese|\(hebrew\)|\(arabic\)|\(thai\)|\(vietnamese\)))+$/

/**
 * Whether a name is that of a font that comes with systems and office programs, so that nobody is told of by it. Names
 * of places and people are among them (Georgia, Constantia), and must not be replaced where they name a font.
 */
export function isUsualFont(name: string): boolean {
  const bare = name.replace(/&(?:apos|quot|#39|#34);|["';]/g, '').trim()
  const lower = bare.replace(/^@|^\+m[nj]-\w+$/, '').toLowerCase()
  return lower === '' || usual.has(lower) || usual.has(lower.replace(variants, ''))
}
