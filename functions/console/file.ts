import { files } from 'console-files'
import { browserConsole } from '../../shared/api/console.ts'
import { notFound } from '../../shared/api/problems.ts'
import { handle } from '../../shared/http/endpoint.ts'

const YEAR_SECONDS = 365 * 24 * 3600

export const handler = handle(browserConsole.file)(async ({ params, query, header }) => {
  const { file } = params
  const content = Object.hasOwn(files, file) && files[file]
  if (!content) throw notFound('file')
  if (file === 'app.css') header('Content-Type', 'text/css; charset=utf-8')
  // The names of programs say what is in them.
  const isOfBuild = query.v !== undefined || file !== 'app.css'
  header('Cache-Control', isOfBuild ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
  return content
})
