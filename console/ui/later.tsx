import type { ComponentChildren } from 'preact'
import { t } from '../i18n/index.ts'
import { useLoad } from './load.ts'
import { Pending } from './pending.tsx'

export type Parts = typeof import('../later.ts')

/** Shows something of the parts that are loaded when they are first needed; `screen` is what it is called where it is a whole one. */
export function Later({ show, screen }: { show(parts: Parts): ComponentChildren; screen?: string }) {
  const loaded = useLoad(() => import('../later.ts'), [])
  if (!loaded.data) return <Pending of={loaded} what={screen ?? t.value.part} isScreen={screen !== undefined} />
  return <>{show(loaded.data)}</>
}
