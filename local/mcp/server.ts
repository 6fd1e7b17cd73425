import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { version } from '../../shared/api/version.ts'
import { addTextTools, type Choice, Chosen, Counts, reads, toolOf } from '../../shared/mcp/tools.ts'
import type { Roots } from './roots.ts'
import type { Work } from './work.ts'

/** What the tools work with. */
export type Tools = { work: Work; roots: Roots }

const Path = z.strictObject({
  path: z.string().min(1).max(4096).describe('From the first folder that the server may use, or a whole one'),
})

const Told = z.object({
  format: z.string().optional(),
  counts: Counts,
  removed: z.array(z.object({ what: z.string(), count: z.int() })).describe('What the output lacks besides'),
  notes: z.array(z.string()),
})

const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const

/** A server with all tools that the work allows. */
export function createServer(tools: Tools): McpServer {
  const server = new McpServer(
    { name: 'anonymise', version },
    {
      instructions:
        'Finds and replaces personal data. Prefer anonymise_file and read its output: what stood in the file is never shown.',
    },
  )
  addTextTools(server, tools.work)
  addFileTools(server, tools)
  addRestoring(server, tools)
  return server
}

function addFileTools(server: McpServer, { work, roots }: Tools) {
  server.registerTool(
    'anonymise_file',
    {
      description:
        'Anonymises a file (text, table, Office, PDF, picture) and writes the output beside it, where it replaces no ' +
        'other file. Answers where the output is and how much was replaced, and nothing of what stood there',
      annotations: writes,
      inputSchema: work.workflows ? Path.extend(Chosen.shape) : Path,
      outputSchema: Told.extend({ output: z.string() }),
    },
    toolOf(work.whyNot, async ({ path, ...choice }: z.infer<typeof Path> & Choice, signal) => {
      const { output, ...told } = await work.file(roots.locate(path), choice, signal)
      return { ...told, output: roots.shown(output!) }
    }),
  )
  const { inspect } = work
  if (!inspect) return
  server.registerTool(
    'inspect_file',
    {
      description: 'Tells how much would be replaced in a file, by label; writes nothing',
      annotations: reads,
      inputSchema: Path,
      outputSchema: Told,
    },
    toolOf(work.whyNot, ({ path }: z.infer<typeof Path>, signal) => inspect(roots.locate(path), signal)),
  )
}

function addRestoring(server: McpServer, { work, roots }: Tools) {
  const { restore } = work
  if (!restore) return
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
    toolOf(work.whyNot, async ({ path }: z.infer<typeof Path>) => {
      const { output, ...told } = await restore(roots.locate(path))
      return { ...told, output: roots.shown(output) }
    }),
  )
}
