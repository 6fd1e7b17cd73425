import type { NameWord } from './name-words.ts'
import { isInitial } from './name-words.ts'
import type { Names, Role } from './naming.ts'
import { fold } from './spelling.ts'

/**
 * How names end in the nominative and in the other cases of a language, for men and women: of several endings that fit a name
 * the longest counts, and one without forms says that names like that are not sure. The cases are genitive, dative, accusative,
 * instrumental, locative and, in Czech, the short dative of `Janu Novákovi`; in Finnish genitive, partitive, allative, ablative, adessive, inessive and elative.
 */
const tables: Readonly<Record<string, { m: string; f: string }>> = {
  pl: {
    m: `n=na,nowi,na,nem,nie m=ma,mowi,ma,mem,mie r=ra,rowi,ra,rem,rze w=wa,wowi,wa,wem,wie b=ba,bowi,ba,bem,bie
      f=fa,fowi,fa,fem,fie s=sa,sowi,sa,sem,sie d=da,dowi,da,dem,dzie t=ta,towi,ta,tem,cie ł=ła,łowi,ła,łem,le
      k=ka,kowi,ka,kiem,ku g=ga,gowi,ga,giem,gu l=la,lowi,la,lem,lu sz=sza,szowi,sza,szem,szu cz=cza,czowi,cza,czem,czu
      rz=rza,rzowi,rza,rzem,rzu ch=cha,chowi,cha,chem,chu j=ja,jowi,ja,jem,ju ek=ka,kowi,ka,kiem,ku
      ski=skiego,skiemu,skiego,skim,skim cki=ckiego,ckiemu,ckiego,ckim,ckim dzki=dzkiego,dzkiemu,dzkiego,dzkim,dzkim
      na=ny,nie,nę,ną,nie ta=ty,cie,tę,tą,cie ra=ry,rze,rę,rą,rze ła=ły,le,łę,łą,le la=li,li,lę,lą,li da=dy,dzie,dę,dą,dzie
      ma=my,mie,mę,mą,mie ka=ki,ce,kę,ką,ce ga=gi,dze,gę,gą,dze er eł oł el iek ób ór ół ąb`,
    f: `na=ny,nie,nę,ną,nie ta=ty,cie,tę,tą,cie wa=wy,wie,wę,wą,wie ra=ry,rze,rę,rą,rze ła=ły,le,łę,łą,le la=li,li,lę,lą,li
      za=zy,zie,zę,zą,zie da=dy,dzie,dę,dą,dzie ma=my,mie,mę,mą,mie ka=ki,ce,kę,ką,ce ga=gi,dze,gę,gą,dze
      ria=rii,rii,rię,rią,rii lia=lii,lii,lię,lią,lii fia=fii,fii,fię,fią,fii cja=cji,cji,cję,cją,cji
      ska=skiej,skiej,ską,ską,skiej cka=ckiej,ckiej,cką,cką,ckiej dzka=dzkiej,dzkiej,dzką,dzką,dzkiej`,
  },
  cs: {
    m: `n=na,novi,na,nem,novi,nu m=ma,movi,ma,mem,movi,mu r=ra,rovi,ra,rem,rovi,ru v=va,vovi,va,vem,vovi,vu b=ba,bovi,ba,bem,bovi,bu
      d=da,dovi,da,dem,dovi,du t=ta,tovi,ta,tem,tovi,tu k=ka,kovi,ka,kem,kovi,ku l=la,lovi,la,lem,lovi,lu s=sa,sovi,sa,sem,sovi,su
      š=še,šovi,še,šem,šovi,ši ř=ře,řovi,ře,řem,řovi,ři č=če,čovi,če,čem,čovi,či ž=že,žovi,že,žem,žovi,ži j=je,jovi,je,jem,jovi,ji
      ek=ka,kovi,ka,kem,kovi,ku ný=ného,nému,ného,ným,ném ský=ského,skému,ského,ským,ském lý=lého,lému,lého,lým,lém
      rý=rého,rému,rého,rým,rém da=dy,dovi,du,dou,dovi la=ly,lovi,lu,lou,lovi ra=ry,rovi,ru,rou,rovi
      ka=ky,kovi,ku,kou,kovi va=vy,vovi,vu,vou,vovi el er eš ůl ín`,
    f: `na=ny,ně,nu,nou,ně ta=ty,tě,tu,tou,tě da=dy,dě,du,dou,dě va=vy,vě,vu,vou,vě ma=my,mě,mu,mou,mě la=ly,le,lu,lou,le
      ra=ry,ře,ru,rou,ře ka=ky,ce,ku,kou,ce za=zy,ze,zu,zou,ze rie=rie,rii,rii,rií,rii lie=lie,lii,lii,lií,lii
      ová=ové,ové,ovou,ovou,ové ná=né,né,nou,nou,né ská=ské,ské,skou,skou,ské`,
  },
  ru: {
    m: `ов=ова,ову,ова,овым,ове ев=ева,еву,ева,евым,еве ёв=ёва,ёву,ёва,ёвым,ёве ин=ина,ину,ина,иным,ине
      ын=ына,ыну,ына,ыным,ыне ский=ского,скому,ского,ским,ском цкий=цкого,цкому,цкого,цким,цком
      б=ба,бу,ба,бом,бе в=ва,ву,ва,вом,ве д=да,ду,да,дом,де з=за,зу,за,зом,зе к=ка,ку,ка,ком,ке л=ла,лу,ла,лом,ле
      м=ма,му,ма,мом,ме н=на,ну,на,ном,не п=па,пу,па,пом,пе р=ра,ру,ра,ром,ре с=са,су,са,сом,се т=та,ту,та,том,те
      ей=ея,ею,ея,еем,ее ай=ая,аю,ая,аем,ае ий=ия,ию,ия,ием,ии рь=ря,рю,ря,рем,ре ел ёл ок ец ёк ёр ётр лев`,
    f: `ова=овой,овой,ову,овой,овой ева=евой,евой,еву,евой,евой ёва=ёвой,ёвой,ёву,ёвой,ёвой ина=иной,иной,ину,иной,иной
      ская=ской,ской,скую,ской,ской цкая=цкой,цкой,цкую,цкой,цкой на=ны,не,ну,ной,не ра=ры,ре,ру,рой,ре
      та=ты,те,ту,той,те да=ды,де,ду,дой,де ла=лы,ле,лу,лой,ле ма=мы,ме,му,мой,ме са=сы,се,су,сой,се за=зы,зе,зу,зой,зе
      ва=вы,ве,ву,вой,ве ка=ки,ке,ку,кой,ке га=ги,ге,гу,гой,ге ия=ии,ии,ию,ией,ии ья=ьи,ье,ью,ьей,ье`,
  },
}

