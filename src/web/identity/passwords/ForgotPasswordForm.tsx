import { type SubmitEvent, useState } from 'react'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { SignInField } from '../sign-in/SignInField.tsx'

/** Loaded while the user types, so the page paints without it. */
const loadContract = async () => (await import('#contract/identity/auth.ts')).auth.forgotPassword

/** The same message for every request: the page must not reveal who has an account. */
const SENT = "If an account matches, we've sent an email with a link to set a new password."

/** Email and user name; one of the two is enough. Plain controls: see SignInField. */
export function ForgotPasswordForm() {
  const [values, setValues] = useState({ email: '', userName: '' })
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)

  const email = values.email.trim()
  const userName = values.userName.trim()
  const isEmpty = email === '' && userName === ''
  const missing = isTried && isEmpty ? 'Enter your email address or user name.' : undefined

  async function send(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    setIsSent(false)
    setFailure(null)
    if (isBusy || isEmpty) return
    setIsBusy(true)
    try {
      await call(await loadContract(), { email, userName })
      setIsSent(true)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }

  const type = (change: Partial<typeof values>) => {
    setValues({ ...values, ...change })
    setIsSent(false)
  }

  return (
    <form onSubmit={(event) => void send(event)} onInput={() => void loadContract()} noValidate>
      <FormAlert message={isSent ? SENT : (failure?.message ?? null)} tone={isSent ? 'good' : 'bad'} />
      <SignInField
        label="Email"
        name="email"
        type="email"
        required={false}
        autoComplete="email"
        value={values.email}
        onChange={(text) => type({ email: text })}
        error={missing ?? failure?.fields['email']}
      />
      <SignInField
        label="User name"
        name="username"
        required={false}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={values.userName}
        onChange={(text) => type({ userName: text })}
        error={failure?.fields['userName']}
        help="Enter either one."
      />
      <button type="submit" className="fc-sign-in-button" aria-disabled={isBusy}>
        {isBusy ? 'Sending…' : 'Send link'}
      </button>
    </form>
  )
}
