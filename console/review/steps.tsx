import { t } from '../i18n/index.ts'

/** One of several in order: buttons for the one before and the one after, and all of them to choose from. */
export function Steps({ label, names, at, go }: { label: string; names: string[]; at: number; go(at: number): void }) {
  const { before, after } = t.value.review
  return (
    <nav class="row steps" aria-label={label}>
      <button type="button" disabled={at <= 0} onClick={() => go(at - 1)}>
        {before}
      </button>
      <select class="name" aria-label={label} value={at} onChange={event => go(Number(event.currentTarget.value))}>
        {names.map((name, n) => (
          <option key={name} value={n}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" disabled={at + 1 >= names.length} onClick={() => go(at + 1)}>
        {after}
      </button>
    </nav>
  )
}
