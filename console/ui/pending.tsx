import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallError } from '../api.ts'
import { t } from '../i18n/index.ts'
import type { Loaded } from './load.ts'
import { Failure, Loading } from './parts.tsx'

type PendingProps = {
  of: Pick<Loaded<unknown>, 'data' | 'error' | 'reload'>
  /** What is loaded, as it is called on the page. */
  what: string
  /** Whether it is the whole screen, which has no other heading. */
  isScreen?: boolean
}

/** What is said of something that is loaded: that it is on its way, or that it did not come, with a button that asks for it again. */
export function Pending({ of, what, isScreen }: PendingProps) {
  if (!of.error) return of.data === undefined ? <Loading /> : null
  const missing = <NotLoaded what={what} error={of.error} reload={of.reload} />
  if (!isScreen) return missing
  return (
    <section>
      <h1>{what}</h1>
      {missing}
    </section>
  )
}

type NotLoadedProps = { what: string; error: CallError; reload(): Promise<unknown> }

/** Says what did not come and why. The button keeps the focus while it asks again; then what came has it. */
export function NotLoaded({ what, error, reload }: NotLoadedProps) {
  const [isBusy, setBusy] = useState(false)
  const [tries, setTries] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => passOnFocus(box.current!), [])
  const again = async () => {
    if (isBusy) return
    setBusy(true)
    await reload()
    setBusy(false)
    setTries(tries + 1)
  }
  return (
    <div class="failure" ref={box}>
      {/* Another one for each try, so that it is told again; what asks by itself tells it once. */}
      <Failure key={tries} title={t.value.notLoaded(what)} error={error} />
      {error.mayPass || tries > 0 ? (
        <button type="button" aria-disabled={isBusy} onClick={again}>
          {isBusy ? t.value.loading : t.value.again}
        </button>
      ) : null}
    </div>
  )
}

/** Answers what gives the focus within something that is about to go to what takes its place. */
function passOnFocus(box: HTMLElement): () => void {
  const { parentElement, previousElementSibling: before } = box
  return () => {
    if (!box.contains(document.activeElement)) return
    requestAnimationFrame(() => {
      const next = before ? before.nextElementSibling : parentElement?.firstElementChild
      const target = [next, parentElement, document.getElementById('main')].find(
        one => one instanceof HTMLElement && one.isConnected,
      ) as HTMLElement | undefined
      if (!target) return
      if (target.tabIndex < 0) target.tabIndex = -1
      target.focus({ preventScroll: true })
    })
  }
}
