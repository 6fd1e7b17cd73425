import type { ProblemType } from '../../shared/api/problems.ts'
import type { Text, Told } from './told.ts'

/** What stands behind the first words of a message in English that all messages of a code share. */
const after =
  (text: string, start: RegExp, otherwise: string) =>
  (msg: string): string =>
    start.test(msg) ? `${text}: ${msg.replace(start, '').replaceAll(' or ', ' oder ')}` : otherwise

/** Names of permissions in a message. */
const permissionsIn = (msg: string): string[] => msg.match(/[a-z-]+:[a-z]+/g) ?? []

const bound = (way: string, otherwise: string) => (msg: string) => {
  const [, number, unit] = /(\d+)(?: (\w+) long)?$/.exec(msg) ?? []
  if (!number) return otherwise
  return `${way} ${number}${unit === 'characters' ? ' Zeichen' : unit === 'entries' ? ' Einträge' : ''}.`
}

const states: Record<string, string> = {
  PENDING: 'nicht begonnen',
  IN_PROGRESS: 'noch nicht fertig',
  SUCCEEDED: 'fertig',
  FAILED: 'fehlgeschlagen',
  CANCELLED: 'abgebrochen',
}
/** What a message says of the state of a job. */
const state = (otherwise: string) => (msg: string) => {
  const known = states[/^The job is (\w+)$/.exec(msg)?.[1] ?? '']
  return known ? `Der Auftrag ist ${known}.` : otherwise
}

