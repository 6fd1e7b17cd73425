import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { language, languages } from '../i18n/index.ts'
import type { Told } from '../i18n/told.ts'

/** What was loaded for a language; while that is under way there is none for it. English needs nothing. */
const loaded = signal<{ tag: string; told?: Told; meanings: Record<string, string> }>({ tag: 'en', meanings: {} })

/** Loads what is said in the language in use; where that fails, the service's English is shown. */
async function load(): Promise<void> {
  const tag = language.value
  if (loaded.value.tag === tag) return
  const { told } = languages[tag]!
  const nothing = { told: undefined, meanings: {} }
  const loading = Promise.all([told?.(), import('console-problems')])
  const both = await loading.then(([module, { meanings }]) => ({ told: module?.told, meanings })).catch(() => nothing)
  if (language.value === tag) loaded.value = { tag, ...both }
}

const useTold = () => useEffect(() => void load(), [language.value])

/** A problem that the service names, in the language of the reader; what of it stays in English is marked as such. */
export function Problem({ of: { type, msg } }: { of: { type: string; msg: string } }) {
  useTold()
  const { tag, told, meanings } = loaded.value
  if (tag !== language.value) return null
  const known = told?.problems[type]
  if (known === undefined) return <>{msg}</>
  const text = typeof known === 'string' ? known : known(msg)
  if (!text.endsWith(':')) return <>{text}</>
  if (msg === meanings[type]) return <>{text.slice(0, -1)}.</>
  return (
    <>
      {text} <span lang="en">{msg}</span>
    </>
  )
}

/** A note of the service on a file, a source or a model, in the language of the reader. */
export function Note({ of }: { of: string }) {
  useTold()
  const { tag, told } = loaded.value
  return tag === language.value ? (told?.note(of) ?? of) : null
}
