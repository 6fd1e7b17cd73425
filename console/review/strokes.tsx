import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { may } from '../api.ts'
import { t } from '../i18n/index.ts'
import { type BoxOnPage, middleOf } from './boxes.ts'
import { add, judge, judgeAll, remove, type Scope, undo } from './decide.ts'
import { Add, type Added, type As, AskLabel } from './dialogs.tsx'
import { labelsOf, type Shown } from './filters.tsx'
import { type Entry, fields } from './finding-list.tsx'
import type { OpenReview } from './open-review.ts'
import type { Sheet } from './page-view.tsx'
import type { Finding } from './proposals.ts'
import { Remember } from './remember.tsx'
import { type Selected, selectedText } from './text-view.tsx'

const scopes = ['here', 'asset', 'job'] as const

type StrokesProps = {
  review: OpenReview
  entries: Entry[]
  current: Signal<Finding | undefined>
  choose(finding: Finding | undefined): void
  scope: Scope
  setScope(scope: Scope): void
  shown: Shown
  /** Where the file is looked at page by page. */
  sheet: Sheet | undefined
  /** What is asked of the reviewer just now. */
  asked: Question | undefined
  ask(question: Question | undefined): void
  children: ComponentChildren
}

/** What is asked before something is done: of the finding that is current, or of what is added. */
export type Question =
  | { about: 'relabel' }
  | { about: 'remember' }
  | { about: 'add'; selected: Selected | undefined }
  | { about: 'box'; box: BoxOnPage }

/** What one key does; every key is also a button or a choice. */
type Stroke = 'j' | 'k' | 'a' | 'r' | 'u' | 'e' | 'n' | 'b' | 'l' | 'v' | 'A' | 'R'

/** What can be done with the findings, by buttons and, while the focus is inside, by keys. */
export function Strokes(props: StrokesProps) {
  const { review, scope, setScope, sheet, ask, children } = props
  const words = t.value.review
  const strokes = strokesOf(props)
  const second = (['e', 'n', 'b', 'l', 'A', 'R'] as const).filter(
    key => (key !== 'b' || sheet) && (key !== 'l' || may('lists:write')),
  )
  const press = (event: KeyboardEvent) => {
    const isTyping = (event.target as HTMLElement).closest(fields)
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const chosen = scopes[Number(event.key) - 1]
    const key = keyOf(event)
    const stroke = strokes[key]
    // A key that is held moves on; it decides once.
    if ((!chosen && !stroke) || (event.repeat && key !== 'j' && key !== 'k')) return
    // Arrows scroll the text or the page while the focus is there.
    if (event.key.startsWith('Arrow') && (event.target as HTMLElement).matches('.text, .sheet')) return
    event.preventDefault()
    if (chosen) setScope(chosen)
    else stroke()
  }
  return (
    <div class="strokes" tabIndex={-1} onKeyDown={press}>
      <div class="keys">
        <Bar keys={['k', 'j', 'a', 'r', 'u']} strokes={strokes} />
        <Bar keys={second} strokes={strokes} />
      </div>
      <fieldset class="bar">
        <legend>{words.reach}</legend>
        {scopes.map((one, n) => (
          <label key={one} class="choice">
            <input type="radio" name="scope" checked={scope === one} onChange={() => setScope(one)} />{' '}
            {words.scopes[one]} <kbd data-key={n + 1} />
          </label>
        ))}
      </fieldset>
      {children}
      <Additions review={review} />
      <Asked {...props} close={() => ask(undefined)} />
    </div>
  )
}

/** What was pressed: capitals only with the shift key, so that the caps lock makes no stroke one for all. */
function keyOf({ key, shiftKey }: KeyboardEvent): Stroke {
  const cased = shiftKey ? key.toUpperCase() : key.toLowerCase()
  return ({ arrowdown: 'j', arrowup: 'k' }[cased] ?? cased) as Stroke
}

/** Buttons that do what keys do, each with its key. */
function Bar({ keys, strokes }: { keys: Exclude<Stroke, 'v'>[]; strokes: Record<Stroke, () => void> }) {
  const words = t.value.review
  return (
    <div class="bar">
      {keys.map(key => (
        <button
          key={key}
          type="button"
          class={key === 'a' ? 'primary' : undefined}
          aria-keyshortcuts={key === key.toUpperCase() ? `Shift+${key}` : key}
          // What is selected stays selected.
          onPointerDown={event => event.preventDefault()}
          onClick={strokes[key]}
        >
          {words.keys[key]} <kbd data-key={key} />
        </button>
      ))}
    </div>
  )
}

