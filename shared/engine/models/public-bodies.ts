/**
 * Words that courts, ministries and authorities are called by, in lower case: those of the state as a whole, and what says of
 * which kind one is. A name made of such words alone is that of a body that everybody in a country has to do with; what
 * tells of a place (`Regional Court of Kiel`) or of a matter of few people (`Labour Court`, `Employment Tribunal`) stays a name.
 */
const lists = {
  en: `court courts supreme constitutional administrative high higher federal district regional provincial county crown
    magistrates magistrate's appeal appeals cassation justice civil criminal chamber grand plenary
    ministry ministries minister department departments government parliament senate council state states foreign home affairs
    interior internal finance treasury commonwealth office inland revenue public prosecutor
    prosecutors prosecutor's general principal chief national agency republic first instance human rights european commission
    jurisdiction international secretary authority assembly cabinet of for the and`,
  de: `gericht gerichts amtsgericht landgericht oberlandesgericht verwaltungsgericht oberverwaltungsgericht
    bundesverwaltungsgericht bundesverfassungsgericht bundesgerichtshof bundesfinanzhof
    verfassungsgericht verfassungsgerichtshof verwaltungsgerichtshof finanzgericht gerichtshof europäischer
    europäische staatsanwaltschaft generalstaatsanwaltschaft bundesministerium ministerium bundesregierung landesregierung regierung
    bundestag bundesrat landtag bundesamt bundesanwaltschaft finanzamt behörde des der die das für und justiz innern inneren
    finanzen auswärtiges auswärtige amt senat kammer`,
  es: `tribunal tribunales supremo superior constitucional audiencia nacional juzgado gobierno ministerio fiscalía fiscal general
    estado congreso diputados senado justicia interior hacienda europeo derechos humanos agencia tributaria de del la las los y`,
  fr: `cour cours cassation appel tribunal conseil état constitutionnel ministère gouvernement parlement sénat assemblée nationale
    justice intérieur finances affaires étrangères européenne droits homme commission parquet république de du des la le les l d
    et`,
  it: `corte tribunale tribunali cassazione appello costituzionale consiglio stato ministero governo parlamento senato camera
    repubblica giustizia interno finanze agenzia entrate procura suprema europea diritti uomo di del della delle dei degli e`,
  pt: `tribunal tribunais supremo superior constitucional justiça ministério governo assembleia república finanças autoridade
    tributária procuradoria geral europeu direitos humanos relação de do da dos das e`,
  nl: `rechtbank gerechtshof hoge raad van state ministerie regering parlement kamer tweede eerste belastingdienst openbaar
    justitie veiligheid binnenlandse buitenlandse zaken financiën europees hof de het en voor`,
  pl: `sąd sądu sądzie sądowi sądem rejonowy rejonowego rejonowym okręgowy okręgowego okręgowym apelacyjny apelacyjnego apelacyjnym
    najwyższy najwyższego naczelny naczelnego wojewódzki wojewódzkiego administracyjny administracyjnego trybunał trybunału
    konstytucyjny konstytucyjnego ministerstwo ministerstwa rząd rządu sejm sejmu senat prokuratura prokuratury sprawiedliwości
    finansów skarbu państwa i w`,
}

const words = new Set(Object.values(lists).flatMap(list => list.split(/\s+/)))
/** Those that stand between others and are no name by themselves. */
const small = 3

/** Whether a name is one that every court, ministry or government of its kind has. */
export function isPublicBody(name: string): boolean {
  const parts =
    name
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}']*/gu) ?? []
  const known = (part: string) =>
    words.has(part) || words.has(part.replace(/'s?$/, '')) || /^(?:\d{1,2}(?:st|nd|rd|th)|[dl]'\p{L}+)$/u.test(part)
  return parts.some(part => part.length > small && words.has(part.replace(/'s?$/, ''))) && parts.every(known)
}
