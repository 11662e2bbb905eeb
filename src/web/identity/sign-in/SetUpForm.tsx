import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useRef, useState } from 'react'
import { fieldSentences } from '#contract/field-sentences.ts'
import { TimeZone } from '#contract/fields.ts'
import { PASSWORD_RULE_MESSAGE } from '#contract/identity/passwords/password.ts'
import { setUp } from '#contract/organizations/set-up.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { SIGN_IN } from '#web/session/guard.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { noteSetUp } from '#web/use-boot.ts'
import { FormAlert } from './FormAlert.tsx'
import { SignInField } from './SignInField.tsx'

const route = getRouteApi('/auth/set-up')

/** The zone of the browser; undefined if it has a name that no one else knows. */
const readTimeZone = () => TimeZone.safeParse(new Intl.DateTimeFormat().resolvedOptions().timeZone).data

const BLANK = { company: '', firstName: '', lastName: '', userName: '', email: '', password: '' }
type Name = keyof typeof BLANK

/** In the order of the form; `hint` shows until the field has an error. */
const FIELDS: readonly { name: Name; label: string; type?: string; autoComplete: string; hint?: string }[] = [
  { name: 'company', label: 'Company', autoComplete: 'organization' },
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name' },
  { name: 'userName', label: 'User name', autoComplete: 'username' },
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    hint: PASSWORD_RULE_MESSAGE,
  },
]

/** Sets up an empty installation. Field errors appear after the first attempt, then update live. */
export function SetUpForm() {
  const { token = '' } = route.useSearch()
  const [values, setValues] = useState(BLANK)
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string>>>({})
  const [message, setMessage] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const router = useRouter()

  const { error } = setUp.begin.input.safeParse({ ...values, token })
  const wrong = error ? fieldSentences(error) : {}
  const shown = isTried ? { ...serverErrors, ...wrong } : {}
  const alert = message ?? shown['token'] ?? null

  async function begin(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    setMessage(null)
    if (isBusy) return
    if (error) {
      focusFirstWrong()
      return
    }
    setIsBusy(true)
    try {
      await call(setUp.begin, { ...values, token, timeZone: readTimeZone() })
      noteSetUp()
      toast('Forecourt is set up', 'Sign in with your new password.')
      await router.navigate({ to: SIGN_IN, state: { newUserName: values.userName.trim() }, replace: true })
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      setServerErrors(failure.fields)
      if (Object.keys(failure.fields).length === 0) setMessage(failure.message)
      else focusFirstWrong()
    } finally {
      setIsBusy(false)
    }
  }

  // After React has rendered the errors, so the user starts at the first one.
  const focusFirstWrong = () =>
    void requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    )

  function type(name: Name, text: string) {
    setValues({ ...values, [name]: text })
    setServerErrors(({ [name]: _gone, ...others }) => others)
  }

  return (
    <form ref={form} onSubmit={(event) => void begin(event)} noValidate>
      <FormAlert message={alert} />
      {FIELDS.map(({ name, label, hint, ...input }) => (
        <SignInField
          key={name}
          {...input}
          label={label}
          name={name}
          value={values[name]}
          onChange={(text) => type(name, text)}
          error={shown[name]}
          help={shown[name] === undefined ? hint : undefined}
        />
      ))}
      <button type="submit" className="fc-sign-in-button" aria-disabled={isBusy}>
        {isBusy ? 'Setting up…' : 'Set up'}
      </button>
    </form>
  )
}
