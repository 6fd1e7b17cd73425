import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { addLabels } from 'anonymisation-engine'
import { presets } from 'anonymisation-engine/presets'
import * as z from 'zod'
import { MAX_CHARACTERS } from '../../shared/api/texts.ts'
import { version } from '../../shared/api/version.ts'
import type { Roots } from './roots.ts'
import { countsOf, type Work, whyNot } from './work.ts'

/** What the tools work with; `preset` is the one that was chosen, if any. */
export type Tools = { work: Work; roots: Roots; restores: boolean; preset: string | undefined }

const Text = z.strictObject({ text: z.string().min(1).max(MAX_CHARACTERS) })
const Path = z.strictObject({
  path: z.string().min(1).max(4096).describe('From the first folder that the server may use, or a whole one'),
})

const counts = z.record(z.string(), z.int()).describe('How much was found, by label')
const Finding = z.object({
  start: z.int().describe('UTF-16 code units'),
  end: z.int(),
  label: z.string(),
  score: z.number(),
  by: z.string().describe('What found it'),
  pattern: z.string().optional().describe('The recogniser or checksum, by name'),
})
const Told = z.object({
  format: z.string(),
  counts,
  removed: z.array(z.object({ what: z.string(), count: z.int() })).describe('What the output lacks besides'),
  notes: z.array(z.string()),
})

const reads = { readOnlyHint: true, openWorldHint: false } as const
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const

/** A result for programs, and the same as text for clients that know no other. */
const answered = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** A tool's function: whatever goes wrong becomes a result that says so without anything of the text. */
const toolOf =
  <Input>(act: (input: Input, signal: AbortSignal) => Promise<Record<string, unknown>> | Record<string, unknown>) =>
  async (input: Input, { mcpReq }: ServerContext): Promise<CallToolResult> => {
    try {
      return answered(await act(input, mcpReq.signal))
    } catch (error) {
      return { content: [{ type: 'text', text: whyNot(error) }], isError: true }
    }
  }

/** A server with all its tools. */
export function createServer(tools: Tools): McpServer {
  const server = new McpServer(
    { name: 'anonymise', version },
    {
      instructions:
        'Finds and replaces personal data on this machine. Prefer anonymise_file and read its output: what stood in the ' +
        'file is never shown.',
    },
  )
  addTextTools(server, tools)
  addFileTools(server, tools)
  if (tools.restores) addRestoring(server, tools)
  return server
}

function addTextTools(server: McpServer, { work, preset }: Tools) {
  server.registerTool(
    'anonymise_text',
    {
      description: 'Replaces what the rules find in a text',
      annotations: reads,
      inputSchema: Text,
      outputSchema: z.object({ text: z.string(), counts }),
    },
    toolOf(async ({ text }, signal) => {
      const made = await work.text(text, signal)
      return { text: made.text, counts: countsOf(addLabels(made.matches.map(({ label }) => ({ label, count: 1 })))) }
    }),
  )
  server.registerTool(
    'explain_text',
    {
      description: 'Tells what the rules find in a text, where, and why; quotes nothing of it',
      annotations: reads,
      inputSchema: Text,
      outputSchema: z.object({ findings: z.array(Finding) }),
    },
    toolOf(async ({ text }, signal) => {
      const { matches } = await work.text(text, signal)
      const findings = matches.map(({ start, end, label, score, reason: { by, pattern } }) => {
        return { start, end, label, score, by, ...(pattern && { pattern }) }
      })
      return { findings }
    }),
  )
  server.registerTool(
    'list_presets',
    {
      description: 'Lists the sets of rules that ship, and which one was chosen when the server was started',
      annotations: reads,
      inputSchema: z.strictObject({}),
      outputSchema: z.object({
        presets: z.array(z.object({ id: z.string(), title: z.string(), chosen: z.boolean() })),
      }),
    },
    toolOf(() => ({ presets: presets.map(({ id, title }) => ({ id, title, chosen: id === preset })) })),
  )
}

function addFileTools(server: McpServer, { work, roots }: Tools) {
  server.registerTool(
    'anonymise_file',
    {
      description:
        'Anonymises a file (text, table, Office, PDF, picture) and writes the output beside it, where it replaces no ' +
        'other file. Answers where the output is and how much was replaced, and nothing of what stood there',
      annotations: writes,
      inputSchema: Path,
      outputSchema: Told.extend({ output: z.string() }),
    },
    toolOf(async ({ path }, signal) => {
      const { output, ...told } = await work.file(roots.locate(path), { writes: true, signal })
      return { ...told, output: roots.shown(output!) }
    }),
  )
  server.registerTool(
    'inspect_file',
    {
      description: 'Tells how much would be replaced in a file, by label; writes nothing',
      annotations: reads,
      inputSchema: Path,
      outputSchema: Told,
    },
    toolOf(({ path }, signal) => work.file(roots.locate(path), { writes: false, signal })),
  )
}

function addRestoring(server: McpServer, { work, roots }: Tools) {
  server.registerTool(
    'restore_file',
    {
      description:
        'Puts the values back in a text file that holds placeholders of this session, such as PERSON_7QK2, and writes the ' +
        'output beside it. Answers where it is and how many were put back, and none of the values',
      annotations: writes,
      inputSchema: Path,
      outputSchema: z.object({ output: z.string(), restored: z.int(), altered: z.int(), unknown: z.int() }),
    },
    toolOf(async ({ path }) => {
      const { output, ...told } = await work.restore(roots.locate(path))
      return { ...told, output: roots.shown(output) }
    }),
  )
}
