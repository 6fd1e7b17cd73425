/**
 * What may be logged of a failure: its kind and where it was thrown. Messages may quote what they fail on, so only
 * those that a service of AWS gives, which name resources and actions, are kept.
 */
export function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  return {
    error: error.name,
    code: (error as { code?: unknown }).code,
    ...(isOfService(error) && { message: error.message }),
    ...(error.cause !== undefined && { cause: describeFailure(error.cause) }),
    frames: framesOf(error),
  }
}

/** Whether a service has refused something. The SDK gives `$metadata` to failures of its own too, which may quote an answer. */
const isOfService = (error: Error & { $fault?: unknown }): boolean =>
  '$metadata' in error && (error.$fault === 'client' || error.$fault === 'server') && !(error instanceof SyntaxError)

const callee = /(?:(?:async|new|(?:[\w$]+\.)?[gs]et) )*[\w$.#<>[\]]+(?: \[as [\w$.#<>[\]]+\])?/
const place = /(?:file:\/\/|node:|\/)[^\s()]*:\d+:\d+/
const frame = new RegExp(`^\\s+at (?:${callee.source} \\(${place.source}\\)|(?:async )?${place.source})$`)

/** Where an error was thrown. Its stack begins with its message, which may hold lines that look like places. */
function framesOf({ stack, message }: Error): string[] | undefined {
  const at = stack?.indexOf(message) ?? -1
  return stack
    ?.slice(at < 0 ? 0 : at + message.length)
    .split('\n')
    .filter(line => frame.test(line))
    .slice(0, 12)
    .map(line => line.trim())
}
