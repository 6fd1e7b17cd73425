import { files } from 'console-files'
import { browserConsole } from '../../shared/api/console.ts'
import { notFound } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'

const YEAR_SECONDS = 365 * 24 * 3600

export const handler = handle(browserConsole.file)(async ({ params, query, header }) => {
  const content = Object.hasOwn(files, params.file) && files[params.file as keyof typeof files]
  if (!content) throw notFound('file')
  if (params.file === 'app.css') header('Content-Type', 'text/css; charset=utf-8')
  header('Cache-Control', query.v ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
  return content
})
