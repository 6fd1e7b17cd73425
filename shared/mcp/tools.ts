import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { Id } from '../api/common.ts'
import { PresetId } from '../api/preset-id.ts'
import { MAX_CHARACTERS } from '../api/texts.ts'

/** Which rules are used, where the model may choose: at most one of them. */
export type Choice = { workflowId?: string; presetId?: string }

/** What is to be done with a text. */
export type TextCall = { text: string } & Choice

/** A place that was replaced, and why. Quotes nothing. */
export type Found = {
  start: number
  end: number
  label: string
  score: number
  reason: { by: string; pattern?: string }
}

/** What stands behind the tools for texts. */
export type TextWork = {
  anonymise(call: TextCall, signal: AbortSignal): Promise<{ text: string; findings: readonly Found[] }>
  /** The presets; `chosen` is the one that is used where none is named. */
  presets(): { id: string; title: string; chosen: boolean }[]
  /** Workflows for documents, where a service keeps some that the model may choose; `search` looks in their names. */
  workflows?(search: string | undefined): Promise<{ id: string; name: string; description: string }[]>
  /** Why something was refused, without anything of a text. */
  whyNot(error: unknown): string
}

export const Counts = z.record(z.string(), z.int()).describe('How much was found, by label')

const Text = z.strictObject({ text: z.string().min(1).max(MAX_CHARACTERS) })
export const Chosen = z.strictObject({
  workflowId: Id.optional().describe('A workflow of list_workflows'),
  presetId: PresetId.optional().describe('A preset of list_presets, in place of a workflow'),
})

const Finding = z.object({
  start: z.int().describe('UTF-16 code units'),
  end: z.int(),
  label: z.string(),
  score: z.number(),
  by: z.string().describe('What found it'),
  pattern: z.string().optional().describe('The recogniser or checksum, by name'),
})

export const reads = { readOnlyHint: true, openWorldHint: false } as const

/** A result for programs, and the same as text for clients that know no other. */
const answered = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

type Act<Input> = (input: Input, signal: AbortSignal) => Promise<Record<string, unknown>> | Record<string, unknown>

/** A tool's function: whatever goes wrong becomes a result that says so without anything of the text. */
export const toolOf =
  <Input>(whyNot: TextWork['whyNot'], act: Act<Input>) =>
  async (input: Input, { mcpReq }: ServerContext): Promise<CallToolResult> => {
    try {
      return answered(await act(input, mcpReq.signal))
    } catch (error) {
      return { content: [{ type: 'text', text: whyNot(error) }], isError: true }
    }
  }

/** Adds the tools for texts: to anonymise one, to explain what is found in one, and to list what is looked for. */
export function addTextTools(server: McpServer, work: TextWork): void {
  const inputSchema = work.workflows ? Text.extend(Chosen.shape) : Text
  server.registerTool(
    'anonymise_text',
    {
      description: 'Replaces what the rules find in a text',
      annotations: reads,
      inputSchema,
      outputSchema: z.object({ text: z.string(), counts: Counts }),
    },
    toolOf(work.whyNot, async (call: TextCall, signal) => {
      const { text, findings } = await work.anonymise(call, signal)
      return { text, counts: countsOf(findings) }
    }),
  )
  server.registerTool(
    'explain_text',
    {
      description: 'Tells what the rules find in a text, where, and why; quotes nothing of it',
      annotations: reads,
      inputSchema,
      outputSchema: z.object({ findings: z.array(Finding) }),
    },
    toolOf(work.whyNot, async (call: TextCall, signal) => {
      const { findings } = await work.anonymise(call, signal)
      return { findings: findings.map(told) }
    }),
  )
  addLists(server, work)
}

function addLists(server: McpServer, work: TextWork): void {
  server.registerTool(
    'list_presets',
    {
      description: 'Lists the sets of rules that ship, and which one is used where none is named',
      annotations: reads,
      inputSchema: z.strictObject({}),
      outputSchema: z.object({
        presets: z.array(z.object({ id: z.string(), title: z.string(), chosen: z.boolean() })),
      }),
    },
    toolOf(work.whyNot, () => ({ presets: work.presets() })),
  )
  if (!work.workflows) return
  server.registerTool(
    'list_workflows',
    {
      description: 'Lists workflows of the service that can be used for texts, the newest first, at most a hundred',
      annotations: reads,
      inputSchema: z.strictObject({ search: z.string().min(1).max(200).optional().describe('Part of a name') }),
      outputSchema: z.object({
        workflows: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
      }),
    },
    toolOf(work.whyNot, async ({ search }: { search?: string }) => ({ workflows: await work.workflows!(search) })),
  )
}

const told = ({ start, end, label, score, reason: { by, pattern } }: Found) => ({
  ...{ start, end, label, score, by },
  ...(pattern && { pattern }),
})

/** `{ PERSON: 2 }`, the most frequent first. */
function countsOf(findings: readonly Found[]): Record<string, number> {
  const counts = Map.groupBy(findings, ({ label }) => label)
  const sorted = [...counts].map(([label, { length }]) => [label, length] as const).sort(([, a], [, b]) => b - a)
  return Object.fromEntries(sorted)
}
