import { useState } from 'preact/hooks'
import { CallError, call, hasEnded, logIn } from '../api.ts'
import { language, languages, setLanguage, t } from '../i18n/index.ts'
import { Field, Form, PasswordField } from '../ui/parts.tsx'
import { SignOn } from './sign-on.tsx'

/** Log-in, and the form for those who have no account yet. */
export function LogIn() {
  const words = t.value
  const [isNew, setNew] = useState(false)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const submit = async () => {
    if (isNew) await call('auth', 'register', { body: { name, email, password } })
    // The account is there, whatever comes of the log-in.
    setNew(false)
    try {
      await logIn(email, password, code)
    } catch (error) {
      const isAsked = error instanceof CallError && error.has('second_factor_required')
      if (!isAsked || code !== undefined) throw error
      setCode('')
    }
  }
  return (
    <main class="narrow">
      <h1>{words.product}</h1>
      {hasEnded.value ? (
        <p class="note" role="status">
          {words.login.ended}
        </p>
      ) : (
        <p class="muted">{words.login.about}</p>
      )}
      <SignOn />
      <Form
        submit={submit}
        label={isNew ? words.login.registerSubmit : words.login.submit}
        extra={
          <button type="button" class="plain" onClick={() => setNew(!isNew)}>
            {isNew ? words.login.haveAccount : words.login.register}
          </button>
        }
      >
        {isNew ? (
          <Field label={words.name}>
            <input required autocomplete="name" value={name} onInput={event => setName(event.currentTarget.value)} />
          </Field>
        ) : null}
        <Field label={words.login.email}>
          <input
            required
            type="email"
            autocomplete="username"
            value={email}
            onInput={event => setEmail(event.currentTarget.value)}
          />
        </Field>
        <PasswordField isNew={isNew} label={words.login.password} value={password} set={setPassword} />
        {code === undefined ? null : (
          <Field label={words.login.code} hint={words.login.codeHint}>
            <input
              required
              autofocus
              autocomplete="one-time-code"
              maxLength={32}
              value={code}
              onInput={event => setCode(event.currentTarget.value)}
            />
          </Field>
        )}
      </Form>
      <LanguageChoice />
      <p>
        <a href="#/reference">{words.menu.reference}</a>
      </p>
    </main>
  )
}

/** The languages of the console. */
export function LanguageChoice() {
  return (
    <Field label={t.value.account.language}>
      <select value={language.value} onChange={event => setLanguage(event.currentTarget.value)}>
        {Object.entries(languages).map(([tag, { name }]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}