/** What the keys do with the finding that is current, or with all that are listed. */
function strokesOf(props: StrokesProps): Record<Stroke, () => void> {
  const { review, entries, current, choose, scope, shown, sheet, ask } = props
  const go = (by: number) => {
    const index = entries.findIndex(({ finding }) => finding === current.value)
    choose(entries[Math.min(entries.length - 1, Math.max(0, index + by))]?.finding)
  }
  const decide = (action: 'accept' | 'reject') => {
    if (current.value) judge(review, [current.value], { action }, reachOf(scope, shown))
    go(1)
  }
  const decideAll = (action: 'accept' | 'reject') => {
    const isPlain = shown.search === '' && shown.state === 'all'
    if (isPlain) judgeAll(review, shown.filter, action, scope)
    else if (entries.length > 0)
      judge(
        review,
        entries.map(({ finding }) => finding),
        { action },
        reachOf(scope, shown),
      )
  }
  return {
    j: () => go(1),
    k: () => go(-1),
    a: () => decide('accept'),
    r: () => decide('reject'),
    e: () => current.value && ask({ about: 'relabel' }),
    n: () => {
      const box = sheet?.drawn.value
      ask(box ? { about: 'box', box } : { about: 'add', selected: selectedText() })
    },
    b: () => {
      if (sheet) sheet.drawn.value = middleOf(sheet.page.value)
    },
    l: () => current.value && may('lists:write') && ask({ about: 'remember' }),
    v: () => {
      if (review.proposals.value.pages > 0) review.view.value = sheet ? 'text' : 'page'
    },
    u: () => void undo(review),
    A: () => decideAll('accept'),
    R: () => decideAll('reject'),
  }
}

/** An entry of a value stands for all of the file. */
const reachOf = (scope: Scope, { byValue }: Shown): Scope => (byValue && scope === 'here' ? 'asset' : scope)

/** What was added by hand, each to be taken back. */
function Additions({ review }: { review: OpenReview }) {
  const words = t.value.review
  const some = review.additions.value
  if (some.length === 0) return null
  return (
    <details class="additions" open>
      <summary>{words.additions(some.length)}</summary>
      <ul>
        {some.map(({ n, value, box, label }) => (
          <li key={n} class="row">
            <span class="name">{value ?? (box ? words.onPage(box.page) : words.onePlace)}</span>
            <code>{label}</code>
            <button type="button" class="plain" onClick={() => remove(review, n)}>
              {t.value.remove}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Asked({ review, current, scope, shown, sheet, asked, close }: AskedProps) {
  const { findings } = review.proposals.value
  const known = { labels: labelsOf(findings).map(([label]) => label), rules: review.job.value!.rules }
  const assetId = review.assetId.value
  if (!asked) return null
  if (asked.about === 'relabel')
    return (
      <AskLabel
        isBox={false}
        known={known}
        take={as => judge(review, [current.value!], { action: 'relabel', ...as }, reachOf(scope, shown))}
        close={close}
      />
    )
  if (asked.about === 'remember') return <Remember review={review} finding={current.value!} close={close} />
  if (asked.about === 'box') {
    const addBox = ({ label, ruleId }: As) => {
      if (sheet) sheet.drawn.value = undefined
      add(review, { box: asked.box, label, ...(ruleId && { ruleId }), assetId })
    }
    return <AskLabel isBox known={known} take={addBox} close={close} />
  }
  const columns = [...new Set(findings.flatMap(({ column }) => column ?? []))]
  const { selected } = asked
  const take = ({ value, where, label, ruleId, column }: Added) => {
    const { textId, start, end } = selected ?? {}
    const at =
      where === 'here' ? { at: { textId: textId!, start: start!, end: end! } } : { value, ...(column && { column }) }
    add(review, { ...at, label, ...(ruleId && { ruleId }), ...(where !== 'job' && { assetId }) })
  }
  return <Add {...{ known, selected, columns, close }} add={take} />
}

type AskedProps = Omit<StrokesProps, 'children' | 'ask'> & { close(): void }
