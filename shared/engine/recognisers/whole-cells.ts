import type { Found } from '../models/model.ts'

/** What the cells of a column are, each as a whole, and which of them are that. */
export type Kind = { name: string; label: string; score: number; cell: RegExp }

const heading = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')

/** A capital and words without a digit; what stands for nothing is no name. */
const nameCell =
  /^(?!(?:N\/?A|[Nn]one|NONE|[Nn]ull|NULL|[Uu]nknown|[Uu]nbekannt|[Ii]nconnue?|[Dd]esconocid[oa]|Other|Yes|No|True|False)$)\p{Lu}[\p{L}\p{M}.'’() /-]{1,60}$/u

const places = heading(
  'city|town|village|home ?town|birth ?place|place of (?:birth|residence)|(?:wohn|geburts)?ort|ortschaft|stadt|ville|commune|lieu de naissance|ciudad|localidad|municipio|población|lugar de nacimiento|citt[àa]|comune|luogo di nascita|cidade|município|localidade|naturalidade|local de nascimento|stad|(?:woon|geboorte)?plaats|miasto|miejscowość|miejsce urodzenia',
)
const persons = heading(
  "(?:first|given|last|middle|maiden|family|full|patient) ?names?|fore ?name|surname|(?:vor|nach|familien|zu|geburts|ruf)name|pr[ée]nom|nom (?:de famille|de naissance|d’usage|d'usage)|apellidos?|cognome|sobrenome|apelido|(?:voor|achter)naam|nazwisko|imi[ęe]",
)
/** Letters and a number, as organisations count those whom they deal with. */
const code = /^\p{Lu}{1,6}[-_/ ]?\d{4,12}$/u
const records = heading(
  'id|mrn|pid|nhc|pat|patients?|patienten?(?:nummer|nr)?|paciente|paziente|pacjent|case|fall(?:nummer|nr)?|akte|aktenzeichen|kunden?(?:nummer|nr)?|customers?|clients?|members?|employees?|mitarbeiter|policy|claim|expediente|historia|dossier',
)

const kinds = {
  place: { name: 'column.place', label: 'LOCATION', score: 0.8, cell: nameCell },
  person: { name: 'column.person', label: 'PERSON', score: 0.8, cell: nameCell },
  record: { name: 'column.record', label: 'ID', score: 0.8, cell: code },
} satisfies Record<string, Kind>

/** Values that must be there where the heading doesn't say what they are, and the shares that decide. */
const fewest = 5
const most = 0.8
const nearlyAll = 0.95

/** What all cells of a column are, by its heading and its first values. */
export function kindOf(heading: string, values: readonly string[]): Kind | undefined {
  const share = (cell: RegExp) => values.filter(text => cell.test(text.trim())).length / Math.max(1, values.length)
  if (places.test(heading) && share(nameCell) >= most) return kinds.place
  if (persons.test(heading) && share(nameCell) >= most) return kinds.person
  if (share(code) < nearlyAll) return undefined
  const isDistinct = values.length >= fewest && new Set(values).size >= values.length * most
  return isDistinct || records.test(heading) ? kinds.record : undefined
}

/** The whole of a cell, where it is what its column holds. */
export function wholeCell({ name: pattern, label, score, cell }: Kind, text: string): Found[] {
  const value = text.trim()
  if (!cell.test(value)) return []
  const start = text.indexOf(value)
  return [{ start, end: start + value.length, label, score, evidence: { by: 'pattern', pattern } }]
}
