import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { McpMessage } from '../api/mcp.ts'
import { ProblemError } from '../api/problems.ts'

/** A message of the Model Context Protocol as it came: with the headers that belong to it. */
export type Message = { body: McpMessage; headers: Partial<Record<string, string>> }

/** What is answered to a message: a status and, unless it was a notification, a message. */
export type Exchanged = { status: number; reply: unknown }

/**
 * Answers one message by a server of its own, in whichever version of the protocol it is written. Nothing lasts beyond the
 * answer: there are no sessions, streams and subscriptions.
 */
export async function exchange({ body, headers }: Message, createServer: () => McpServer): Promise<Exchanged> {
  const sent = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    if (!/^[\x20-\x7e]*$/.test(value)) throw new ProblemError({ type: 'invalid_format', loc: ['header', name] })
    sent.set(name, value)
  }
  const request = new Request('http://service/mcp', { method: 'POST', headers: sent, body: JSON.stringify(body) })
  const response = (await isLegacyRequest(request, body))
    ? await answerOlder(request, createServer())
    : await createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request)
  const text = await response.text()
  return { status: response.status, reply: text === '' ? undefined : JSON.parse(text) }
}

/** Versions before 2026-07-28, whose sessions are optional. */
async function answerOlder(request: Request, server: McpServer): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}
