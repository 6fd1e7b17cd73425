import { leaveForProvider, signOnAddress } from '../api.ts'
import { t } from '../i18n/index.ts'
import { place } from '../router.ts'

/** The providers that the page names, so that no request is made for them. */
function namedProviders(): { name: string; title: string }[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="identity-providers"]')?.content
  return named ? JSON.parse(named) : []
}

/** A button for each provider that people may log in by, and why it did not work the last time. */
export function SignOn() {
  const { by, problems, or } = t.value.signOn
  const providers = namedProviders()
  const [screen, problem = ''] = place.value
  return (
    <>
      {screen === 'not-signed-on' ? (
        <div class="failure" role="alert">
          <strong>{t.value.failed}</strong>
          <p>{problems[problem] ?? problems.sign_on_refused}</p>
        </div>
      ) : null}
      {providers.map(({ name, title }) => (
        <p key={name}>
          <a class="button primary" href={signOnAddress(name)} onClick={leaveForProvider}>
            {by(title)}
          </a>
        </p>
      ))}
      {providers.length > 0 ? <p class="muted">{or}</p> : null}
    </>
  )
}
