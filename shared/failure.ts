/**
 * What may be logged of a failure: its kind and where it was thrown. Messages may quote what they fail on, so only
 * those of AWS, which name resources and actions, are kept.
 */
export function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames = error.stack
    ?.split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, 12)
  return {
    error: error.name,
    code: (error as { code?: unknown }).code,
    ...('$metadata' in error && { message: error.message }),
    ...(error.cause !== undefined && { cause: describeFailure(error.cause) }),
    frames: frames?.map(line => line.trim()),
  }
}
