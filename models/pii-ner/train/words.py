"""Words for the slots of the templates that no name generator covers."""

THING = "report|invoice|contract|agenda|delivery|draft|schedule|budget|parcel|keys|slides|offer|tickets|results|proposal".split("|")
PRODUCT = "engines|shoes|frozen food|software|solar panels|toys|bicycles|medical devices|furniture|paper|tyres".split("|")
EVENT = "marathon|spelling contest|lottery|race|photo competition|tournament|cooking show|chess open".split("|")
RELATIVE = "brother|sister|mother|father|husband|wife|son|daughter|uncle|aunt|cousin|grandmother|nephew|niece|partner".split("|")
SEX = "male|female|man|woman|M|F|boy|girl|Male|Female".split("|")
PLACEKIND = "pizza place|barber|restaurant|nail salon|garage|coffee shop|dentist|gym|bakery|florist|vet".split("|")
TITLE = "Mr|Mr.|Mrs|Mrs.|Ms|Ms.|Dr|Dr.|Prof.|Miss|Professor|Judge|Sir".split("|")
QUOTE = ["We are very pleased.", "It was a difficult year,", "Nobody told us anything,", "I have never seen this before,",
         "This changes everything,", "No comment,", "We will appeal,"]
REGION = "Europe|Asia|Africa|the Middle East|Scandinavia|South America|Central America|the Balkans|the Caribbean|North Africa".split("|")
NATIONALITY = ("British|French|German|Turkish|Swedish|Polish|American|Canadian|Mexican|Spanish|Italian|Greek|Kurdish|Indian|"
               "Chinese|Japanese|Russian|Ukrainian|Romanian|Bulgarian|Irish|Scottish|Norwegian|Danish|Finnish|Dutch|"
               "Belgian|Austrian|Swiss|Portuguese|Brazilian|Nigerian|Kenyan|Moroccan|Egyptian|Iraqi|Iranian|Israeli|"
               "Palestinian|Pakistani|Vietnamese|Korean|Australian|Croatian|Serbian|Hungarian|Czech|Slovak|Latvian").split("|")
FAITH = "Christian|Muslim|Jewish|Hindu|Buddhist|Catholic|Protestant|Roma|Sami|Black|Hispanic|Asian|White|Sikh".split("|")
JOB = ("nurse|teacher|lawyer|carpenter|engineer|journalist|painter|singer|footballer|politician|baker|plumber|dentist|"
       "taxi driver|electrician|farmer|actor|architect|physicist|novelist|spokesman|accountant|welder|judge|surgeon|"
       "software developer|shop assistant|pharmacist|police officer|soldier|student|chef|composer|economist").split("|")
JOBTITLE = ("Head of Sales|Chief Executive Officer|Senior Analyst|Project Manager|Director|Account Manager|Partner|"
            "Vice President|HR Manager|Office Manager|Managing Director|Consultant|Team Lead").split("|")
LANDMARK = ("the Eiffel Tower|Times Square|Central Park|Hyde Park|the White House|Buckingham Palace|the Golden Gate Bridge|"
            "the Colosseum|Notre Dame|Alexanderplatz|Puerta del Sol|Union Square|Pike Place Market|Heathrow|"
            "the Empire State Building|Grand Central|Trafalgar Square|the Louvre|Orchard Road|Navy Pier|Kings Cross").split("|")
RIVER = "Rhine|Danube|Thames|Mississippi|Tiber|Volga|Nile|Rio Grande|Elbe|Seine|Ganges|Hudson River|Colorado River".split("|")
COUNTRY = ("Germany|France|Italy|Spain|Portugal|Sweden|Norway|Denmark|Finland|Poland|Turkey|Greece|Russia|Ukraine|Romania|"
           "Bulgaria|Austria|Switzerland|Belgium|the Netherlands|Ireland|the United Kingdom|England|Scotland|Wales|UK|"
           "the United States|USA|US|U.S.|America|Canada|Mexico|Brazil|Argentina|Chile|Peru|Colombia|Cuba|India|Pakistan|"
           "Bangladesh|China|Japan|South Korea|North Korea|Vietnam|Thailand|Indonesia|Malaysia|Singapore|Australia|"
           "New Zealand|South Africa|Nigeria|Kenya|Egypt|Morocco|Algeria|Tunisia|Libya|Sudan|Somalia|Ethiopia|Israel|"
           "Palestine|Lebanon|Syria|Iraq|Iran|Kuwait|Saudi Arabia|Yemen|Afghanistan|Georgia|Armenia|Serbia|Croatia").split("|")
AGENCY = ("United Nations|UN|NATO|European Union|EU|FBI|CIA|State Department|Pentagon|Ministry of Health|Home Office|"
          "Senate|House of Commons|Congress|White House|World Bank|IMF|WHO|Red Cross|Treasury|Department of Justice|"
          "Hamas|Hezbollah|Taliban|Republican Party|Labour Party|Supreme Court|EPA|NASA|FDA|European Commission|Interpol|"
          "Federal Reserve|Knesset|Bundestag|Kremlin|Al Qaeda|Reuters|BBC|CNN|Associated Press|Fox News").split("|")
COMPANY = ("Microsoft|Google|Apple|Amazon|Facebook|Toyota|Siemens|Volkswagen|BMW|IKEA|Ericsson|Volvo|Nokia|Maersk|Telenor|"
           "Shell|BP|Exxon|Enron|General Motors|Ford|Boeing|Airbus|Lufthansa|Ryanair|Delta|Bank of America|JP Morgan|"
           "Goldman Sachs|HSBC|Deutsche Bank|Santander|BBVA|Telefonica|Vodafone|AT&T|Verizon|Walmart|Target|Costco|Tesco|"
           "Starbucks|McDonald's|Burger King|Pizza Hut|Home Depot|Best Buy|FedEx|UPS|DHL|Netflix|Spotify|Twitter|Uber|"
           "Airbnb|Tesla|Intel|IBM|Oracle|SAP|Adobe|Samsung|Sony|Nintendo|Pfizer|Novartis|Bayer|Roche|Nestle|Unilever|"
           "Petrobras|Vale|Embraer|Mozilla|Yahoo|eBay|PayPal|Visa|Mastercard|Deloitte|KPMG|Accenture|PG&E|El Paso Energy").split("|")