/** A name in a case: the language, gender, number of the case, and the nominative. */
type Reading = { language: string; gender: 'm' | 'f'; at: number; base: string }
type Ending = { nominative: string; forms: string[] }

/** The numbers of two cases. */
const [dative, shortDative] = [1, 5]

const finnishCases = ['n', 'a', 'lle', 'lta', 'lla', 'ssa', 'sta']

/** The Finnish forms of a name: sure where it ends in `nen`, or in a vowel before which nothing changes but `kk`, `pp`, `tt`. */
function finnishForms(name: string): string[] {
  const front = !/[aou]/.test(name)
  const harmonic = (ending: string) => (front ? ending.replace('a', 'ä') : ending)
  if (/.{2}nen$/.test(name)) {
    const stem = name.slice(0, -3)
    return finnishCases.map(ending => harmonic(ending === 'a' ? `${stem}sta` : `${stem}se${ending}`))
  }
  const double = /^(.+)(kk|pp|tt)([aäoöuyi])$/.exec(name)
  if (!double && !/(?:[aeiouyäö][lmnrsvhj]|ll|mm|nn|rr|ss|st)[aäoöuy]$|(?:nn|ll|rr)i$|[rln]ia$/.test(name)) return []
  const weak = double ? double[1]! + double[2]![0]! + double[3]! : name
  return finnishCases.map(ending => harmonic(ending === 'a' ? `${name}a` : weak + ending))
}

const endings = new Map(
  Object.entries(tables).flatMap(([language, genders]) =>
    Object.entries(genders).map(([gender, table]) => {
      const read = table.split(/\s+/).map((entry): Ending => {
        const [nominative = '', forms = ''] = entry.split('=')
        return { nominative, forms: forms ? forms.split(',') : [] }
      })
      const longestFirst = read.toSorted((one, another) => another.nominative.length - one.nominative.length)
      return [`${language}|${gender}`, longestFirst] as const
    }),
  ),
)

/** Languages in which names have cases. */
export const languagesWithCases: readonly string[] = [...Object.keys(tables), 'fi']

/** The forms of a name in lower case, in the order of the cases; none where they are not sure. */
export function formsOf(name: string, language: string, gender: 'm' | 'f'): string[] {
  if (language === 'fi') return finnishForms(name)
  const fitting = endings.get(`${language}|${gender}`)?.find(({ nominative }) => name.endsWith(nominative))
  if (!fitting || name.length - fitting.nominative.length < 1) return []
  return fitting.forms.map(form => name.slice(0, -fitting.nominative.length) + form)
}

