import { ProblemError } from '../api/problems.ts'

type Request = { baseUrl: string }

/** A place of the console. */
export const consoleAt = ({ baseUrl }: Request, ...parts: string[]): string =>
  `${baseUrl}/console/#/${parts.map(encodeURIComponent).join('/')}`

/** Runs a step of a log-in; where it is refused, a browser goes on to the console, which says why. */
export async function toConsole<T>(request: Request, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const place = consoleAt(request, 'not-signed-on', error.detail[0]!.type)
    throw new ProblemError(error.detail, { ...error.headers, Refresh: `0; url=${place}` })
  }
}