/** Problems by their code. */
const ofAnswers: Record<ProblemType, Text> = {
  json_invalid: 'Der Inhalt ist kein JSON.',
  missing: 'Diese Angabe fehlt.',
  unknown_field: 'Diese Angabe gehört nicht in die Anfrage.',
  invalid_type: 'Die Angabe hat die falsche Art:',
  invalid_value: after('Erlaubt', /^Must be /, 'Dieser Wert ist nicht erlaubt:'),
  invalid_format: msg =>
    msg === 'Must be an e-mail address' ? 'Das ist keine E-Mail-Adresse.' : 'Diese Form passt nicht:',
  invalid_union: 'Die Angabe hat keine der erlaubten Formen:',
  too_small: bound('Mindestens', 'Der Wert ist zu klein oder zu kurz.'),
  too_big: bound('Höchstens', 'Der Wert ist zu groß oder zu lang.'),
  too_deep: 'Die Anfrage ist zu tief verschachtelt.',
  conflicting_values: 'Zwei Angaben schließen einander aus:',
  multipart_invalid: 'Das Formular mit den Dateien ist nicht lesbar.',
  config_mismatch: 'Die Einstellungen passen nicht zur Art:',
  regex_syntax: 'Das Muster ist kein gültiger regulärer Ausdruck:',
  regex_too_long: bound('Das Muster ist zu lang. Höchstens', 'Das Muster ist zu lang.'),
  regex_empty_match: 'Das Muster trifft auch auf den leeren Text zu.',
  regex_too_complex: 'Das Muster ist zu aufwendig, um es in begrenzter Zeit zu suchen:',
  validator_unknown: 'Diese Prüfziffer gibt es nicht.',
  entry_invalid: 'Nach einem der Werte kann nicht gesucht werden:',
  model_not_found: 'Dieses Modell gibt es nicht.',
  label_unknown: 'Das Modell findet keine solche Art:',
  password_too_common:
    'Das Passwort ist leicht zu erraten: Es ist verbreitet, folgt einem Muster oder enthält Namen oder Adresse.',
  password_unchanged: 'Das neue Passwort ist dasselbe wie das bisherige.',
  permission_unknown: 'Diese Berechtigung gibt es nicht:',
  permission_for_people: 'Dienstkonten können diese Berechtigung nicht haben:',
  schedule_invalid: 'Der Zeitplan hat keine Zeit oder nichts zu tun, oder er nähme seine eigenen Ergebnisse:',
  secret_kept_for_other_host:
    'Die Adresse ist eine andere. Geben Sie das gespeicherte Geheimnis deshalb noch einmal ein.',
  https_required: 'Die Adresse muss mit https:// beginnen.',
  not_authenticated: 'Sie sind nicht angemeldet.',
  invalid_token: 'Ihre Sitzung gilt nicht mehr. Melden Sie sich neu an.',
  token_expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an.',
  invalid_credentials: 'E-Mail-Adresse oder Passwort ist falsch.',
  second_factor_required: 'Jetzt wird noch ein Code Ihres zweiten Faktors gebraucht.',
  invalid_code: 'Der Code ist falsch oder schon verbraucht.',
  invalid_refresh_token: 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an.',
  sign_on_refused: 'Der Anbieter hat Sie nicht angemeldet, oder seine Antwort ist ungültig.',
  sign_on_expired: 'Die Anmeldung wurde in einem anderen Browser oder vor zu langer Zeit begonnen. Beginnen Sie neu.',
  sign_on_not_allowed: 'Der Anbieter kennt Sie, aber Sie dürfen diesen Dienst nicht nutzen. Fragen Sie die Verwaltung.',
  second_factor_missing: 'Ihre Rolle verlangt mehrere Faktoren, und der Anbieter hat nur nach einem gefragt.',
  invalid_logout_token: 'Die Abmeldung durch den Anbieter ist ungültig.',
  exchange_refused: 'Das Dienstkonto gibt es nicht, oder es vertraut diesem Token nicht.',
  scope_not_allowed: 'Dem Dienstkonto fehlt eine verlangte Berechtigung.',
  permission_denied: msg => {
    const names = permissionsIn(msg)
    if (names.length > 1) return `Dazu fehlen Ihnen die Berechtigungen ${names.join(', ')}.`
    return names.length === 1 ? `Dazu fehlt Ihnen die Berechtigung ${names[0]}.` : 'Das dürfen Sie nicht:'
  },
  address_not_allowed: 'Von dieser Adresse aus ist das nicht erlaubt.',
  password_change_required: 'Ihr Passwort gilt nur vorläufig. Ändern Sie es zuerst.',
  second_factor_setup_required: 'Ihre Rolle verlangt einen zweiten Faktor. Richten Sie ihn zuerst ein.',
  fresh_login_required: 'Dazu müssen Sie sich gerade erst mit einem Code angemeldet haben. Melden Sie sich neu an.',
  host_not_allowed: 'Unter diesem Namen ist der Dienst nicht erreichbar.',
  registration_closed: 'Nur die Verwaltung kann Konten anlegen.',
  not_found: 'Das gibt es nicht, oder es gehört jemand anderem.',
  method_not_allowed: 'Das ist hier nicht möglich.',
  email_taken: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  name_taken: 'Diesen Namen gibt es schon.',
  in_use: after(
    'Es wird noch verwendet von',
    /^Used by the (?:users or service accounts|rules or workflows|open jobs|workflows|rules) /,
    'Es wird noch verwendet.',
  ),
  rule_not_found: 'Der Ablauf nennt eine Regel, die es nicht gibt:',
  list_not_found: 'Diese Liste gibt es nicht.',
  list_full: 'Die Liste hätte dann zu viele Werte:',
  file_not_a_list: 'Die Datei lässt sich nicht als Liste von Werten lesen:',
  hierarchy_invalid: 'Die Datei mit den Stufen lässt sich nicht verwenden:',
  workflow_not_found: 'Diesen Ablauf gibt es nicht.',
  plan_mismatch: 'Die Abläufe des Auftrags passen nicht zusammen:',
  preset_not_found: 'Diese Vorlage gibt es nicht.',
  role_not_found: 'Diese Rolle gibt es nicht.',
  built_in: 'Das ist eingebaut und lässt sich weder ändern noch löschen.',
  wrong_password: 'Das bisherige Passwort ist falsch.',
  wrong_code: 'Der Code ist falsch oder schon verbraucht.',
  second_factor_on: 'Der zweite Faktor ist schon eingeschaltet.',
  second_factor_off: 'Der zweite Faktor ist ausgeschaltet.',
  own_account: 'Niemand kann sich selbst sperren, herabstufen oder löschen.',
  last_administrator: 'Das letzte Konto der Verwaltung lässt sich nicht sperren, herabstufen oder löschen.',
  job_not_pending: state('Der Auftrag hat schon begonnen.'),
  job_in_progress: 'Der Auftrag läuft noch.',
  job_finished: state('Der Auftrag ist schon beendet.'),
  job_not_finished: state('Der Auftrag ist noch nicht fertig.'),
  job_without_results: 'Der Auftrag hat keine Ergebnisse.',
  job_not_from_source: 'Der Auftrag wurde nicht aus dieser Quelle geladen; sie hat die Originale nicht.',
  delivery_in_progress: 'Die Ergebnisse des Auftrags werden gerade geliefert.',
  inputs_gone: 'Die Dateien des Auftrags sind nicht mehr alle da.',
  job_empty: 'Der Auftrag hat keine Dateien.',
  workflow_required: 'Für den Auftrag oder eine seiner Dateien ist kein Ablauf gewählt.',
  asset_not_ready: msg => {
    const [, name] = /^(.*) is (?:UPLOADING|LOADING|FAILED)$/s.exec(msg) ?? []
    return name ? `${name} ist noch nicht bereit.` : 'Eine Datei des Auftrags ist noch nicht bereit.'
  },
  asset_gone: 'Die Datei gibt es nicht mehr.',
  cannot_show: 'Die Datei lässt sich nicht zeigen:',
  columns_unknown: 'Die Datei hat keine Spalten, die sich ansehen lassen:',
  asset_type_mismatch: msg => {
    const [, name, of] = /^(.*) is a (DOCUMENT|TABLE), the workflow is for /s.exec(msg) ?? []
    if (!of) return 'Der Ablauf passt nicht zur Art der Dateien:'
    return of === 'TABLE'
      ? `${name} ist eine Tabelle, der Ablauf ist für Dokumente.`
      : `${name} ist ein Dokument, der Ablauf ist für Tabellen.`
  },
  asset_in_use: 'Die Datei gehört zu einem Auftrag, der sich nicht mehr ändern lässt.',
  upload_incomplete: 'Eine Datei ist nicht so angekommen, wie sie angekündigt war:',
  source_unknown: 'Diese Quelle gibt es nicht.',
  source_type_mismatch: 'Die Quelle ist von anderer Art.',
  source_kind_unavailable: 'Quellen dieser Art nehmen diese Ergebnisse nicht an, oder nicht so:',
  file_not_found: 'In der Quelle gibt es diese Datei nicht.',
  idempotency_mismatch: 'Derselbe Schlüssel wurde schon für eine andere Anfrage verwendet.',
  idempotency_in_progress: 'Dieselbe Anfrage läuft noch.',
  model_load_failed: 'Ein Modell lässt sich nicht laden oder ausführen:',
  text_refused: 'Der Text lässt sich mit diesen Regeln nicht anonymisieren:',
  session_invalid: 'Die Sitzung wurde verändert, ist abgelaufen oder gehört jemand anderem.',
  session_full: 'Die Sitzung ist voll. Beginnen Sie eine neue.',
  regex_budget: 'Eine Regel braucht zu lange. Nichts wurde ausgegeben:',
  too_many_generations: 'Der Schlüssel hat so viele Generationen, wie möglich sind.',
  too_many_keys: 'Das Dienstkonto hat schon zwei gültige Schlüssel. Widerrufen Sie zuerst einen.',
  key_unknown: 'Diesen Schlüssel hat das Dienstkonto nicht.',
  generation_unknown: 'Diese Generation hat der Schlüssel nicht.',
  own_request: 'Niemand kann über die eigene Anforderung entscheiden.',
  already_decided: 'Darüber ist schon entschieden, oder die Frist ist abgelaufen.',
  not_approved: 'Die Anforderung ist nicht genehmigt, schon geöffnet oder abgelaufen.',
  nothing_reversible: 'Es gibt nichts, was sich wiederherstellen ließe.',
  already_destroyed: 'Der Schlüssel ist schon vernichtet.',
  not_in_review: 'Der Auftrag wartet nicht auf eine Prüfung.',
  review_changed: 'Inzwischen hat jemand anderes entschieden. Sehen Sie sich das zuerst an.',
  finding_unknown: 'Diesen Fund oder diese Entscheidung gibt es nicht.',
  page_unknown: 'Diese Seite gibt es nicht, oder es gibt kein Bild von ihr.',
  too_many_webhooks: 'Mehr Webhooks sind nicht möglich.',
  webhook_disabled: 'Der Webhook ist abgeschaltet.',
  attempt_pending: 'Das Ereignis wird gerade noch an den Webhook gesendet.',
  source_config_invalid: 'Die Einstellungen der Quelle passen nicht zusammen:',
  source_dns_failed: 'Der Hostname der Quelle lässt sich nicht auflösen.',
  source_egress_denied: 'Zu dieser Adresse darf der Dienst keine Verbindung aufnehmen.',
  source_unreachable: 'Die Quelle ist nicht erreichbar.',
  source_timeout: 'Die Quelle hat nicht rechtzeitig geantwortet.',
  source_tls_untrusted: 'Die Quelle verschlüsselt nicht, oder ihr Zertifikat ist nicht vertrauenswürdig:',
  source_host_key_unknown: 'Der Schlüssel des Hosts ist noch nicht bekannt. Prüfen Sie zuerst die Verbindung:',
  source_host_key_mismatch: 'Der Schlüssel des Hosts ist nicht der bestätigte:',
  source_auth_failed: 'Die Quelle nimmt die Zugangsdaten nicht an.',
  source_permission_denied: 'Die Quelle verweigert den Zugriff:',
  source_not_found: 'In der Quelle gibt es diese Datenbank, diesen Ordner, diese Datei oder diese Tabelle nicht:',
  source_conflict: 'Das Ziel gibt es schon, oder es hat sich inzwischen geändert.',
  source_throttled: 'Die Quelle will seltener gefragt werden. Versuchen Sie es später noch einmal.',
  source_limit_exceeded: 'Die Quelle enthält mehr, als dieser Dienst erlaubt:',
  source_unsupported: 'Das kann die Quelle nicht:',
  source_connection_lost: 'Die Verbindung zur Quelle ist abgebrochen.',
  source_failed: 'Die Quelle meldet einen Fehler:',
  payload_too_large: 'Die Anfrage ist zu groß.',
  unsupported_media_type: 'Diese Art von Inhalt nimmt der Dienst hier nicht an.',
  rate_limited: 'Zu viele Anfragen. Warten Sie einen Augenblick.',
  quota_exceeded: 'Das Kontingent Ihrer Rolle für heute ist aufgebraucht oder reicht nicht:',
  too_many_running: 'Zu viele Ihrer Aufträge laufen oder warten. Versuchen Sie es, wenn einige fertig sind.',
  too_many_attempts: 'Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es später noch einmal.',
  internal: 'Ein unerwarteter Fehler ist aufgetreten.',
  bad_gateway: 'Der Dienst hat keine gültige Antwort gegeben. Versuchen Sie es noch einmal.',
  unavailable: 'Ein Teil des Dienstes ist überlastet. Versuchen Sie es noch einmal.',
  provider_unavailable: 'Der Anbieter ist nicht erreichbar oder antwortet nicht wie erwartet.',
  gateway_timeout: 'Die Anfrage hat zu lange gedauert.',
}

