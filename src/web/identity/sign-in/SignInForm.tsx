import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, use, useState } from 'react'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { afterSignIn } from '#web/session/guard.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { FormAlert } from './FormAlert.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SignInField } from './SignInField.tsx'

const route = getRouteApi('/auth/signin')

/** Loaded while the user types, so the page paints without it. */
const loadContract = async () => (await import('#contract/identity/auth.ts')).auth.signIn

/** The only task on this page is signing in, so the focus starts here. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/**
 * User name and password. Errors appear after the first attempt, then update live. Plain controls: see
 * SignInField.
 */
export function SignInForm({ userName }: { userName: string }) {
  const { started } = route.useRouteContext()
  const { next } = route.useSearch()
  const [values, setValues] = useState({ username: userName, password: '', isRemember: false })
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState(use(started))
  const session = useSessionOwner()
  const router = useRouter()

  const missing = {
    username: isTried && values.username.trim() === '' ? 'User name is required.' : undefined,
    password: isTried && values.password === '' ? 'Password is required.' : undefined,
  }

  async function signIn(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (isBusy || values.username.trim() === '' || values.password === '') return
    setIsBusy(true)
    setMessage(null)
    try {
      const token = await call(await loadContract(), values)
      session.begin(token, { isRemember: values.isRemember })
      await router.navigate({ href: afterSignIn(readClaims(token.accessToken), next) })
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      setMessage(failure.message)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void signIn(event)} onInput={() => void loadContract()} noValidate>
      <FormAlert message={message} />
      <SignInField
        label="User name or email"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ref={userName === '' ? focusAtStart : null}
        value={values.username}
        onChange={(username) => setValues({ ...values, username })}
        error={missing.username}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        ref={userName === '' ? null : focusAtStart}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        error={missing.password}
      />
      <div className="fc-sign-in-row">
        <label className="fc-sign-in-check">
          <input
            type="checkbox"
            name="isRemember"
            checked={values.isRemember}
            onChange={(event) => setValues({ ...values, isRemember: event.currentTarget.checked })}
          />
          Keep me signed in
        </label>
        <Link to="/auth/forgot-password">Forgot password?</Link>
      </div>
      <button type="submit" className="fc-sign-in-button" aria-disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  )
}
