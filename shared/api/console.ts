import * as z from 'zod'
import type { Resource } from './endpoint.ts'

export const browserConsole = {
  page: {
    route: 'GET /console/',
    access: 'public',
    extension: true,
    summary: 'The console: the service in a browser',
    reply: z.string(),
    produces: 'text/html; charset=utf-8',
  },
  file: {
    route: 'GET /console/{file}',
    access: 'public',
    extension: true,
    summary: 'What the page of the console loads',
    path: {
      file: z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9.-]+$/, 'must be the name of a file')
        .meta({ examples: ['app.css'] }),
    },
    query: z.strictObject({
      v: z
        .string()
        .max(64)
        .optional()
        .describe('Identifies the build, so that browsers can cache the file permanently'),
    }),
    reply: z.string(),
    produces: 'text/javascript; charset=utf-8',
  },
} as const satisfies Resource
