import { useState } from 'preact/hooks'
import { call, mustChangePassword, resume, user } from '../api.ts'
import { t } from '../i18n/index.ts'
import { Form, PasswordField } from '../ui/parts.tsx'
import { LanguageChoice } from './log-in.tsx'
import { SecondFactor } from './second-factor.tsx'

/** Who is logged in, the language, and the password. */
export function Account() {
  const words = t.value
  const { name, email, role } = user.value!
  return (
    <section class="narrow">
      <h1>{words.account.title}</h1>
      <dl>
        <dt>{words.name}</dt>
        <dd>{name}</dd>
        <dt>{words.login.email}</dt>
        <dd>{email}</dd>
        <dt>{words.account.role}</dt>
        <dd>{role}</dd>
      </dl>
      <LanguageChoice />
      <ChangePassword />
      <SecondFactor />
    </section>
  )
}

/** Sets another password; all that a session with a temporary one can do. */
export function ChangePassword() {
  const words = t.value.login
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [isChanged, setChanged] = useState(false)
  const submit = async () => {
    await call('auth', 'changePassword', { body: { currentPassword, newPassword } })
    setCurrent('')
    setNew('')
    setChanged(true)
    if (mustChangePassword.value) await resume()
  }
  return (
    <section>
      <h2>{words.change}</h2>
      {mustChangePassword.value ? <p>{words.mustChange}</p> : null}
      <Form submit={submit} label={words.change}>
        <PasswordField label={words.currentPassword} value={currentPassword} set={setCurrent} />
        <PasswordField isNew label={words.newPassword} value={newPassword} set={setNew} />
        {isChanged ? <p role="status">{words.changed}</p> : null}
      </Form>
    </section>
  )
}
