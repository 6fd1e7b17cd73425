/** Names of the lists, or forms of them, that are common words of a language as well, in lower case. */
const lists = {
  en: `abbey able age ago aid ain ako alert alia alone alot alt amber america angel angle annul anti april arch are
    aren aria art asia ask august austin baker bang bank banks baron bass battle beach beer bell best bet bieber
    bill billing bird birdie bishop black block bond booth boy brain branch brand bridge bright bro broad broccoli
    bronze brooks brown brush buddy bureau campus can cant cares carolina carrier carry carter cases cash chad
    champion chance charity chase chelsea china christian church clay clear cliff close coda colt comment company
    constant cook cooper cotton cross cruise crystal daisy dakota dale dallas dawn day dean dec del denver desire
    destiny devon dick dis don drew due duke dull earl early earnest eden else emily era ernest eve even ever fair
    faith fall fares farmer fee ferry field file find fine fisher flood floor florence forest forget fox frank
    french fresh from gas gay gene general genesis georgia ginger glass glen golden gone good grace grand grant gray
    green grey grill gross gun guy hall hand harder harm have hazel head heath heather heaven held hello honor hop
    hope house houston huge hung hunter idea idle ima imma india innocent into iris israel ivy jack jackson jade jay
    jazz jesus job john joke jordan joy judge june junior just justice justin kent key kick killer king kiss lack
    lady lance law lay lee leg liberty lie lies lily lincoln line list little loan lock london long loss lot love
    lyric madeleine madison major man manual many mar mark marks marshall martial mason mate mats max may melody men
    menu michael miles min mine misty mountain nail name nevada nice nine noble nor north numbers offer olive oral
    other page pages pain par parent paris park parker pat patience pearl per peter pin pop pope porter post pot
    pour power precious price prince prior pros pull rails raven read real reed rice rich rick ring rivers rob robin
    rock rod rose royal ruby rush rusty said sales sample sandy savannah season see seem sep server seven sharp
    shepherd shine short sierra silk sky slot smart smith sole son song spinner spring stage star sterling stone
    store storm stormy story strong sue summer sung sunny sweet swift tanner taylor tea temple tempo the thin til
    till tone top trump tyler valid van vanilla via victoria victory violet virginia von wall warming washington
    waters weeks well wells west white wild will willing wind winter wise wit wolf wood wren young`,
  de: `acker adler allen aller alles als alt alte andere april auge august bach bart bauch bauer baum becker ben
    benz berg berge berlin beste bilde bill bischof bitte blank bosch brand brandt braun bruder busch bäcker bär che
    christ clair crystal darin davon davor deren dia dies don eine einer einstein eng engel engen enger era ernst
    fall feld fern fertig fischer fleischer ford fort frank freitag fromm fuchs förster fürst gabel ging glück graf
    grau grill grob gross groß gute haben hahn hals hammer hand heide heidi held helle herbst hervor herzog hoffmann
    hohl holte ida iris jene jude juli jung junge juni jure juris kai kaiser kam kaufmann kein klein knapp knecht
    koch kopf kraft kreis krug krämer krüger kunde kupfer kämpf könig kühn laden lage lang lange langen lasse lassen
    lehmann leicht leide leider liebe lief lilie linde line linke magda mai maier man mann mark meier meinen
    mercedes merkel metzger meyer min minder mir monitore morgen mächtig müller nagel nase nette netto neumann nord
    nur offer oral other par pastor pat per polo porsche portal porte post power price rasch ray real rein reine
    reiner reo richter ritter rosa roth sagen said schmidt schneider schulz schulze schwarz schäfer schüler see sein
    server sine smart sol solange sommer sorge stark starke starre stein steuer strong teufel the top tress van via
    viel viola vogel vogt von wagner weber weiss weiß wen wende weniger west wies will winter wolf zahn zimmermann`,
  fr: `aimé aimée aller alone ange aube aurore avril barbe barbier baron beau belle berger blanc blanche bois bon
    bonnet boucher boulanger brice brun brune canon cerf charpentier chevalier claire comte cordier couturier côme
    dame dieu don douce dubois duc dupont elle fleur flore fontaine fort fournier franc france grand grande grâce
    jasmin jean juste leblanc lebrun lecoq legrand lemaire leroux les lion loup lune mai maire marais marchand marin
    marine mars martin mercier meunier moine montagne moulin mouton noël océane olive pain parfait pascal perle
    petit philippine pie pierre poisson pont porte poulain prince prudence prune pépin reine renard rivière roche
    roland roman rose roux rémy sage sara saturnin ses sol solange sole son sylvestre tom ton toussaint un victoire
    vin violette vital`,
  es: `abarca abril acero adelfo agar agosto agudo ala aleta alfa alta amarilla ano ante antero anti araña arco
    arcos arturo asa ascenso asma asta banda barba barra benigna benigno bien blanca blanco blanda blando bordes
    brusco buena bueno caballero cabello cabeza cabezas cabo cadena cadenas caja caldo campo campos canal canales
    canino canto cara carina carrera cava china choque cinco cisterna cita clara claro cola colon como cornea corona
    corte cortes corto cristina cuadrado cuarto cámara dan dato deja del delgado delta diana dias diez dolores duque
    durante décimo ella era esa español espejo espinal esta este fallo fermin figura fin fina fino firme flora
    forman franca francisco franco fresco fuente funda garcia gas general goma gran grande graves guardia hacer
    halla han haya hermana hermano hierro hora ido incendio irene iris isabel izquierdo jesus jorge julio kit lagos
    las lemos lente les libero lisa lou lucha luz malla manda manera mano manual maria mariano marquez marta mas
    masa mayo mayor meato mercurio miles min mucha máxima máximo nada nadir negro niño nota novo oral oscuro pala
    palatino par parada paredes pareja pars pase paterno paz pero perro pie pilar plana planas polo porta portal
    porto post prima primitiva primitivo primo puente puerta pulgar pura quinto raquel raza real rica rojo roma rosa
    rosado sal sala sales salida salud salvo sana santa sean seco seda segundo severa severo sola solo son suave tal
    tan tarso toma toman tomas tosca tres tránsito una uno uso van vena verde via victor vida vigil villa vital vive
    órdenes`,
  it: `abaco abate adria afro alba alfa amata amato amico amore apollo aria armida asia assunta aurora ave bacco bambi
    bassi basso beata beato bella bello bianca bianco bruna bruno caino campo canto cara carina caro carta
    cavaliere celeste chiara cielo clemente cleveland colomba conte contessa costa costante costanza cristiana
    dea degna divina divo dolce dolores domani domenica domenico dona donna duca esta este esteri fabbro fausto
    felice fermo ferrari ferro fina fino fiore fiori fontana forte franca franco frate fresco gaia gaio gala
    gemma general gentile georgia ginevra gioconda gioia giove giuda giusta giusto gloria golden grande grassi
    grato grazia greca greco guerra guido idea innocente italia italo lago leone letizia libero longo luce luna
    madonna maggio magno magri marchese mare mari marina marino massima massimo medico memphis milan monte
    morena moro natale nelle neri nero nives norma oliva onesta onesto ora oro orso papa pardo paris parodi
    pasqua pasquale perla pia piccolo pio placida placido porta porto prima primo prospera prospero pura quarto
    quinto regina ricco roma romana romano rosa rosario rossi russo sabato sala santa sante santi santiago santo
    sarto seconda secondo serena sereno sesto severo siena siria sole speranza stella tea tempo terza terzo
    torre tosca una uno urban uso vera verde verdi vero via villa vincenti viola vita vitale vittoria viva volpe
    washington zeta`,
  pt: `carina corte leopardo sol tomo oscar abarca aberto abril acha acho agir ago agosto ali alta amante amor amparo analisa anda ano ante aponte armas
    art assunto ata barco barman barriga boas bom boni bonito cabal cabo campo campos cano canto carro carta casal
    casas certo chapa cinco cita clara claro coleta como cooper corrente correr cota crescente custódia câmara daria
    dele deste destina deva dever dia dias digna dita dom domingo domingos dona durante eis ela ele elide elo era
    esperança essa esta este estes esteve evita falso faria fatos fica figura fim fine firme fisco fito fontes forte
    gera giro grande grau graves graça greve guerra haver hora ido inocente inocência iria isto jurado juris justa
    justo las leite lex liberdade lida longo luz mar marco mas mato mau maxima mens mercado mesa min mista mora
    morais morando mundo máxima máximo nada nas natalina nazi nela nele neo nessa nesta neste nobre nota nova novo
    numa ora oral pacífica par pars partida passos paz pena per perfeito perito pintor pista polo porta portal porte
    posse primeiro prospera pura quarto quero quinta quinto real recai rege regula renda reo resta revel rico rio
    rock rumo saber sala salvo sana sans segundo segura seguro sem severa sim solar solo soma tal tange tempo tenho
    the tona uma urbano uso varas verde via vida vide viola vira virtude vital vitória viva vive volante volta`,
  nl: `akker an april augustus bakker bas beau beer bent berg boet bol bos chase daan dam dan de dean dekker dies
    dirk el els fee fem fien floor fran gert groen haan haas hans hein jade jet joke jong juli juni kaat kaj kees
    kick klein kok koning kort koster kuiper lang lente lief lies lieve lode loes lot lotus maan maas mare mees mei
    meis men merel nine noor nova pien pip post prins puck puk riff rijk roef roos rose ruud sam schipper sep sil
    sky smit sol stan sterre storm suze tine toon twan van vera vin vis vogel wende wies wim winter wit wolf zef`,
  pl: `pole ala ale baran bednarz bo broda burak bąk cebula cieśla cyra czech czyż dana dom dudek gala gil gołąb gruszka
    góra góral jabłoński jagoda kalina kania kapusta karaś kawa kira kos kot kowal koza kozioł kołodziej krawiec
    krok kruk król kwiecień las lew lis lot maj malina marzec mazur mira mucha niedziela niemiec noga ola pająk pani
    panna piątek pola polak rak rus rusin ruta rybak róża sikora sowa sroka szwed słaby sława turek wiara wiek wilk
    wiola wolny wolski wróbel zając zima śliwa żuk`,
  sv: `alger alla andra andras ange antal art bak barna bilen boet breda brett bud bär cal dag del delta detta dina
    dock dom eller ena enda ene fall fara fem fet finna fria fält gammal ger gott han hand hava hela heller
    hennes honan illa inga juli juni just kalla kan klara klok kol kort korta kraft kring kris kunde leda leder
    lilla liv lund löser maj makar man marina mark mars medel men min mina moder namn ned noga offer par parker
    penna per post rak reda rik rika ring rollen sal september ses sid sina skala skriver sova stark steg stenar
    styr söder tal tala testa the tia till titta ton topp tre tur ute vad val vara varan vars veta via vilja
    ville visar vita västen vår över`,
  da: `april august bager bente birk bjerg bjørn bo bonde brun bruun busk dag dam dan due ellen eller falk fisker
    fred frost gran hare holm hvid juli juni kim krag krog lang lund mai maj mark møller nat par per prins ridder
    smed sol sommer sten storm strand søe søren tang ulv vang vest vind vinter winther ørn`,
  no: `alder aller alles alt anar andres anke annen annet ante anti april arbeider armen art auge august auke auken
    aust avis bacon bak baker bakke bakken bank barna bass beint ben bera berge berre best beste bilde bilen birdie
    blanda blank bok bolle bom bonde bota brede breen brenn brenner brent brett bror brot bru brune bud budde buss
    bør bøye campus can dag dame dana danna danner danske dato dekker del dele delta dine dom dreier eine elgar
    eller elva enda ender endre endringer ene enno eske eta fall fant faste fatta feil fem ferda fin fine finger
    finna finne flink flis foran fort fossen fot fred frisk gal gale gamal gammal gay general gitte glass gram
    graver grep grøn gull hage hagen hald halda halden hals han hand handler haug heim held helg heller helse hen
    hennes heva hever hjelm hoff holder holdt hop hoppe hopper horn horna hull hvit høst høy inga islam iver jazz
    jente juli juni junior kai kaia kalender kalla kalle kalv kamp kamper kan kant karen kick kirke klima klok knapp
    knappe kor kort korta kos koss koster kraft kring kul kunde kunst lage lam landa lang lange las laus laust lave
    leder leger leia leide leik leire leite les letta lia liberal lilla lina line liv liva lokk lokke lot lova love
    lua lura lyden lykke løken magen magi mai maks man mann manus marin marine mars mas masse matte melda melodi men
    mens min mine minna minne mista modig moon mora morgen moro munk mur musa mønster mørk namn natta nazi ned neste
    netto noe nord novella nyeste offer opna panna par parodi pastor peker per piper plante pol politi pop post prat
    prata prins prost påske rask raske regner rein reine reising rene res rik rike ring riv rock roe rolle rollen
    rom roman romani ros rosa rose roser rotter rus ruta rute sal saman sang sanne sans sau sauer sein sel senger
    september server ses sine skade skala skarpe skog skriver skule smil sol sola sommer son sona sone song spring
    stas steg stein steinar steiner sten stig stilling stolte store storm straks strand strid strøm stygg styr
    styrkar summer svart svarte tal tala tang tempo tena testa the til tok tole tom tone topp tran trappe tre trent
    tros tunga tur tyr tåle tårn unna ute val valde van vane vann vegar veit venner verda verde verdi verdier vere
    vern verna vernet vest veto via vik vika vilje ville vin vind vinn vinter vis vita volden von vona vår`,
  fi: `aamu aapo aarni ahti aino aulis aura hely ilma impi inka järvi kaino kallio kivi koivu koski lahti laine
    lehto lempi lumi marja meri mies mäki niemi nurmi oiva onni orvokki otso pilvi raita ranta rauha saari salli
    salo sampo satu seppä sini sirkka sointu suvi taimi tarmo tuuli tyyne tyyni uljas urho usko vanamo vappu varma
    vesa vilja virta vuokko`,
  cs: `ale bednář beran brázda bílý bříza cesta dan dana dlouhý eva fiala havel holub hora hrabě jan jaro jasan
    jedlička jelen jen kamil kolář kos kovář kozel kočí krejčí král krátký kuchař les liška malý mlynář my na nový
    němec ona pekař polák pátek rus rybář sedlák slavík smutný sokol starý straka sýkora tesař turek veselý vesna
    vlach vlk vrána zajíc zedník zelený zima zlata čech černý červený čáp švec`,
  ro: `admira albu ale ales alin alt alta alte ana ani anul are aria art asta august barbu bazin bine cabana cale
    canal candida cartier cea cei cojocaru comunale cort costa cota cote crin croitoru dea deja devin devine doina
    dorit ele era este evita fie firme floare forestier franco gala gara general german greco grecu gros grupe ion
    iris jos jud jur kick lea leu liberal line lot lua luca lui luna lungu lupu lux mai mare marea mari marin masa
    maxim maxime mica mici mie mihai moldovan morar moraru muntean munteanu negrea negru nete nora nord olaru ora
    paradis per petre plante polo popa post pot preda prima prins raza rea reale regina rock roman romano romi
    rotaru rus rusu rute sala sanda sau soare sol speranța stan stare stoica toma tone top tren tron tur turcu una
    ungureanu urban ursu vara verde vest via victoria vin viorica vis vlad zamfir`,
  hu: `balázs barna bodza borbély bárány csillag dalma farkas fehér fekete hajnal halász horváth hosszú juhász
    katona király kis kiss kovács lakatos lengyel magyar molnár mészáros nagy orosz pap piroska róka rózsa simon
    szabó szép szőke takács tavasz tóth török vadász varga virág vörös áron`,
  tr: `ali alp altın ant arslan aslan ata ateş aydın bahar barış başar bulut can cem damla demir deniz derin dilek
    doğan ekin elma esen eser evren ferah fidan fırat gök gül güler gün güneş güzel hale han kara kaya kor koç kılıç
    kızıl mert mısra nehir nur onur oya polat pınar rüya sarı sel selvi ses sevgi su tan taş temel toprak tuna ulu
    umut uzun uğur yaz yağmur yaşar yeter yüce yıldız yılmaz zafer çakır çağ çelik çiçek çınar ömür özgür`,
}

/** Those of each language. */
export const commonNames: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)