BUSINESS = ("Auto Repair|Dental|Pizza|Nails|Salon|Plumbing|Bakery|Cafe|Grill|Pet Clinic|Law Group|Animal Hospital|Motors|"
            "Fitness|Cleaners|Roofing|Flowers|Books|Tire Center|Chiropractic|Pharmacy|Realty|Insurance|Photography|Deli").split("|")
ADJECTIVE = ("Golden|Blue|Royal|Sunny|Green|Happy|Grand|Silver|Red|Old Town|Lucky|Bright|Prime|First|United|National|Pacific|"
             "Northern|Elite|Family|Village|Riverside|Summit|Liberty|Crown|Modern|Metro|Coastal|Alpine|Central").split("|")
TEAM = ("Arsenal|Chelsea|Liverpool|Manchester United|Real Madrid|FC Barcelona|Bayern Munich|Juventus|Ajax|Benfica|Porto|"
        "Flamengo|Santos|Boca Juniors|Lakers|Chicago Bulls|Yankees|Red Sox|Dallas Cowboys|Steelers|Giants|Packers|Rangers|"
        "Maple Leafs|Leeds|Everton|Celtic|Galatasaray|Hammarby|AIK|Malmö FF|Rosenborg|Brann|Brøndby|FC Copenhagen|"
        "Werder Bremen|Hertha BSC|Sevilla|Valencia|Athletic Bilbao").split("|")
UNI = ["{CITY} University", "University of {CITY}", "{CITY} State University", "{LAST} College", "{CITY} High School",
       "{LAST} University", "Harvard", "MIT", "Stanford", "Oxford", "Yale", "the London School of Economics"]
HOSPITAL = {"en": ["{CITY} General Hospital", "St. {FIRST}'s Hospital", "{LAST} Clinic", "{CITY} Medical Center",
                   "{LAST} Memorial Hospital", "University Hospital {CITY}", "{CITY} Health Centre"],
            "es": ["Hospital General de {CITY}", "Hospital Universitario {LAST}", "Hospital San {FIRST}", "Clínica {LAST}",
                   "Centro de Salud {CITY}"],
            "de": ["Klinikum {CITY}", "Universitätsklinikum {CITY}", "{LAST}-Klinik", "Krankenhaus {CITY}"],
            "pt": ["Hospital de {CITY}", "Hospital Santa {FIRST}", "Hospital Universitário de {CITY}"],
            "sv": ["{CITY} sjukhus", "Akademiska sjukhuset", "Karolinska Universitetssjukhuset"],
            "da": ["{CITY} Sygehus", "Rigshospitalet", "{CITY} Universitetshospital"],
            "no": ["{CITY} sykehus", "Rikshospitalet", "Haukeland universitetssjukehus"],
            "fr": ["hôpital de {CITY}", "Hôpital {LAST}", "Clinique {LAST}"],
            "it": ["Ospedale di {CITY}", "Ospedale San {FIRST}", "Clinica {LAST}"],
            "nl": ["ziekenhuis {CITY}", "{LAST} Ziekenhuis", "UMC {CITY}"],
            "pl": ["Szpital Miejski w {CITY}", "Klinika {LAST}", "Szpital im. {LAST}"]}
COURT = {"en": ["{CITY} District Court", "{CITY} Regional Court", "{CITY} Court of Appeal", "Supreme Administrative Court",
                "High Court", "{CITY} Magistrates' Court", "Supreme Court", "Constitutional Court", "Court of Cassation",
                "{CITY} Administrative Court", "{CITY} Assize Court"],
         "es": ["Juzgado de Primera Instancia de {CITY}", "Audiencia Provincial de {CITY}", "Tribunal Supremo"],
         "de": ["Landgericht {CITY}", "Amtsgericht {CITY}", "Oberlandesgericht {CITY}", "Verwaltungsgericht {CITY}"],
         "pt": ["Tribunal de Justiça", "Tribunal da Relação de {CITY}", "Supremo Tribunal Federal", "STJ"],
         "sv": ["{CITY} tingsrätt", "Högsta domstolen", "Kammarrätten i {CITY}"],
         "fr": ["tribunal judiciaire de {CITY}", "cour d'appel de {CITY}", "Cour de cassation"],
         "it": ["Tribunale di {CITY}", "Corte d'appello di {CITY}", "Corte di cassazione"],
         "nl": ["rechtbank {CITY}", "gerechtshof {CITY}", "Hoge Raad"],
         "pl": ["Sąd Rejonowy w {CITY}", "Sąd Okręgowy w {CITY}", "Sąd Najwyższy"]}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"}
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
AGES = {"en": ["{} years old", "{}", "{}-year-old", "aged {}", "{} y/o", "{} years"], "es": ["{} años"], "de": ["{}", "{} Jahre"],
        "pt": ["{} anos"], "sv": ["{} år", "{}"], "da": ["{} år"], "no": ["{} år", "{}"], "fr": ["{} ans"], "it": ["{} anni"],
        "nl": ["{} jaar", "{}"], "pl": ["lat {}"]}
MAIL = "example|gmail|hotmail|yahoo|mail|dayrep|terra|telefonica|acme|uni|hospital|isye.gatech|company-group|web|gmx|aol".split("|")
