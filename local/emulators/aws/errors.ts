/**
 * A refusal in the words of an AWS service: `code` is the error name that its clients see, `status` the HTTP status and
 * `fields` what else the error carries on the wire (`CancellationReasons`, `Item`). Messages never quote stored data.
 */
export class AwsError extends Error {
  override readonly name = 'AwsError'
  readonly code: string
  readonly status: number
  readonly fields: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, status = 400, fields: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.status = status
    this.fields = fields
  }
}

/** A request whose shape or combination of parameters the service refuses (`ValidationException`, 400). */
export const invalid = (message: string) => new AwsError('ValidationException', message)

/** Prints that an emulator itself failed: the kind of error and where, never its message, which may quote stored data. */
export function reportFailure(service: string, action: string, error: unknown): void {
  const { stack = '', message } = error instanceof Error ? error : { message: '' }
  // The stack begins with the message.
  const lines = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n')
  const frames = lines.filter(line => /^\s+at (\S+ )*\(?\S+:\d+:\d+\)?$/.test(line))
  const name = error instanceof Error ? error.constructor.name : typeof error
  console.error(`[${service}] ${action} failed: ${name}\n${frames.slice(0, 6).join('\n')}`)
}
