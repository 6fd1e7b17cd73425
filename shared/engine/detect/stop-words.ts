/**
 * The commonest words that stand in for nothing by themselves: articles, pronouns, prepositions, conjunctions, auxiliary
 * verbs, small numbers, units of time and forms of address, in the languages that the shipped models know and the larger
 * ones beside them.
 */
const lists = {
  en: `a an the this that these those i you he she it we they me him her us them my your his its our their mine yours who
    whom whose which what and or but nor so yet if then than as at by for from in into of off on onto out over to up with
    within without about above across after against along among around before behind below between beyond down during
    near since through under until upon via per am is are was were be been being do does did done has have had having can
    could may might must shall should will would not no yes all any both each every few more most much many other others
    some such only own same there here when where why how again also just very too now one two three four five six seven
    eight nine ten eleven twelve first second third day days week weeks month months year years hour hours mr mrs ms miss
    dr sir madam dear`,
  de: `der die das den dem des ein eine einen einem einer eines er sie es wir ihr ich du mich mir dich dir ihn ihm ihnen uns
    euch sich mein meine dein deine sein seine seiner seinem ihre ihrem ihrer ihren unser unsere euer dieser diese dieses
    diesem diesen jener jene welcher welche welches wer wen wem was und oder aber sondern denn doch dass ob wenn weil als
    wie wo wann warum da dort hier so nun nur auch noch schon sehr mehr viel viele alle alles kein keine keinen nicht nein
    ja an am auf aus bei beim bis durch für gegen hinter in im ins mit nach neben ohne seit über um unter von vom vor zu
    zum zur zwischen ist sind war waren bin bist wird werden wurde wurden worden hat haben hatte hatten habe kann können
    konnte muss müssen soll sollen sollte will wollen darf dürfen eins zwei drei vier fünf sechs sieben acht neun zehn elf
    zwölf tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden herr herrn frau dr prof sehr
    geehrte geehrter liebe lieber`,
  es: `el la los las lo un una unos unas yo tú él ella ello nosotros ellos ellas usted ustedes me te se le les nos mi mis tu
    tus su sus este esta estos estas ese esa esos esas aquel aquella quien que qué cual cuál cuyo y e o u pero sino si ni
    como cuando donde porque a al ante bajo con contra de del desde durante en entre hacia hasta para por según sin sobre
    tras no sí ya más menos muy mucho muchos poco todo toda todos todas otro otra otros cada algún alguna ningún también
    es son era eran fue fueron ser sido está están estaba ha han había haber hay puede uno dos tres cuatro cinco seis siete
    ocho nueve diez once doce día días semana semanas mes meses año años hora horas señor señora sr sra don doña dr dra`,
  pt: `o a os as um uma uns umas eu tu ele ela nós eles elas você vocês me te se lhe lhes nos meu minha seu sua seus suas
    este esta estes estas esse essa isso aquele aquela quem que qual cujo e ou mas nem como quando onde porque à ao aos às
    ante até com contra de do da dos das desde em no na nos nas num numa entre para por pelo pela sem sob sobre não sim já
    mais menos muito muitos pouco todo toda todos todas outro outra cada algum alguma nenhum também é são era foi foram
    ser sido está estão tem têm havia há pode dois duas três quatro cinco seis sete oito nove dez onze doze dia dias semana
    mês meses ano anos hora horas senhor senhora sr sra dom dona dr dra`,
  no: `en ei et den det de jeg du han hun vi dere meg deg ham henne oss dem seg min mitt mine din ditt sin sitt sine hans
    hennes vår vårt deres denne dette disse som hvem hva hvor når hvorfor hvordan og eller men for så at om hvis fordi i på
    av til fra med uten ved under over mellom etter før mot hos gjennom er var være vært blir ble blitt har hadde kan kunne
    skal skulle vil ville må måtte ikke nei ja alle alt noen ingen mer mye mange bare også nå da der her to tre fire fem
    seks sju syv åtte ni ti elleve tolv dag dager uke uker måned måneder år time timer herr fru`,
  sv: `en ett den det de jag du han hon vi ni mig dig honom henne oss er dem sig min mitt mina din ditt sin sitt sina hans
    hennes vår vårt deras denna detta dessa som vem vad var när varför hur och eller men för så att om eftersom i på av
    till från med utan vid under över mellan efter före mot hos genom är vara varit blir blev blivit har hade kan kunde
    ska skall skulle vill ville måste inte nej ja alla allt några ingen mer mycket många bara också nu då där här två tre
    fyra fem sex sju åtta nio tio elva tolv dag dagar vecka veckor månad månader år timme timmar herr fru`,
  da: `en et den det de jeg du han hun vi i mig dig ham hende os jer dem sig min mit mine din dit sin sit sine hans hendes
    vores deres denne dette disse som hvem hvad hvor hvornår hvorfor hvordan og eller men for så at om hvis fordi på af til
    fra med uden ved under over mellem efter før mod hos gennem er var være været bliver blev blevet har havde kan kunne
    skal skulle vil ville må måtte ikke nej ja alle alt nogle ingen mere meget mange kun også nu da der her to tre fire fem
    seks syv otte ni ti elleve tolv dag dage uge uger måned måneder år time timer hr fru`,
  fr: `le la les l un une des du de d je tu il elle on nous vous ils elles me te se lui leur leurs mon ma mes ton ta tes son
    sa ses notre nos votre vos ce cet cette ces qui que quoi dont où quel quelle et ou mais ni car donc si comme quand
    parce à au aux avec chez contre dans depuis dès en entre jusque par pendant pour sans sous sur vers ne pas non oui plus
    moins très tout toute tous toutes autre autres chaque aussi est sont était ont a avait être été fut peut deux trois
    quatre cinq six sept huit neuf dix onze douze jour jours semaine mois an ans année années heure heures monsieur madame
    mademoiselle m mme mlle dr`,
  it: `il lo la i gli le l un uno una io tu lui lei noi voi loro mi ti si ci vi mio mia suo sua suoi sue nostro questo questa
    questi queste quello quella chi che cui quale e ed o ma né se come quando dove perché a al allo alla ai agli alle con
    contro da dal dalla dai di del dello della dei degli delle in nel nella nei su sul sulla per tra fra senza sotto sopra
    non sì no più meno molto molti tutto tutti altro altra ogni anche è sono era erano stato ha hanno aveva essere può due
    tre quattro cinque sei sette otto nove dieci giorno giorni settimana mese mesi anno anni ora ore signor signora sig dott`,
  nl: `de het een ik jij je hij zij ze wij we jullie u mij hem haar ons hen hun mijn jouw zijn onze deze dit die dat wie wat
    welke en of maar want dus als dan omdat aan af bij door in met na naar om onder op over sinds te tegen tot tussen uit
    van voor zonder is was waren ben wordt werd worden heeft hebben had kan kon moet zal zou wil niet nee ja geen alle
    alles meer veel ook nog al nu hier daar twee drie vier vijf zes zeven acht negen tien dag dagen week weken maand
    maanden jaar jaren uur meneer mevrouw dhr mevr`,
}

/** Names of months and weekdays in those languages, long and short, alone and in a date. */
function* calendar(): Generator<string> {
  for (const language of Object.keys(lists)) {
    for (const style of ['long', 'short'] as const) {
      const zone = { timeZone: 'UTC' }
      const months = [{ month: style }, { month: style, day: 'numeric' }] as const
      const weekday = new Intl.DateTimeFormat(language, { ...zone, weekday: style })
      for (let day = 1; day <= 7; day++) yield weekday.format(Date.UTC(2024, 0, day))
      for (const form of months.map(month => new Intl.DateTimeFormat(language, { ...zone, ...month }))) {
        for (let month = 0; month < 12; month++)
          yield form.formatToParts(Date.UTC(2024, month, 1)).find(({ type }) => type === 'month')!.value
      }
    }
  }
}

let known: Set<string> | undefined

/** Whether a word, in lower case, is too common in one of the languages to tell of anybody by itself. */
export function isStopWord(word: string): boolean {
  known ??= new Set([
    ...Object.values(lists).flatMap(list => list.split(/\s+/)),
    ...[...calendar()].map(name => name.toLowerCase().replace(/\.$/, '')),
  ])
  return known.has(word)
}
