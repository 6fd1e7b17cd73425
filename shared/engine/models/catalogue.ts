import type { ModelReference } from './model.ts'

/** What is known of a model without loading it. */
export type CatalogueEntry = ModelReference & {
  description: string
  labels: readonly string[]
  /** BCP 47 languages, those it was made for first; empty when it does not depend on the language. */
  languages: readonly string[]
}

/** The models that ship with the service. A test holds this against the models themselves. */
export const shippedModels: readonly CatalogueEntry[] = [
  {
    modelId: 'pii-ner',
    modelVersion: '1.0.0',
    description: 'Names, places, organisations, addresses, dates and other identifying facts in running text',
    labels: ['PERSON', 'LOCATION', 'ORGANIZATION', 'ADDRESS', 'DATE', 'AGE', 'DEMOGRAPHIC', 'ID', 'PHONE', 'QUANTITY'],
    languages: ['en', 'es', 'de', 'pt', 'no', 'sv', 'da'],
  },
  {
    modelId: 'pii-patterns',
    modelVersion: '1.0.0',
    description: 'Identifiers with a form of their own, proven by their checksums and the words around them',
    labels: [
      'BANK_ACCOUNT',
      'COORDINATES',
      'CRYPTO_ADDRESS',
      'DATE',
      'DATE_OF_BIRTH',
      'DEVICE_ID',
      'DRIVING_LICENCE',
      'EMAIL',
      'HEALTH_ID',
      'IBAN',
      'ID',
      'IP_ADDRESS',
      'MAC_ADDRESS',
      'NATIONAL_ID',
      'PASSPORT',
      'PAYMENT_CARD',
      'PHONE',
      'SECRET',
      'SOCIAL_SECURITY',
      'TAX_ID',
      'URL',
      'USERNAME',
      'VEHICLE_ID',
    ],
    languages: [],
  },
]

/** Whether a model ships with the service. */
export const isShipped = ({ modelId, modelVersion }: ModelReference): boolean =>
  shippedModels.some(model => model.modelId === modelId && model.modelVersion === modelVersion)
