import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../i18n/index.ts'
import type { BoxOnPage } from './boxes.ts'
import { additionsTo, type OpenReview } from './open-review.ts'
import { PageView, type Sheet } from './page-view.tsx'
import type { Finding } from './proposals.ts'
import { TextView } from './text-view.tsx'

type ViewsProps = {
  review: OpenReview
  /** Where the file is looked at page by page; without, as text. */
  sheet: Sheet | undefined
  section: number
  setSection(section: number): void
  current: Signal<Finding | undefined>
  choose(finding: Finding): void
  /** Asks what stands in a box that was drawn. */
  take(box: BoxOnPage): void
}

/** A document as it is looked at: as pictures of its pages where there are any, or as its text section by section. */
export function Views({ review, sheet, section, setSection, current, choose, take }: ViewsProps) {
  const { sections, pages } = review.proposals.value
  useEffect(() => {
    // The focus was in what is gone: keys go on to work.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('.strokes')?.focus({ preventScroll: true })
  }, [sheet?.page.value])
  return (
    <div class="page">
      {pages > 0 ? <Switch view={review.view} /> : null}
      {sheet ? (
        <PageView {...{ review, sheet, current, choose, take }} />
      ) : (
        <>
          <TextView section={sections[section] ?? []} additions={additionsTo(review)} {...{ current, choose }} />
          <Sections count={sections.length} section={section} go={setSection} />
        </>
      )}
    </div>
  )
}

function Switch({ view }: { view: OpenReview['view'] }) {
  const words = t.value.review
  return (
    <fieldset class="bar">
      <legend>{words.view}</legend>
      {(['page', 'text'] as const).map(one => (
        <label key={one} class="choice">
          <input
            type="radio"
            name="view"
            aria-keyshortcuts="v"
            checked={view.value === one}
            onChange={() => {
              view.value = one
            }}
          />{' '}
          {words.views[one]}
        </label>
      ))}
      <kbd data-key="v" />
    </fieldset>
  )
}

function Sections({ count, section, go }: { count: number; section: number; go(section: number): void }) {
  const words = t.value.review
  if (count <= 1) return null
  return (
    <nav class="row pager" aria-label={words.section(section + 1, count)}>
      <button type="button" disabled={section === 0} onClick={() => go(section - 1)}>
        {words.before}
      </button>
      <span class="muted">{words.section(section + 1, count)}</span>
      <button type="button" disabled={section + 1 >= count} onClick={() => go(section + 1)}>
        {words.after}
      </button>
    </nav>
  )
}
