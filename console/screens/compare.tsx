import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useLoad } from '../ui/load.ts'
import { Failure, Loading } from '../ui/parts.tsx'
import { differences } from './differences.ts'

/** Largest file that is shown, bytes. */
const SHOWN_BYTES = 2_000_000

type File = { kind: 'text'; text: string } | { kind: 'picture'; address: string } | { kind: 'none' } | { kind: 'large' }

/** A file and what became of it, side by side; what changed is marked. Nothing of it outlives the screen. */
export function Compare({ before, after }: { before: string; after: string }) {
  const words = t.value.job
  const { data, error } = useLoad(() => Promise.all([fetchFile(before), fetchFile(after)]), [before, after])
  useEffect(
    () => () => {
      for (const file of data ?? []) if (file.kind === 'picture') URL.revokeObjectURL(file.address)
    },
    [data],
  )
  if (!data) return error ? <Failure error={error} /> : <Loading />
  const [one, two] = data
  if (one.kind === 'large' || two.kind === 'large') return <p class="muted">{words.tooLarge}</p>
  if (one.kind === 'none' || two.kind === 'none') return <p class="muted">{words.cannotCompare}</p>
  return (
    <div class="compare">
      <figure>
        <figcaption>{words.before}</figcaption>
        <Side file={one} other={two} mark="del" />
      </figure>
      <figure>
        <figcaption>{words.after}</figcaption>
        <Side file={two} other={one} mark="ins" />
      </figure>
    </div>
  )
}

function Side({ file, other, mark: Mark }: { file: File; other: File; mark: 'del' | 'ins' }) {
  const [parts, setParts] = useState<{ text: string; changed: boolean }[]>()
  useEffect(() => {
    if (file.kind === 'text' && other.kind === 'text') setParts(differences(file.text, other.text))
  }, [file, other])
  if (file.kind === 'picture') return <img src={file.address} alt="" />
  if (file.kind !== 'text') return null
  return (
    <pre tabIndex={0}>
      {(parts ?? [{ text: file.text, changed: false }]).map(({ text, changed }, index) =>
        changed ? <Mark key={index}>{text}</Mark> : text,
      )}
    </pre>
  )
}

/** The file of an asset as it can be shown: text and pictures; everything else is for the programs made for it. */
async function fetchFile(asset_id: string): Promise<File> {
  const { url, contentType, size } = await call('assets', 'url', { asset_id })
  const isPicture = /^image\/(?:png|jpeg|webp|gif)\b/.test(contentType)
  const isText = /^text\/|json|xml|csv|markdown|yaml/.test(contentType) && !contentType.includes('officedocument')
  if (!isPicture && !isText) return { kind: 'none' }
  if (size > SHOWN_BYTES) return { kind: 'large' }
  const blob = await (await fetch(url, { referrerPolicy: 'no-referrer' })).blob()
  if (!isPicture) return { kind: 'text', text: await blob.text() }
  return { kind: 'picture', address: URL.createObjectURL(new Blob([blob], { type: contentType })) }
}
