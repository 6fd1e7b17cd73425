import * as z from 'zod'
import { upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

const MessageId = z.union([upTo(256), z.int()])

/** A request of JSON-RPC 2.0, or without `id` a notification. */
const McpMessage = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: MessageId.optional().describe('Absent from notifications'),
    method: upTo(256),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage' })
export type McpMessage = z.infer<typeof McpMessage>

const McpReply = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: MessageId.nullish(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'McpReply' })

export const mcp = {
  call: {
    route: 'POST /mcp',
    access: 'texts:anonymise',
    audited: false,
    extension: true,
    secretReply: true,
    summary: 'Tools for language models',
    description:
      'The [Model Context Protocol](https://modelcontextprotocol.io) over HTTP, without sessions and streams: takes one message ' +
      'and answers JSON. Its tools anonymise and explain texts as `POST /texts` does, and list workflows and presets.',
    headers: {
      'MCP-Protocol-Version': 'The version of the protocol',
      'Mcp-Method': 'The method of the message',
      'Mcp-Name': 'The tool that is called',
    },
    body: McpMessage,
    reply: McpReply.optional(),
    statuses: {
      202: 'The message was a notification, which has no answer',
      400: 'The protocol does not allow the message; `error` tells why',
      404: 'There is no such method',
    },
  },
  listen: {
    route: 'GET /mcp',
    access: 'texts:anonymise',
    extension: true,
    summary: 'Refuse a stream of messages',
    description: 'The service sends no messages by itself, which the protocol says in this way.',
    reply: z.never(),
    problems: ['method_not_allowed'],
  },
} as const satisfies Resource
