const makers =
  /^(?:https?:\/\/(?:schemas\.(?:microsoft|openxmlformats)\.(?:com|org)|purl\.(?:oclc\.)?org|www\.w3\.org|openoffice\.org|docs\.oasis-open\.org|schemas\.libreoffice\.org|www\.wps\.cn|customooxmlschemas\.google\.com)\/|urn:(?:schemas-microsoft-com|oasis|openoffice|org:documentfoundation|x):)/

/** Whether a namespace is a vocabulary of those who make formats: its names are known and tell of nobody. */
export const isKnownVocabulary = (uri: string): boolean => makers.test(uri)
