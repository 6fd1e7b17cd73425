/** Why an asset could not be anonymised: the stable codes that a job's `errors[].type` carries. */
export const assetFailures = {
  invalid_workflow: 'The workflow cannot be applied to this asset',
  unsupported_format: 'The content is in no format that the service can anonymise',
  encrypted_file: 'The file is encrypted or protected by a password',
  corrupt_file: 'The file is damaged or does not follow its format',
  limit_exceeded: 'The file exceeds a limit of the service',
  regex_budget: 'A rule exceeded its time budget on this asset',
  model_load_failed: 'An entity-recognition model could not be loaded or run',
  leak_detected: 'The output could not be shown to be free of the replaced values',
  review_outdated: 'The program or a model was changed since the review: copy the job and review it again',
  source_unreachable: 'The source of the asset could not be read',
  timeout: 'The asset took longer than its time limit',
  internal: 'An unexpected failure; the request id leads to the log entry',
} as const

/** A code of {@link assetFailures}. */
export type AssetFailure = keyof typeof assetFailures

/**
 * A failure of one asset with a stable code. The message is shown to users and kept in records, so it must never
 * quote the document: file parts, limits, rule names and positions are fine, text is not.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly type: AssetFailure
  /** Where in the asset or workflow, for example `['rules', ruleId]` or `['pages', '3']`. */
  readonly loc: string[]

  constructor(type: AssetFailure, message: string = assetFailures[type], loc: string[] = []) {
    super(message)
    this.type = type
    this.loc = loc
  }
}

/** Whether the runtime says that a text would have more characters than it can have, about 512 Mi. */
const isTooLong = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_STRING_TOO_LONG' ||
  (error instanceof RangeError && error.message === 'Invalid string length')

/** Runs work on a file; where a text of the file has more characters than the runtime can hold, it exceeds a limit. */
export async function namingTooLong<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTooLong(error)) throw error
    throw new EngineError('limit_exceeded', 'The file has more text in one piece than can be held (512 Mi characters)')
  }
}
