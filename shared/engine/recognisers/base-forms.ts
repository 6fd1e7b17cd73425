/** Endings of names in their cases, each with the endings of the nominative that it may stand for (`-` for none). */
const endings = {
  // Adjectives (Kowalskiego, Zielińską), masculine nouns (Marka, Piotrze, Kowalczykiem), feminine ones (Annę, Agnieszce).
  pl: `iego=i,- iemu=i,- im=i ich=i iej=a,ia ską=ska,ski cką=cka,cki dzką=dzka,dzki skiej=ska,ski ckiej=cka,cki
    dzkiej=dzka,dzki ska=ski cka=cki dzka=dzki scy=ski ccy=cki dzcy=dzki ego=y emu=y ym=y ej=a,y ka=ek,k kowi=ek,k kiem=ek,k
    ku=ek,k ła=eł,ł łowi=eł,ł łem=eł,ł le=ł,eł,la,ła rze=r,ra cie=t,ta dzie=d,da ście=st,sta la=el,l lowi=el,l lem=el,l
    ca=ec,c cowi=ec,c cem=ec,c nia=ń,nia niowi=ń niem=ń dzia=dź dziowi=dź iem=-,i ie=-,a owi=-,a,o em=-,o ów=-,a owie=-
    ami=a,- om=a,- u=- a=-,o ii=ia ji=ja i=a,ia y=a ę=a ą=a o=a ce=ka dze=ga sze=cha`,
  // Adjectives (Novotného), surnames of women (Nováková), masculine nouns (Pavlovi), feminine ones (Janou, Lence).
  cs: `ovi=-,a,o ovou=ová ové=ová ského=ský skému=ský ským=ský ské=ská,ský skou=ská,ský ská=ský ého=ý ému=ý ým=ý é=á,ý
    ou=a,á,ý ka=ek,k kovi=ek,k kem=ek,k ku=ek,k,ka kovou=ek,k kové=ek,k ková=ek,k vla=vel vlovi=vel vlem=vel ce=ka,ec ze=ha
    ře=ra ová=-,a,o,ek em=- a=-,o e=-,a u=a,- y=a,- o=a ě=a ii=ie,ia i=-,e,a,ie ím=í ího=í ímu=í`,
}

const tables = new Map(
  Object.entries(endings).map(([language, table]) => [
    language,
    table.split(/\s+/).map(entry => {
      const [ending = '', bases = ''] = entry.split('=')
      return { ending, bases: bases.replaceAll('-', '').split(',') }
    }),
  ]),
)

/** Letters that are left of a name at least. */
const fewest = 2

/** What a word in lower case may be in the nominative, if it is a name; nothing in languages that inflect none. */
export function* baseForms(word: string, language: string | undefined): Generator<string> {
  for (const { ending, bases } of tables.get(language ?? '') ?? []) {
    if (!word.endsWith(ending) || word.length - ending.length < fewest) continue
    for (const base of bases) yield word.slice(0, -ending.length) + base
  }
}
