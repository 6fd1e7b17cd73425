"""Sentences without any name, in languages whose common words an English vocabulary takes for names; and Norwegian respelt
as Swedish, for which there is no text that may be used."""

import re

# Word classes by language; `forms` are sentences over them. Grammar matters less than that each word is seen as nothing.
WORDS = {
    "sv": {
        "n": "kvinnan kvinnor kvinnorna mannen män barnen barnet flickorna pojkarna föräldrarna makarna familjen hushållet hemmet "
             "skolan eleverna lärarna sjukvården läkaren patienterna sjuksköterskor barnskötaren vården omsorgen kärleken vänskapen "
             "samhället kommunen staten riksdagen regeringen myndigheten länet landstinget domstolen lagen reglerna skatten "
             "skatterna inkomsten lönen lönerna avgiften avdraget bidraget pensionen försäkringen kassan räntan pengarna priset "
             "priserna kostnaden företaget företagen arbetsgivaren arbetstagaren arbetet jobbet yrket industrin jordbruket handeln "
             "marknaden fackföreningen avtalet uppgiften ansvaret bördan frågan svaret problemet tanken idén debatten artikeln "
             "boken tidningen undersökningen forskningen resultatet rapporten exemplet skillnaden utvecklingen förändringen "
             "världen landet staden byn gatan huset bostaden lägenheten trafiken bilen tåget vägen miljön luften vattnet naturen "
             "sommaren vintern dagen natten veckan månaden året tiden framtiden historien kyrkan kriget freden makten friheten "
             "jämställdheten rättvisan hälsan sjukdomen maten kaffet alkoholen narkotikan hunden katten hästen fisken skogen "
             "deklarationen blanketten ansökan beslutet bilagan tabellen avsnittet sidan punkten ledamöterna kammaren hustrun",
        "a": "svår stor stora liten små gammal gamla ny nya viktig viktiga olika vanlig vanliga färdig färdiga manliga kvinnliga "
             "ensam ensamma lycklig fattiga rika unga äldre bättre sämre högre lägre ekonomiska politiska sociala svenska andra "
             "särskilda personliga gemensamma falska sanna hela halva egna många några flera få",
        "v": "är var blir blev har hade får fick ger gav tar tog kan ska skall måste bör vill visar betyder kräver söker betalar "
             "arbetar tjänar växer minskar ökar börjar slutar gäller finns behövs skapar påverkar drabbar hjälper väljer föder "
             "fostrar lever bor tror anser menar förklarar berättar svarar frågar hoppas",
        "r": "inte också ofta sällan alltid aldrig ibland nästan ganska mycket redan fortfarande snart här där nu sedan idag igår "
             "naturligtvis kanske dessutom däremot annorlunda varandra själv automatiskt helt delvis jämnt bl.a. t.ex. s.k. dvs. m.m.",
        "p": "i på av för med till från om mellan under över utan efter före hos genom mot enligt vid åt bland inom",
        "s": "Men Och Det Den De Detta Dessa Denna Vi Ni Man Han Hon Jag Du Hans Hennes Deras Vår Ditt Båda Alla Ingen Inget Någon "
             "Något Flera Många Varje Varför Hur Hurudan Vad Vem Vilka När Där Här Då Nu Sedan Sällan Ofta Ibland Kanske Tyvärr "
             "Visst Jo Ja Nej Om Eftersom Medan Trots Enligt Under Efter Före Mellan Utan Själv Sådana Samma Andra Liksom Dock",
    },
    "da": {
        "n": "kvinden kvinder manden børnene barnet pigerne drengene forældrene familien hjemmet skolen eleverne lærerne lægen "
             "patienterne sygeplejersken kærligheden samfundet kommunen staten regeringen myndigheden retten loven reglerne "
             "skatten indkomsten lønnen gebyret tilskuddet pensionen forsikringen renten pengene prisen virksomheden arbejdsgiveren "
             "arbejdet jobbet industrien landbruget markedet aftalen opgaven ansvaret spørgsmålet svaret problemet debatten "
             "artiklen bogen avisen undersøgelsen resultatet rapporten forskellen udviklingen verden landet byen gaden huset "
             "boligen trafikken bilen toget vejen miljøet luften vandet sommeren vinteren dagen natten ugen måneden året tiden "
             "fremtiden kirken krigen freden magten friheden sundheden sygdommen maden hunden katten hesten fisken skoven",
        "a": "svær stor store lille små gammel gamle ny nye vigtig vigtige forskellige almindelige færdige ensomme unge ældre bedre "
             "dårligere højere økonomiske politiske sociale danske andre særlige personlige fælles hele egne mange nogle flere få",
        "v": "er var bliver blev har havde får fik giver gav tager tog kan skal må bør vil viser betyder kræver søger betaler "
             "arbejder tjener vokser falder stiger begynder slutter gælder findes skaber påvirker hjælper vælger lever bor tror mener",
        "r": "ikke også ofte sjældent altid aldrig nogle gange næsten ganske meget allerede stadig snart her der nu siden i dag "
             "naturligvis måske desuden derimod anderledes hinanden selv helt delvist bl.a. f.eks. dvs. m.m.",
        "p": "i på af for med til fra om mellem under over uden efter før hos gennem mod ifølge ved blandt inden",
        "s": "Men Og Det Den De Dette Disse Denne Vi I Man Han Hun Jeg Du Hans Hendes Deres Begge Alle Ingen Nogen Noget Flere "
             "Mange Hver Hvorfor Hvordan Hvad Hvem Hvilke Når Hvor Her Der Nu Siden Sjældent Ofte Måske Desværre Ja Nej Hvis Fordi "
             "Mens Trods Ifølge Under Efter Før Mellem Uden Selv Sådanne Samme Andre Dog",
    },
    "pt": {
        "n": "mulher mulheres homem homens criança crianças família escola alunos professores médico pacientes hospital governo "
             "ministro ministros presidente prefeito prefeitura deputados senador congresso câmara partido eleição eleições campanha "
             "candidato candidatos tropas polícia policiais juiz tribunal justiça lei leis imposto impostos salário salários "
             "inflação juros preço preços mercado bolsa banco bancos empresa empresas indústria comércio trabalhadores greve "
             "sindicato economia dívida moeda dólar produção exportação jornal jornais televisão rádio livro filme cinema "
             "música disco show teatro artista futebol time jogo jogos jogador jogadores torcedor técnico copa campeonato gol "
             "partida corrida piloto carro ônibus avião estrada mar praia ilha cidade cidades bairro zona rua avenida casa "
             "apartamento país países estado estados município fronteira território guerra paz crise acordo reunião encontro "
             "pesquisa universidade ciência doença vírus aids vacina remédio alimento água terra floresta chuva sol inverno verão "
             "tabela página leitor cartas caderno coluna opinião notícia história vida morte acidente incêndio roubo preso presa",
        "a": "novo nova grande grandes pequeno velho velha bom boa melhor pior alto alta baixo primeiro segunda terceiro último "
             "nacional internacional brasileiro brasileira português europeu americano paulista carioca público política "
             "econômico social importante difícil forte possível próprio mesmo outro outros muitos poucos todos",
        "v": "é era foi será está estava tem tinha teve vai foram são diz disse afirma afirmou anunciou quer pode deve faz fez "
             "ganhou perdeu venceu subiu caiu começou terminou chegou saiu morre morreu custa recebe paga vende compra joga marcou",
        "r": "não também já ainda sempre nunca hoje ontem amanhã agora depois antes muito pouco mais menos quase apenas assim talvez",
        "p": "de do da dos das em no na nos nas a ao à por pelo pela para com sem sobre entre contra até desde após segundo",
        "s": "O A Os As Um Uma Mas E Ele Ela Eles Isso Este Esta Esse Nenhum Nenhuma Algum Alguns Todos Muitos Outros Quando Como "
             "Onde Porque Por Para Segundo Depois Antes Durante Entre Até Ontem Hoje Agora Ainda Já Não Sim Quem Qual Quanto Em No "
             "Na De Do Da Com Sem Se Apesar Além Mulher Homem Governo Polícia Tropas Países Tabela Jornal Leitor",
    },
}
FORMS = ["S v r a n p n.", "S n v p a n.", "N v r p n.", "S v n, r v n p n.", "N p n v a.", "S v n?", "N v a, men n v r.", "R v n p a n.",
         "S a n v p n p n r.", "'N v n.'", "- S v r n.", "N, n, n p n.", "A n v n p n.", "S v p n n; a n v r.", "V n p n r?", "N"]


