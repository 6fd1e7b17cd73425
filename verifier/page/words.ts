const en = {
  title: 'Check a certificate',
  checking: 'Checking…',
  accepted: 'Accepted',
  refused: 'Refused',
  job: (id: string, outcome: string, at: string, assets: number, files: number) =>
    `Job ${id}, ${outcome} at ${at}: ${assets} assets, ${files} files checked.`,
  signed: ['Signed by the key ', '. Compare it with the one that you know.'],
  logged: (index: number, size: number) => `Entry ${index} of the log, which had ${size} of them.`,
  report: 'Save a report for people',
  unread: 'A file could not be read, or this browser lacks WebCrypto for pages opened from a disk.',
  /** What a refusal is about, by its code, where its own words are not in this language. */
  reasons: {} as Record<string, string>,
}

const de: typeof en = {
  title: 'Ein Zertifikat prüfen',
  checking: 'Wird geprüft …',
  accepted: 'Angenommen',
  refused: 'Abgelehnt',
  job: (id, outcome, at, assets, files) =>
    `Auftrag ${id}, ${outcome} um ${at}: ${assets} Dateien, ${files} davon geprüft.`,
  signed: ['Unterschrieben mit dem Schlüssel ', '. Vergleichen Sie ihn mit dem, den Sie kennen.'],
  logged: (index, size) => `Eintrag ${index} des Protokolls, das ${size} hatte.`,
  report: 'Bericht speichern (englisch)',
  unread: 'Eine Datei konnte nicht gelesen werden, oder diesem Browser fehlt WebCrypto für Seiten von der Festplatte.',
  reasons: {
    malformed: 'Etwas hat nicht die verlangte Form',
    key: 'Kein Schlüssel, dem Sie trauen, hat unterschrieben',
    signature: 'Die Unterschrift passt nicht',
    list: 'Die Liste der Dateien fehlt oder passt nicht',
    proof: 'Der Nachweis für die Datei passt nicht',
    changed: 'Eine Datei wurde geändert',
    missing: 'Ein Ergebnis fehlt',
    unknown: 'Eine Datei gehört nicht zum Auftrag',
    size: 'Eine Datei ist zu groß für diese Seite',
    receipt: 'Die Quittung führt nicht von diesem Zertifikat zum Protokoll',
    log: 'Das Protokoll hat nicht unterschrieben, oder es ist nicht das des aufbewahrten Prüfpunkts',
    witness: 'Ein verlangter Zeuge hat nicht unterschrieben',
  },
}

/** The words of the page in German for browsers that ask for it, and in English for all others. */
export const language = /^de\b/i.test(navigator.language) ? 'de' : 'en'
export const words = { en, de }[language]
