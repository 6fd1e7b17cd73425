const makers =
  /^(?:https?:\/\/(?:schemas\.(?:microsoft|openxmlformats)\.(?:com|org)|purl\.(?:oclc\.)?org|www\.w3\.org|openoffice\.org|docs\.oasis-open\.org|schemas\.libreoffice\.org|www\.wps\.cn|customooxmlschemas\.google\.com)\/|urn:(?:schemas-microsoft-com|oasis|openoffice|org:documentfoundation|x):)/

/** Whether a namespace is a vocabulary of those who make formats: its names are known and tell of nobody. */
export const isKnownVocabulary = (uri: string): boolean => makers.test(uri)

/** Prefixes that office programs write: short ones, those with the number of a version, and these. */
const usualPrefix =
  /^(?:[a-zA-Z]{0,2}|[a-z]{1,4}\d{1,3}[a-zA-Z]{0,6}\d?|ns\d*|(?:xml|xmlns|aink|anim|calcext|chart|chartooo|clbl|cml|config|css3t|dc|dcmitype|dcterms|dgm|dom|draw|drawooo|dsp|field|form|formx|grddl|loext|manifest|math|mdssi|number|odc|odgm|odi|odoc|odq|odx|office|officeooo|ooo|oooc|ooow|pic|pkg|pvml|rdf|rel|rpt|script|smil|style|svg|table|tableooo|text|meta|presentation|wne|wpc|wpg|wpi|wps|xcalcf|xda|xdr|xforms|xhtml|xlink|xpdl|xsd|xsi)\d*)$/

/** Whether a prefix is one that programs give. */
export const isUsualPrefix = (prefix: string): boolean => usualPrefix.test(prefix)
