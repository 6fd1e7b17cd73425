import type { ComponentChildren } from 'preact'
import { useLoad } from './load.ts'
import { Failure, Loading } from './parts.tsx'

type Parts = typeof import('../later.ts')

/** Shows something of the parts that are loaded when they are first needed. */
export function Later({ show }: { show(parts: Parts): ComponentChildren }) {
  const { data, error } = useLoad(() => import('../later.ts'), [])
  if (!data) return error ? <Failure error={error} /> : <Loading />
  return <>{show(data)}</>
}
