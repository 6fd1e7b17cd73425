import { expect } from 'vitest'
import type { Person, Reply, Service } from './setup.ts'

/** What every identifier and every instant looks like. */
export const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
export const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
export const stamps = { createdAt: time, updatedAt: time }

type Problem = { loc: string[]; type: string; msg: string }

/** The problems of a refusal. */
export const problemsOf = ({ body }: Reply): Problem[] => (body as { detail: Problem[] }).detail

/** Ways to send requests as somebody; `good` expects a success and answers its body. */
export function talk(service: Service, somebody: Person) {
  const send = (method: string, path: string, body?: unknown, person = somebody) =>
    service.send(method, path, { token: person.token, body })
  const good = async (method: string, path: string, body?: unknown, person = somebody) => {
    const reply = await send(method, path, body, person)
    expect([reply.status, reply.text.slice(0, 300)]).toEqual([200, expect.anything()])
    // biome-ignore lint/suspicious/noExplicitAny: tests look at fields one by one
    return reply.body as any
  }
  return { send, good }
}
