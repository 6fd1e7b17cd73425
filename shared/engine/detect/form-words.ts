import { isStopWord } from './stop-words.ts'

/**
 * Words that forms, letters, invoices and reports name their parts by, in lower case. They stand before what is meant and
 * are none of it, however much a capital or a colon makes them look like a name.
 */
const lists = {
  en: `name names first last given family middle maiden full surname forename birth date place address street road city town
    village postcode zip code county country nationality gender sex male female phone telephone mobile fax email mail
    subject regards sincerely yours best kind dear invoice total amount net gross vat account bank number reference ref
    customer client patient doctor physician nurse hospital clinic ward diagnosis medication treatment therapy history
    findings report summary discharge admission contract agreement parties party tenant landlord buyer seller employer
    employee lease rent deposit signature signed witness court plaintiff defendant applicant respondent company department
    office team manager director profile experience education skills languages references position curriculum vitae resume
    thanks hello hi hey okay ok page annex appendix attachment enclosure cc bcc from to sent re fwd payment due terms order
    delivery item quantity price unit tax policy insurance insured member id passport licence license plate vehicle iban bic
    swift website web contact details information note notes remarks comments status type title occupation profession
    mother father son daughter husband wife brother sister aunt uncle parents mum dad neighbour neighbor boss colleague colleagues team all friends everyone
    dob nhs mrn ssn vat po box ward
    quantities qty amounts prices items pos units sum subtotal percent percentage discount rate balance description thank relationship sepa`,
  de: `name namen vorname vornamen nachname nachnamen familienname geburtsname zuname rufname geburtsdatum geburtsort geburtstag
    geboren adresse anschrift straße strasse hausnummer plz postleitzahl ort wohnort land staatsangehörigkeit geschlecht
    männlich weiblich telefon tel telefonnummer handy mobil mobilnummer fax telefax email mail betreff datum
    rechnung rechnungsnummer rechnungsdatum summe betrag gesamt gesamtbetrag netto brutto mwst mehrwertsteuer konto
    kontonummer kontoinhaber bank bankverbindung nummer kunde kundin kunden kundennummer patient patientin patienten arzt
    ärztin hausarzt oberarzt oberärztin chefarzt klinik klinikum krankenhaus station diagnose diagnosen anamnese befund
    befunde therapie medikation entlassung aufnahme bericht arztbrief vertrag mietvertrag arbeitsvertrag vermieter mieter
    käufer verkäufer arbeitgeber arbeitnehmer kaution miete unterschrift unterzeichner zeuge gericht kläger klägerin
    beklagter beklagte antragsteller firma abteilung büro kanzlei mandant mandantin verzug mahnung frist forderung zahlung
    zinsen bescheid antrag aktenzeichen versicherung versicherungsnummer versicherte versicherter krankenkasse grüße grüßen
    gruß hallo danke anlage anlagen seite lebenslauf ausbildung berufserfahrung kenntnisse sprachen beruf familienstand
    ledig verheiratet verwitwet geschieden ausweis personalausweis reisepass kennzeichen fahrzeug leistung menge preis
    artikel lieferung bestellung herrn frau damen herren
    mutter vater sohn tochter ehemann ehefrau mann bruder schwester tante onkel eltern nachbar nachbarin kollege kollegin kollegen zusammen team hausmeister
    steuernummer ust-id iban bic pat geb gez betr vers
    einzelpreis gesamtpreis stückpreis stück anzahl position positionen pos bezeichnung beschreibung einheit rabatt prozent
    zwischensumme endbetrag saldo umsatz vielen dank az verwandtschaft verwandtschaftsverhältnis`,
  es: `nombre nombres apellido apellidos fecha nacimiento lugar domicilio dirección calle avenida número ciudad localidad
    provincia país código postal cp nacionalidad sexo hombre mujer teléfono móvil fax correo electrónico asunto factura
    total importe base iva cuenta banco titular cliente paciente médico médica doctor doctora hospital clínica servicio
    diagnóstico tratamiento antecedentes informe alta ingreso contrato arrendador arrendataria arrendatario comprador
    vendedor empresa trabajador empleador firma firmado testigo juzgado demandante demandado expediente referencia póliza
    asegurado saludos atentamente estimado estimada hola gracias anexo página currículum experiencia formación idiomas
    estado civil casado soltera soltero casada profesión matrícula vehículo pasaporte
    madre padre hijo hija marido esposa esposo hermano hermana tía tío padres vecino vecina compañeros
    dni nif nie nhc cif
    cantidad cant precio precios unidad unidades suma subtotal porcentaje descuento artículo artículos concepto descripción
    posición saldo tasa parentesco`,
  pt: `nome nomes sobrenome apelido data nascimento local morada endereço rua avenida cidade localidade país código postal
    nacionalidade sexo telefone telemóvel fax correio assunto fatura total valor iva conta banco titular cliente utente
    paciente doente médico médica hospital clínica serviço diagnóstico tratamento antecedentes relatório alta contrato
    senhorio inquilino inquilina comprador vendedor empresa trabalhador entidade empregadora assinatura testemunha tribunal
    autor réu processo referência apólice segurado cumprimentos atenciosamente caro cara olá obrigado obrigada anexo página
    currículo experiência formação línguas estado civil profissão matrícula viatura passaporte contribuinte
    mãe pai filho filha esposa irmão irmã tia tio pais vizinho vizinha colegas
    nif nipc
    quantidade qtd qtde preço preços artigo artigos descrição unitário soma subtotal percentagem porcentagem desconto taxa
    saldo posição parentesco`,
  fr: `nom prénom prénoms date naissance lieu adresse rue avenue ville commune pays code postal nationalité sexe téléphone
    portable fax courriel objet facture total montant tva ht ttc compte banque titulaire client cliente patient patiente
    médecin docteur hôpital clinique service diagnostic traitement antécédents compte-rendu sortie contrat bailleur
    locataire acheteur vendeur entreprise société employeur salarié salariée signature témoin tribunal demandeur
    défendeur dossier référence police assuré cordialement salutations cher chère bonjour merci annexe page curriculum
    expérience formation langues profession immatriculation véhicule passeport
    mère père fils fille mari épouse époux frère sœur tante oncle parents voisin voisine collègues
    madame monsieur veuillez loisirs compte rendu centres intérêt diplômes stage
    siret siren ipp rib insee
    quantité qté prix désignation unitaire somme sous-total pourcentage remise taux solde poste article articles libellé rpps parenté`,
  it: `nome cognome data nascita luogo indirizzo via viale piazza città comune provincia paese cap nazionalità sesso telefono
    cellulare fax posta oggetto fattura totale importo imponibile iva conto banca intestatario cliente paziente medico
    dottore ospedale clinica reparto diagnosi terapia anamnesi referto dimissione contratto locatore conduttore acquirente
    venditore azienda società datore lavoratore firma testimone tribunale attore convenuto pratica riferimento polizza
    assicurato saluti cordiali gentile egregio egregia spettabile ciao grazie allegato pagina curriculum esperienza
    formazione lingue professione targa veicolo passaporto
    madre padre figlio figlia marito moglie fratello sorella zia zio genitori vicino vicina colleghi
    codice fiscale cf p iva
    quantità qtà prezzo prezzi articolo articoli descrizione unitario somma subtotale percentuale sconto aliquota saldo
    posizione parentela`,
  nl: `naam voornaam voornamen achternaam geboortedatum geboorteplaats adres straat huisnummer postcode plaats woonplaats land
    nationaliteit geslacht man vrouw telefoon telefoonnummer mobiel fax betreft onderwerp datum factuur factuurnummer totaal
    bedrag btw rekening rekeningnummer bank klant klantnummer patiënt patiënte arts huisarts ziekenhuis kliniek afdeling
    diagnose behandeling medicatie voorgeschiedenis verslag ontslag opname contract huurovereenkomst overeenkomst
    verhuurder huurder koper verkoper werkgever werknemer handtekening getuige rechtbank eiser gedaagde dossier kenmerk
    polis verzekerde groet groeten hoogachtend geachte beste hallo hoi bedankt bijlage pagina curriculum werkervaring
    opleiding talen beroep kenteken voertuig paspoort
    moeder vader zoon dochter echtgenoot echtgenote broer zus tante oom ouders buurman buurvrouw collega collega's
    bsn kvk
    aantal prijs prijzen omschrijving stukprijs eenheid som subtotaal percentage korting tarief saldo positie artikel`,
  pl: `imię imiona nazwisko data urodzenia miejsce adres ulica miasto miejscowość kraj kod pocztowy obywatelstwo płeć telefon
    komórka faks mail temat dotyczy faktura razem kwota netto brutto vat konto rachunek bank klient klientka pacjent
    pacjentka lekarz szpital klinika przychodnia oddział rozpoznanie leczenie wywiad wypis przyjęcie umowa wynajmujący
    najemca kupujący sprzedający sprzedawca nabywca firma spółka pracodawca pracownik podpis świadek sąd powód pozwany
    sprawa sygnatura polisa ubezpieczony pozdrawiam pozdrowienia szanowny szanowna szanowni cześć dzień dobry dziękuję
    załącznik strona życiorys doświadczenie wykształcenie języki zawód rejestracyjny pojazd paszport zamieszkały
    zamieszkała
    matka ojciec syn córka mąż żona brat siostra ciocia wujek rodzice sąsiad sąsiadka pacjentki
    pesel nip regon krs numerem numeru
    ilość cena ceny suma procent rabat stawka saldo pozycja poz lp nazwa wartość jednostkowa towar usługa pokrewieństwo`,
}

let known: Set<string> | undefined

/** Whether a text says no more than the words by which forms name their parts. */
export function isFormWords(text: string): boolean {
  known ??= new Set(Object.values(lists).flatMap(list => list.split(/\s+/)))
  const parted = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const words = parted.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.some(word => known!.has(word)) && words.every(word => known!.has(word) || isStopWord(word))
}