/** Of what else a job or a file of it can fail. */
const ofJobs: Record<string, Text> = {
  invalid_workflow: 'Der Ablauf lässt sich auf diese Datei nicht anwenden:',
  unsupported_format: 'Dieses Format kann der Dienst nicht anonymisieren:',
  encrypted_file: 'Die Datei ist verschlüsselt oder durch ein Passwort geschützt.',
  corrupt_file: 'Die Datei ist beschädigt oder hält sich nicht an ihr Format:',
  limit_exceeded: 'Die Datei überschreitet eine Grenze des Dienstes:',
  leak_detected: 'Es ließ sich nicht zeigen, dass die Ausgabe keinen der ersetzten Werte mehr enthält:',
  timeout: 'Das hat länger gedauert als erlaubt:',
  review_rejected: 'Der Auftrag wurde in der Prüfung abgelehnt.',
  review_outdated:
    'Programm oder Modell wurde nach der Prüfung geändert. Kopieren Sie den Auftrag und prüfen Sie ihn neu.',
  review_expired: 'Niemand hat den Auftrag rechtzeitig freigegeben.',
}

/** Notes on files, sources and models by what the service says in English. */
const ofNotes: Record<string, string> = {
  // Of files: what was left out
  'XML comments': 'Kommentare im XML',
  'XML maps': 'XML-Zuordnungen',
  'add-ins': 'Add-ins',
  actions: 'Aktionen',
  'annotations and form fields (kept as page content)':
    'Anmerkungen und Formularfelder (als Inhalt der Seiten erhalten)',
  'annotations and form fields that nothing showed': 'Anmerkungen und Formularfelder, die nirgends zu sehen waren',
  'annotations without an appearance, which some viewers draw by rules of their own':
    'Anmerkungen ohne eigene Darstellung, die manche Programme nach eigenen Regeln zeichnen',
  attachments: 'Anhänge',
  'building blocks': 'Bausteine',
  'bytes behind the end': 'Bytes hinter dem Ende',
  'calculation order': 'Reihenfolge der Berechnung',
  'change history': 'Änderungsverlauf',
  'content that nothing shows': 'Inhalt, der nirgends zu sehen ist',
  'custom XML': 'eigenes XML',
  'data connections': 'Datenverbindungen',
  'data models': 'Datenmodelle',
  'data of fields': 'Daten von Feldern',
  'data types': 'Datentypen',
  'dates of comments': 'Daten von Kommentaren',
  'dates of messages': 'Daten von Nachrichten',
  'deleted text': 'gelöschter Text',
  'document information': 'Angaben zum Dokument',
  'document type declarations': 'Dokumenttyp-Deklarationen',
  'document variables': 'Dokumentvariablen',
  'editing sessions': 'Bearbeitungssitzungen',
  'embedded files': 'eingebettete Dateien',
  'embedded fonts': 'eingebettete Schriften',
  'embedded objects': 'eingebettete Objekte',
  'external links': 'Verknüpfungen nach außen',
  'fields of properties (kept as text)': 'Felder von Eigenschaften (als Text erhalten)',
  'form controls': 'Steuerelemente',
  'form fields': 'Formularfelder',
  'formulas that fill several cells': 'Formeln, die mehrere Zellen füllen',
  'formulas without a value': 'Formeln ohne Wert',
  'headers of tables': 'Köpfe von Tabellen',
  'key-value metadata': 'Metadaten',
  'links to scripts and files': 'Verweise auf Skripte und Dateien',
  location: 'Ort',
  macros: 'Makros',
  'mail-merge settings': 'Einstellungen für Serienbriefe',
  'marks of changes': 'Änderungsmarken',
  media: 'Medien',
  metadata: 'Metadaten',
  'names of people': 'Namen von Personen',
  pictures: 'Bilder',
  'pictures that no page shows': 'Bilder, die keine Seite zeigt',
  'pivot tables': 'Pivot-Tabellen',
  'preambles and epilogues': 'Vor- und Nachspann',
  previews: 'Vorschaubilder',
  'printer settings': 'Druckereinstellungen',
  'private settings': 'private Einstellungen',
  properties: 'Eigenschaften',
  'results of formulas': 'Ergebnisse von Formeln',
  scenarios: 'Szenarien',
  scripts: 'Skripte',
  'settings of the ribbon': 'Einstellungen des Menübands',
  'settings of web pages': 'Einstellungen für Webseiten',
  signatures: 'Signaturen',
  slicers: 'Datenschnitte',
  tasks: 'Aufgaben',
  'template links': 'Verweise auf Vorlagen',
  'text in patterns and masks': 'Text in Mustern und Masken',
  'transport headers': 'Kopfzeilen der Übermittlung',
  // Of files: warnings
  'A metafile was emptied unread: the file holds more drawings than are read':
    'Eine Metadatei wurde ungelesen geleert: Die Datei enthält mehr Zeichnungen, als gelesen werden',
  'A metafile was emptied: its outlines or pictures showed a value, or its font lacks letters':
    'Eine Metadatei wurde geleert: Ihre Umrisse oder Bilder zeigten einen Wert, oder ihrer Schrift fehlen Buchstaben',
  'Columns compressed by LZ4 were written with Snappy': 'Mit LZ4 gepackte Spalten wurden mit Snappy geschrieben',
  'Columns that had different names are called the same now': 'Spalten mit verschiedenen Namen heißen jetzt gleich',
  'Hidden texts and formulas of cells were taken out as a whole':
    'Verborgene Texte und Formeln von Zellen wurden als Ganzes entfernt',
  'Hidden texts and formulas of some parts were taken out as a whole':
    'Verborgene Texte und Formeln mancher Teile wurden als Ganzes entfernt',
  'Labels show letters of other alphabets than the Latin one as dots':
    'Marken zeigen Buchstaben anderer Schriften als der lateinischen als Punkte',
  'Layers that are switched off were read as text only: pictures that only they show were left out, drawings were kept unread':
    'Ausgeschaltete Ebenen wurden nur als Text gelesen: Bilder, die nur sie zeigen, wurden weggelassen, Zeichnungen ungelesen behalten',
  'Outlines of a drawing were not looked into: letters may be among them':
    'Umrisse einer Zeichnung wurden nicht untersucht: Buchstaben können darunter sein',
  'Pictures were kept as they are and not looked into': 'Bilder blieben, wie sie sind, und wurden nicht untersucht',
  'Text in pictures was found by optical character recognition, which may miss some':
    'Text in Bildern wurde durch Texterkennung gefunden, der etwas entgehen kann',
  'The name of the file was changed: it held what the rules replace':
    'Der Name der Datei wurde geändert: Er enthielt, was die Regeln ersetzen',
  'The text of a replacement holds a value that it replaces, which so stays in the output':
    'Der Text einer Ersetzung enthält einen Wert, den er ersetzt und der so in der Ausgabe bleibt',
  'The name of the file was changed: not every system takes such a name':
    'Der Name der Datei wurde geändert: Nicht jedes System nimmt so einen Namen an',
  // Of sources
  'Password and files travel readable by anyone on the way': 'Passwort und Dateien sind unterwegs für alle lesbar',
  'The connection is not encrypted': 'Die Verbindung ist nicht verschlüsselt',
  'The host key was taken as shown: compare it with the one the operator names':
    'Der Schlüssel des Hosts wurde angenommen, wie er gezeigt wurde: Vergleichen Sie ihn mit dem, den der Betreiber nennt',
  'The server’s certificate is not verified': 'Das Zertifikat des Servers wird nicht geprüft',
  // Of checksums
  'Brazil: number of a company': 'Brasilien: Nummer eines Unternehmens',
  'Brazil: number of a person': 'Brasilien: Nummer einer Person',
  'France: number of social security': 'Frankreich: Nummer der Sozialversicherung',
  'Germany: Steuer-Identifikationsnummer, 11 digits': 'Deutschland: Steuer-Identifikationsnummer, 11 Ziffern',
  'IBAN of a country of the register, with its length': 'IBAN eines Landes aus dem Register, mit ihrer Länge',
  'ISBN of 10 or 13 digits': 'ISBN mit 10 oder 13 Ziffern',
  'Identity of a mobile device, 15 digits': 'Kennung eines Mobilgeräts, 15 Ziffern',
  'India: Aadhaar, 12 digits': 'Indien: Aadhaar, 12 Ziffern',
  'Italy: codice fiscale': 'Italien: codice fiscale',
  'Legal entity identifier, 20 characters': 'Kennung von Rechtsträgern (LEI), 20 Zeichen',
  'Netherlands: burgerservicenummer': 'Niederlande: burgerservicenummer',
  'Numbers of cards and others with a Luhn digit': 'Nummern von Karten und andere mit einer Luhn-Ziffer',
  'Poland: number of a company': 'Polen: Nummer eines Unternehmens',
  'Poland: number of a person': 'Polen: Nummer einer Person',
  'Poland: tax number': 'Polen: Steuernummer',
  'Spain: DNI of citizens and NIE of foreigners': 'Spanien: DNI von Staatsangehörigen und NIE von anderen',
  'United Kingdom: NHS number, 10 digits': 'Vereinigtes Königreich: NHS-Nummer, 10 Ziffern',
  'United States: ABA routing number, 9 digits': 'Vereinigte Staaten: ABA-Bankleitzahl, 9 Ziffern',
  'Vehicle identification number with a check digit (North America)':
    'Fahrzeug-Identifizierungsnummer mit Prüfziffer (Nordamerika)',
  // Of models
  'Replaced by 2.5.0, which reads for it': 'Ersetzt durch 2.5.0, das für es liest',
  'Identifiers with a form of their own, proven by their checksums and the words around them':
    'Kennzeichen mit eigener Form, belegt durch Prüfziffern und die Wörter daneben',
  'Names, places, organisations, addresses, dates and other identifying facts in running text':
    'Namen, Orte, Organisationen, Adressen, Daten und andere verräterische Angaben in Fließtext',
  'Names, places, organisations, addresses, dates and other identifying facts in text of many languages':
    'Namen, Orte, Organisationen, Adressen, Daten und andere verräterische Angaben in Texten vieler Sprachen',
}

const pagesRead = /^Text in pictures could hardly be read on: /

export const told: Told = {
  problems: { ...ofAnswers, ...ofJobs },
  note: note =>
    pagesRead.test(note)
      ? note.replace(pagesRead, 'Text in Bildern war kaum zu lesen auf: ').replaceAll('page ', 'Seite ')
      : (ofNotes[note] ?? note),
}
