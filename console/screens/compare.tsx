import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Asset } from '../../shared/api/assets.ts'
import { numberOf, t } from '../i18n/index.ts'
import { Steps } from '../review/steps.tsx'
import { useLoad } from '../ui/load.ts'
import { Pending } from '../ui/pending.tsx'
import { Problem } from '../ui/told.tsx'
import { differences } from './differences.ts'
import { isWritten, type Shown, showFile } from './shown-file.ts'

type CompareProps = {
  /** The asset before, its record as long as there is one, and the asset that was made of it. */
  before: string
  input: Asset | undefined
  after: string
}

/** Widths of pictures, in parts of the room that there is. */
const sizes = [1, 1.5, 2, 3, 4]

/** A file and what became of it, side by side and page by page; what changed is marked. Nothing of it outlives the screen. */
export function Compare({ before, input, after }: CompareProps) {
  const words = t.value.job
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(1)
  const [known, setKnown] = useState<Pick<Shown, 'pages' | 'more' | 'picture'>>()
  const isWhole = input !== undefined && isWritten(input)
  return (
    <section class="report" aria-label={words.compare}>
      {known?.picture || (known && (page > 1 || known.more)) ? (
        <div class="row">
          <Pages page={page} pages={known.pages} more={known.more} go={setPage} />
          {known.picture ? <Size size={size} set={setSize} /> : null}
        </div>
      ) : null}
      <Sides key={page} {...{ before, after, page, size, isWhole }} told={setKnown} />
    </section>
  )
}

/** Buttons to the page before and after, with all of them to choose from once it is known how many there are. */
function Pages({ page, pages, more, go }: { page: number; pages: number | null; more: boolean; go(to: number): void }) {
  const words = t.value.review
  const count = pages ?? page + Number(more)
  const names = useMemo(
    () =>
      Array.from({ length: count }, (_, n) =>
        pages ? words.pageOf(n + 1, pages) : t.value.job.part(numberOf(n + 1), n + 1 === count && more),
      ),
    [count, pages, more, words],
  )
  if (count <= 1) return null
  return <Steps label={words.page} names={names} at={page - 1} go={at => go(at + 1)} />
}

function Size({ size, set }: { size: number; set(size: number): void }) {
  return (
    <select
      class="short"
      aria-label={t.value.review.size}
      value={size}
      onChange={event => set(Number(event.currentTarget.value))}
    >
      {sizes.map(one => (
        <option key={one} value={one}>
          {numberOf(one * 100)} %
        </option>
      ))}
    </select>
  )
}

type SidesProps = Omit<CompareProps, 'input'> & {
  page: number
  size: number
  isWhole: boolean
  /** Told how many pages there are. */
  told(known: Pick<Shown, 'pages' | 'more' | 'picture'>): void
}

function Sides({ before, after, page, size, isWhole, told }: SidesProps) {
  const words = t.value.job
  const loaded = useLoad(
    () => Promise.all([before, after].map(id => showFile(id, page, isWhole))) as Promise<[Shown, Shown]>,
    [],
  )
  const { data } = loaded
  useEffect(() => {
    if (!data) return
    const [one, two] = data
    told({ pages: two.pages ?? one.pages, more: one.more || two.more, picture: one.picture ?? two.picture })
  }, [data])
  if (!data) return <Pending of={loaded} what={`${words.before}, ${words.after}`} />
  const [one, two] = data
  const isText = one.text !== undefined || two.text !== undefined
  return (
    <>
      <div class="compare">
        <Side title={words.before} shown={one} other={two} mark="del" {...{ page, size }} />
        <Side title={words.after} shown={two} other={one} mark="ins" {...{ page, size }} />
      </div>
      {isText && !isWhole ? <p class="muted">{words.textsOnly}</p> : null}
    </>
  )
}

type SideProps = { title: string; shown: Shown; other: Shown; mark: 'del' | 'ins'; page: number; size: number }

function Side({ title, shown, other, mark, page, size }: SideProps) {
  const words = t.value.job
  const { text, picture, lacks } = shown
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {text !== undefined ? <Marked text={text} other={other.text} mark={mark} /> : null}
      {picture ? (
        <section class="sheet" tabIndex={0} aria-label={title}>
          <img
            src={`data:image/jpeg;base64,${picture.content}`}
            width={`${size * 100}%`}
            alt={words.pagePicture(title, page)}
          />
        </section>
      ) : null}
      {lacks ? <Lacks why={lacks} /> : null}
    </figure>
  )
}

/** Why there is nothing to see of a file. */
function Lacks({ why }: { why: NonNullable<Shown['lacks']> }) {
  const { gone, noPage, cannotCompare } = t.value.job
  if (why === 'gone') return <p class="note">{gone}</p>
  if (why === 'page') return <p class="note">{noPage}</p>
  return (
    <p class="note">
      {cannotCompare}{' '}
      {why.error.detail.map(problem => (
        <Problem key={problem.msg} of={problem} />
      ))}
    </p>
  )
}

/** A text, with what the other one has not marked as soon as that is known. */
function Marked({ text, other, mark: Mark }: MarkedProps) {
  const [parts, setParts] = useState([{ text, changed: false }])
  useEffect(() => {
    if (other !== undefined) setParts(differences(text, other))
  }, [text, other])
  return (
    <pre tabIndex={0}>
      {parts.map((part, index) => (part.changed ? <Mark key={index}>{part.text}</Mark> : part.text))}
    </pre>
  )
}

type MarkedProps = { text: string; other: string | undefined; mark: 'del' | 'ins' }
