import { useState } from 'preact/hooks'
import { call, logOut, mustSetUpFactor, resume, user } from '../api.ts'
import { t } from '../i18n/index.ts'
import { Later } from '../ui/later.tsx'
import { Field, Form, PasswordField } from '../ui/parts.tsx'
import { save } from '../ui/save.ts'

type SetUp = Awaited<ReturnType<typeof call<'auth', 'setUpSecondFactor'>>>

/** Sets up the second factor of the user, or turns it off; all that a session can do whose role needs one. */
export function SecondFactor() {
  const words = t.value.factor
  const [setUp, setSetUp] = useState<SetUp>()
  const [codes, setCodes] = useState<string[]>()
  const enable = async (code: string) => {
    const { recoveryCodes } = await call('auth', 'enableSecondFactor', { body: { code } })
    setSetUp(undefined)
    setCodes(recoveryCodes)
  }
  const disable = async (code: string) => {
    await call('auth', 'disableSecondFactor', { body: { code } })
    await resume()
  }
  const done = async () => {
    await resume()
    setCodes(undefined)
  }
  return (
    <section>
      <h2>{words.title}</h2>
      {mustSetUpFactor.value ? <p>{words.must}</p> : null}
      {codes ? (
        <RecoveryCodes codes={codes} done={done} />
      ) : setUp ? (
        <Secret setUp={setUp} enable={enable} />
      ) : user.value?.secondFactor ? (
        <CodeForm hint={words.isOn} label={words.turnOff} submit={disable} />
      ) : (
        <Begin take={setSetUp} />
      )}
      {mustSetUpFactor.value && !codes ? (
        <p>
          <button type="button" onClick={logOut}>
            {t.value.login.logout}
          </button>
        </p>
      ) : null}
    </section>
  )
}

function Begin({ take }: { take(setUp: SetUp): void }) {
  const words = t.value
  const [currentPassword, setCurrent] = useState('')
  const submit = async () => take(await call('auth', 'setUpSecondFactor', { body: { currentPassword } }))
  return (
    <Form submit={submit} label={words.factor.begin}>
      <p>{words.factor.why}</p>
      <PasswordField label={words.login.password} value={currentPassword} set={setCurrent} />
    </Form>
  )
}

/** The secret as a picture and as text, until the first code shows that the app has it. */
function Secret({ setUp: { secret, url }, enable }: { setUp: SetUp; enable(code: string): Promise<void> }) {
  const words = t.value.factor
  return (
    <>
      <p>{words.scan}</p>
      <Later show={({ QrCode }) => <QrCode text={url} title={words.picture} />} />
      <p>
        {words.type} <code>{secret.match(/.{1,4}/g)!.join(' ')}</code>
      </p>
      <CodeForm hint={words.firstCode} label={words.turnOn} submit={enable} />
    </>
  )
}

type CodeFormProps = { hint: string; label: string; submit(code: string): Promise<void> }

function CodeForm({ hint, label, submit }: CodeFormProps) {
  const [code, setCode] = useState('')
  return (
    <Form submit={() => submit(code)} label={label}>
      <Field label={t.value.login.code} hint={hint}>
        <input
          required
          autocomplete="one-time-code"
          maxLength={32}
          value={code}
          onInput={event => setCode(event.currentTarget.value)}
        />
      </Field>
    </Form>
  )
}

function RecoveryCodes({ codes, done }: { codes: string[]; done(): Promise<void> }) {
  const words = t.value.factor
  return (
    <div role="status">
      <p>{words.recovery}</p>
      <ul class="codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="row">
        <button type="button" onClick={() => save('recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain')}>
          {words.saveCodes}
        </button>
        <button type="button" class="primary" onClick={done}>
          {words.done}
        </button>
      </p>
    </div>
  )
}
