import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n/index.ts'
import { leaving } from '../unsaved.ts'

/** Asks whether a form is to be left without saving. The page goes on meanwhile, so that a session can end. */
export const LeaveQuestion = () => (leaving.value ? <Asked /> : null)

function Asked() {
  const words = t.value.leave
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current!.showModal(), [])
  const answer = (way: 'leave' | 'stay') => {
    const asked = leaving.value
    leaving.value = undefined
    // Nothing behind an open dialog can have the focus.
    dialog.current?.close()
    asked?.[way]()
  }
  return (
    <dialog ref={dialog} onClose={() => answer('stay')} aria-labelledby="leave" aria-describedby="leave-note">
      <h2 id="leave">{words.title}</h2>
      <p id="leave-note">{words.note}</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => dialog.current!.close()}>
          {words.stay}
        </button>
        <button type="button" onClick={() => answer('leave')}>
          {words.leave}
        </button>
      </div>
    </dialog>
  )
}
