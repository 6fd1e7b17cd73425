import { McpServer } from '@modelcontextprotocol/server'
import { presets } from 'anonymisation-engine/presets'
import { ProblemError } from '../api/problems.ts'
import { version } from '../api/version.ts'
import { scopeOf } from '../http/authorise.ts'
import { type Caller, hasPermission } from '../http/caller.ts'
import { problemOf } from '../http/response.ts'
import { addTextTools } from '../mcp/tools.ts'
import { listRecords } from '../store/lists.ts'
import { WORKFLOW, type WorkflowRecord } from '../store/workflows.ts'
import { anonymiseNow } from './anonymise-now.ts'

/** What is looked for where the model names nothing. */
const PRESET = 'default'

/** Most workflows that are listed. */
const MOST = 100

/** A server of the tools for texts that acts for one user. */
export function createTools(user: Caller): McpServer {
  const server = new McpServer(
    { name: 'anonymisation-service', version },
    {
      instructions: 'Finds and replaces personal data in texts. Use what anonymise_text returns in place of the text.',
    },
  )
  addTextTools(server, {
    async anonymise({ text, workflowId, presetId = workflowId ? undefined : PRESET }) {
      const { texts } = await anonymiseNow({ texts: [text], workflowId, presetId }, user)
      return texts![0]!
    },
    presets: () => presets.map(({ id, title }) => ({ id, title, chosen: id === PRESET })),
    async workflows(search) {
      if (!hasPermission(user, 'workflows:read'))
        throw new ProblemError({ type: 'permission_denied', msg: 'This needs the permission workflows:read' })
      const query = { skip: 0, limit: MOST, search, filters: { supportedAssetType: 'DOCUMENT' } }
      const { records } = await listRecords<WorkflowRecord>(WORKFLOW, scopeOf(user, 'workflows'), query)
      return records.map(({ id, name, description }) => ({ id, name, description }))
    },
    whyNot: error =>
      problemOf(error)
        .detail.map(({ type, msg }) => `${type}: ${msg}`)
        .join('; '),
  })
  return server
}
