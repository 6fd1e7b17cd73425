/**
 * What a label tells of a person: a `direct` identifier points at one person or household by itself, a `quasi` one only
 * together with others (a date, an age, a town, an employer).
 */
export type LabelGroup = 'direct' | 'quasi'

const labels: Readonly<Record<LabelGroup, readonly string[]>> = {
  direct: [
    'PERSON',
    'ADDRESS',
    'EMAIL',
    'PHONE',
    'USERNAME',
    'URL',
    'DATE_OF_BIRTH',
    'ID',
    'NATIONAL_ID',
    'SOCIAL_SECURITY',
    'TAX_ID',
    'HEALTH_ID',
    'PASSPORT',
    'DRIVING_LICENCE',
    'VEHICLE_ID',
    'IBAN',
    'BANK_ACCOUNT',
    'PAYMENT_CARD',
    'CRYPTO_ADDRESS',
    'IP_ADDRESS',
    'MAC_ADDRESS',
    'DEVICE_ID',
    'COORDINATES',
    'SECRET',
  ],
  quasi: ['LOCATION', 'ORGANIZATION', 'DATE', 'AGE', 'DEMOGRAPHIC', 'QUANTITY'],
}

const groups = new Map<string, LabelGroup>(
  (['direct', 'quasi'] as const).flatMap(group => labels[group].map((label): [string, LabelGroup] => [label, group])),
)

/** The group of a label of the shipped models; undefined for those of other models. */
export const labelGroup = (label: string): LabelGroup | undefined => groups.get(label)

/** The labels of some groups, of those that a model has: what a rule names as its `entities` to ask for these groups only. */
export const labelsOf = (model: { labels: readonly string[] }, chosen: readonly LabelGroup[]): string[] =>
  model.labels.filter(label => chosen.some(group => group === groups.get(label)))
