import type { ModelReference } from './model.ts'

/** What is known of a model without loading it. */
export type CatalogueEntry = ModelReference & {
  description: string
  labels: readonly string[]
  /** BCP 47 languages, those it was made for first; empty when it does not depend on the language. */
  languages: readonly string[]
  licence: string
}

const multilingual: CatalogueEntry = {
  modelId: 'pii-ner',
  modelVersion: '2.5.0',
  description: 'Names, places, organisations, addresses, dates and other identifying facts in text of many languages',
  labels: ['PERSON', 'LOCATION', 'ORGANIZATION', 'ADDRESS', 'DATE', 'AGE', 'DEMOGRAPHIC', 'ID', 'PHONE', 'QUANTITY'],
  languages: 'en es de pt fr it nl pl sv no da ro cs sk hr sl ru uk bg fi hu lt lv et el tr'.split(' '),
  licence: 'Apache-2.0',
}
/** Its versions that ship no more, which it reads for. */
const replaced = ['2.4.0', '2.3.0', '2.2.0', '2.1.0']

/**
 * The models that ship with the service. A test holds this against the models themselves. Of several versions the first
 * is the usual one.
 */
export const shippedModels: readonly CatalogueEntry[] = [
  multilingual,
  {
    modelId: 'pii-patterns',
    modelVersion: '1.0.0',
    description: 'Identifiers with a form of their own, proven by their checksums and the words around them',
    labels: [
      'ADDRESS',
      'AGE',
      'BANK_ACCOUNT',
      'COORDINATES',
      'CRYPTO_ADDRESS',
      'DATE',
      'DATE_OF_BIRTH',
      'DEMOGRAPHIC',
      'DEVICE_ID',
      'DRIVING_LICENCE',
      'EMAIL',
      'HEALTH_ID',
      'IBAN',
      'ID',
      'IP_ADDRESS',
      'LOCATION',
      'MAC_ADDRESS',
      'NATIONAL_ID',
      'ORGANIZATION',
      'PASSPORT',
      'PAYMENT_CARD',
      'PERSON',
      'PHONE',
      'QUANTITY',
      'SECRET',
      'SOCIAL_SECURITY',
      'TAX_ID',
      'URL',
      'USERNAME',
      'VEHICLE_ID',
    ],
    languages: [],
    licence: 'Apache-2.0',
  },
  ...replaced.map(modelVersion => ({
    ...multilingual,
    modelVersion,
    description: `Replaced by ${multilingual.modelVersion}, which reads for it`,
  })),
  {
    modelId: 'pii-ner',
    modelVersion: '1.0.0',
    description: 'Names, places, organisations, addresses, dates and other identifying facts in running text',
    labels: ['PERSON', 'LOCATION', 'ORGANIZATION', 'ADDRESS', 'DATE', 'AGE', 'DEMOGRAPHIC', 'ID', 'PHONE', 'QUANTITY'],
    languages: ['en', 'es', 'de', 'pt', 'no', 'sv', 'da'],
    licence: 'Apache-2.0',
  },
]

/** One version of each shipped model: what presets use, and the command line where no version is given. */
export const usualModels: readonly CatalogueEntry[] = shippedModels.filter(
  (model, at) => shippedModels.findIndex(({ modelId }) => modelId === model.modelId) === at,
)

/** The version of a model, and the one that reads for it where it ships no more, so that rules which name it go on working. */
export const versionsOf = ({ modelId, modelVersion }: ModelReference): string[] =>
  modelId === multilingual.modelId && replaced.includes(modelVersion)
    ? [modelVersion, multilingual.modelVersion]
    : [modelVersion]

/** Models that AWS Comprehend runs, under the names of its own types. */
export const comprehendModels: readonly CatalogueEntry[] = [
  {
    modelId: 'aws-comprehend-pii',
    modelVersion: 'managed',
    description: 'Personal data found by AWS Comprehend (DetectPiiEntities)',
    labels: `ADDRESS AGE AWS_ACCESS_KEY AWS_SECRET_KEY BANK_ACCOUNT_NUMBER BANK_ROUTING CA_HEALTH_NUMBER
      CA_SOCIAL_INSURANCE_NUMBER CREDIT_DEBIT_CVV CREDIT_DEBIT_EXPIRY CREDIT_DEBIT_NUMBER DATE_TIME DRIVER_ID EMAIL
      INTERNATIONAL_BANK_ACCOUNT_NUMBER IN_AADHAAR IN_NREGA IN_PERMANENT_ACCOUNT_NUMBER IN_VOTER_NUMBER IP_ADDRESS
      LICENSE_PLATE MAC_ADDRESS NAME PASSPORT_NUMBER PASSWORD PHONE PIN SSN SWIFT_CODE UK_NATIONAL_HEALTH_SERVICE_NUMBER
      UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER URL USERNAME US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER
      VEHICLE_IDENTIFICATION_NUMBER`.split(/\s+/),
    languages: ['en', 'es'],
    licence: 'AWS service terms',
  },
  {
    modelId: 'aws-comprehend-entities',
    modelVersion: 'managed',
    description: 'Entities found by AWS Comprehend (DetectEntities)',
    labels: 'COMMERCIAL_ITEM DATE EVENT LOCATION ORGANIZATION OTHER PERSON QUANTITY TITLE'.split(' '),
    languages: ['en', 'es', 'fr', 'de', 'it', 'pt', 'ar', 'hi', 'ja', 'ko', 'zh', 'zh-TW'],
    licence: 'AWS service terms',
  },
]

/** Whether the service has a model without anybody putting it into the models bucket. */
export const isBuiltIn = ({ modelId, modelVersion }: ModelReference): boolean =>
  [...shippedModels, ...comprehendModels].some(
    known => known.modelId === modelId && known.modelVersion === modelVersion,
  )
