import * as z from 'zod'
import { Timestamp } from './common.ts'
import type { Resource } from './endpoint.ts'
import { Quota } from './roles.ts'

export const service = {
  root: {
    route: 'GET /',
    access: 'public',
    summary: 'Say what this is',
    description: 'No token is needed. A caller with a good one whose role has a quota is shown how much of it is used.',
    reply: z.object({
      name: z.string(),
      version: z.string(),
      docs: z.string().describe('URL of the documentation'),
      reidentificationApprovals: z
        .int()
        .describe('An addition: number of other people who must approve before tokens are opened; 0 for none'),
      limits: z.object({
        uploadBytes: z.int(),
        uploadFiles: z.int(),
        announcedFiles: z.int(),
        fileBytes: z.int(),
        assetsPerJob: z.int(),
        listLimit: z.int(),
        requestsPerMinute: z.int(),
      }),
      quota: z
        .object({
          ...Quota.shape,
          used: z.object({ bytes: z.int(), jobs: z.int() }).describe('What has been counted today'),
          resetsAt: Timestamp.describe('When the next day begins'),
        })
        .optional()
        .describe('An addition: the quota of the role of the caller, if it has one'),
    }),
  },
  openapi: {
    route: 'GET /openapi.json',
    access: 'public',
    extension: true,
    summary: 'The contract as an OpenAPI 3.1 document',
    reply: z.string(),
    produces: 'application/json',
  },
  docs: {
    route: 'GET /docs',
    access: 'public',
    extension: true,
    summary: 'Leads to the reference of the API in the console',
    reply: z.string(),
    produces: 'text/html; charset=utf-8',
  },
} as const satisfies Resource
