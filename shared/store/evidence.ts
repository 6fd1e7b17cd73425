/** The program and the models that something was made with. */
export type EngineFacts = {
  version: string
  /** Digest of the files that the worker ran; null where it ran from its sources. */
  bundle: string | null
  /**
   * The models that the rules name. The digest is null of those that have no files. `languages` are those that a model was made
   * for: empty where it depends on none, absent where nothing is known.
   */
  models: { modelId: string; modelVersion: string; sha256: string | null; languages?: string[] }[]
}

/** What is noted of an asset when its result is recorded, for the certificate of its job. */
export type Evidence = {
  /** SHA-256 of the file that it was made from, and of its output, hexadecimal; those of large tables are not known. */
  input: string | null
  output: string | null
  /** What its output, or the chunks of it, were made with. */
  engines: EngineFacts[]
}

/** Each of some engines once. */
export const distinctEngines = (engines: readonly EngineFacts[]): EngineFacts[] => [
  ...new Map(engines.map(engine => [nameOfEngine(engine), engine])).values(),
]

/** What tells engines apart: the rows of the store give the fields of an object in any order. */
export const nameOfEngine = ({ version, bundle, models }: EngineFacts): string =>
  JSON.stringify([version, bundle, models.map(({ modelId, modelVersion, sha256 }) => [modelId, modelVersion, sha256])])