/** What forms of a table end in, with what they may be. */
const byForm = new Map<string, { language: string; gender: 'm' | 'f'; at: number; nominative: string }[]>()
for (const [kind, table] of endings) {
  const [language, gender] = kind.split('|') as [string, 'm' | 'f']
  for (const { nominative, forms } of table)
    for (const [at, form] of forms.entries())
      byForm.set(form, [...(byForm.get(form) ?? []), { language, gender, at, nominative }])
}
const longestForm = Math.max(...[...byForm.keys()].map(({ length }) => length))
const finnishEndings = ['n', '[aä]', 'lle', 'lt[aä]', 'll[aä]', 'ss[aä]', 'st[aä]'].map(
  end => new RegExp(`^(.{3,})${end}$`),
)

/** What a word in lower case may be a form of, whether or not that is a name. */
function* readingsOf(word: string): Generator<Reading> {
  for (let length = 1; length <= longestForm && length < word.length; length++) {
    for (const { language, gender, at, nominative } of byForm.get(word.slice(-length)) ?? []) {
      const base = word.slice(0, -length) + nominative
      if (formsOf(base, language, gender)[at] === word) yield { language, gender, at, base }
    }
  }
  for (const [at, ending] of finnishEndings.entries()) {
    const [, stem] = ending.exec(word) ?? []
    if (stem === undefined) continue
    const bases = [
      stem,
      stem.replace(/([kpt])(.)$/, '$1$1$2'),
      stem.replace(/se$/, 'nen'),
      word.replace(/st[aä]$/, 'nen'),
    ]
    for (const base of new Set(bases))
      if (finnishForms(base)[at] === word) yield { language: 'fi', gender: 'm', at, base }
  }
}

/** A word of a name that is no nominative: its nominative, and what makes another nominative the same form. */
export type Inflected = { base: string; inflect(nominative: string): string }

/** Words that a name has at most; more are a text. */
const mostWords = 20

/** Says which words of a name are forms of listed names, and of which; words in the nominative are not among them. */
export function inflectedWords(named: readonly NameWord[], names: Names, isListed: Listed): Map<NameWord, Inflected> {
  // Words that are listed themselves are forms only beside one that isn't.
  const isPlain = named.every(({ text, folded }) => isInitial(text) || names.isKnown(folded))
  if (isPlain || named.length > mostWords) return new Map()
  const readings = new Map<NameWord, Reading[]>()
  for (const word of named) {
    if (isInitial(word.text) || word.folded.length < 3) continue
    const lower = word.text.toLowerCase()
    const listed = [...readingsOf(lower)].filter(({ base, language, gender }) => {
      const role = names.roleOf(fold(base)) ?? word.role ?? 'surname'
      return isListed(base, role, language, gender)
    })
    if (listed.length > 0) readings.set(word, listed)
  }
  const caseOf = ({ at, language }: Reading) => (language === 'cs' && at === shortDative ? dative : at)
  const isOne = (one: Reading, another: Reading) =>
    one.language === another.language &&
    caseOf(one) === caseOf(another) &&
    (one.gender === another.gender || one.language === 'fi')
  const forms = [...readings].filter(([{ folded }]) => !names.isKnown(folded))
  if (forms.length === 0) return new Map()
  let [common = []] = forms.map(([, own]) => own)
  for (const [, own] of [...forms, ...readings]) {
    const both = common.filter(one => own.some(another => isOne(one, another)))
    if (both.length > 0) common = both
  }
  const made = new Map<NameWord, Inflected>()
  for (const [word, own] of readings) {
    const fitting = own.filter(one => common.some(another => isOne(one, another)))
    const [first] = fitting
    if (!first || new Set(fitting.map(({ base }) => fold(base))).size > 1) continue
    made.set(word, { base: first.base, inflect: nominative => inCase(nominative, fitting) })
  }
  return made
}

/** Whether a name in lower case is listed in a language, as a role and a gender's. */
export type Listed = (name: string, role: Role, language: string, gender: 'm' | 'f') => boolean

/** A name in the case that a word is read in; in the nominative where the readings make several of it, or it isn't sure. */
function inCase(nominative: string, readings: readonly Reading[]): string {
  const lower = nominative.toLowerCase()
  const forms = new Set(readings.map(({ language, gender, at }) => formsOf(lower, language, gender)[at]))
  const [form] = forms
  return forms.size === 1 && form !== undefined ? nominative.charAt(0) + form.slice(1) : nominative
}