def sentence(lang, rng):
    """One sentence of common words, all of it nothing."""
    words = WORDS[lang]

    def pick(m):
        word = rng.choice(words[m[0].lower()].split())
        return word[:1].upper() + word[1:] if m[0].isupper() else word

    return re.sub(r"\b[navrpsNAVRPS]\b", pick, rng.choice(FORMS))


SWEDISH = dict(pair.split(":") for pair in (
    "jeg:jag ikke:inte og:och av:av et:ett en:en ei:en det:det som:som på:på til:till med:med for:för å:att har:har ble:blev "
    "blir:blir være:vara vært:varit var:var er:är vi:vi de:de dem:dem seg:sig han:han hun:hon sin:sin sitt:sitt sine:sina "
    "fra:från om:om men:men eller:eller når:när da:då så:så også:också bare:bara mye:mycket mange:många noen:några noe:något "
    "alle:alla alt:allt ingen:ingen ingenting:ingenting hva:vad hvem:vem hvor:var hvordan:hur hvorfor:varför hvis:om fordi:därför "
    "mellom:mellan etter:efter før:före under:under over:över mot:mot hos:hos gjennom:genom uten:utan ved:vid inn:in ut:ut "
    "opp:upp ned:ner kan:kan kunne:kunde skal:ska skulle:skulle vil:vill ville:ville må:måste måtte:måste bør:bör får:får "
    "fikk:fick gir:ger ga:gav tar:tar tok:tog går:går gikk:gick kommer:kommer kom:kom sier:säger sa:sade ser:ser så:såg "
    "gjør:gör gjorde:gjorde vet:vet tror:tror mener:menar år:år dag:dag dager:dagar uke:vecka uker:veckor måned:månad "
    "tid:tid gang:gång ganger:gånger barn:barn kvinner:kvinnor kvinne:kvinna menn:män mann:man mennesker:människor "
    "arbeid:arbete jobb:jobb penger:pengar kroner:kronor prosent:procent land:land landet:landet norge:norge by:stad byen:staden "
    "hus:hus huset:huset skole:skola skolen:skolan samfunn:samhälle regjeringen:regeringen stortinget:riksdagen "
    "kommune:kommun kommunen:kommunen ny:ny nye:nya stor:stor store:stora liten:liten små:små gammel:gammal gamle:gamla "
    "god:god gode:goda bra:bra bedre:bättre best:bäst første:första andre:andra siste:sista samme:samma egen:egen eget:eget "
    "egne:egna her:här der:där nå:nu igjen:igen aldri:aldrig alltid:alltid ofte:ofta kanskje:kanske selv:själv veldig:mycket "
    "enn:än denne:denna dette:detta disse:dessa vår:vår våre:våra din:din ditt:ditt min:min mitt:mitt mine:mina hennes:hennes "
    "hans:hans deres:deras ham:honom henne:henne meg:mig deg:dig oss:oss dere:ni du:du man:man politiet:polisen "
    "saken:saken sak:sak spørsmål:fråga problemer:problem eksempel:exempel forhold:förhållande utvikling:utveckling").split())
ENDINGS = [(r"ene$", "erna"), (r"ende$", "ande"), (r"else$", "else"), (r"het$", "het"), (r"eten$", "eten"), (r"sjon", "tion"),
           (r"lig$", "lig"), (r"lige$", "liga"), (r"ere$", "are"), (r"er$", "ar"), (r"ket$", "kat"), (r"tet$", "tat")]


def as_swedish(tokens, tags):
    """Norwegian tokens as Swedish would write them: by word where it is listed, else by letters and common endings."""
    out = []
    for token, tag in zip(tokens, tags):
        low = token.lower()
        new = SWEDISH.get(low)
        if new is None:
            new = low
            if tag == "O" and len(low) > 4 and low.isalpha():
                for pattern, ending in ENDINGS:
                    new, n = re.subn(pattern, ending, new)
                    if n:
                        break
                new = re.sub("hv", "v", re.sub("gj(?=[eøæ])", "g", re.sub("kj(?=[eøæ])", "k", re.sub("ks", "x", new))))
            new = new.replace("ø", "ö").replace("æ", "ä")
        out.append(new.upper() if token.isupper() and len(token) > 1 else new[:1].upper() + new[1:] if token[:1].isupper() else new)
    return out
