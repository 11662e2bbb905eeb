import { IconAlertCircle, IconEye, IconEyeOff } from '@tabler/icons-react'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type SubmitEvent, use, useState } from 'react'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { afterSignIn } from '#web/session/guard.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { SignInField } from './SignInField.tsx'

const route = getRouteApi('/auth/signin')

/** Comes while the person types; the page itself is painted without it. */
const loadContract = async () => (await import('#contract/identity/auth.ts')).auth.signIn

/** Signing in is all there is to do here: the focus is there from the start. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** User name and password; errors after the first try, then live. Plain controls: see SignInField. */
export function SignInForm({ userName }: { userName: string }) {
  const { started } = route.useRouteContext()
  const { next } = route.useSearch()
  const [values, setValues] = useState({ username: userName, password: '', isRemember: false })
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const [isCapsLock, setIsCapsLock] = useState(false)
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
      await router.navigate({ href: afterSignIn(readClaims(token.accessToken).organizationId, next) })
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      setMessage(failure.message)
    } finally {
      setIsBusy(false)
    }
  }

  const watchCapsLock = (event: KeyboardEvent) => setIsCapsLock(event.getModifierState('CapsLock'))
  const ShownIcon = isShown ? IconEyeOff : IconEye

  return (
    <form onSubmit={(event) => void signIn(event)} onInput={() => void loadContract()} noValidate>
      <div role="alert">
        {message !== null && (
          <p className="fc-alert">
            <IconAlertCircle size={16} aria-hidden="true" />
            {message}
          </p>
        )}
      </div>
      <SignInField
        label="User name or e-mail"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ref={userName === '' ? focusAtStart : null}
        value={values.username}
        onChange={(username) => setValues({ ...values, username })}
        error={missing.username}
      />
      <SignInField
        label="Password"
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        ref={userName === '' ? null : focusAtStart}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        onKeyUp={watchCapsLock}
        onBlur={() => setIsCapsLock(false)}
        error={missing.password}
        hint={isCapsLock ? 'Caps Lock is on.' : undefined}
      >
        <button
          type="button"
          className="fc-field-button"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <ShownIcon size={18} stroke={1.6} aria-hidden="true" />
        </button>
      </SignInField>
      <label className="fc-check">
        <input
          type="checkbox"
          name="isRemember"
          checked={values.isRemember}
          onChange={(event) => setValues({ ...values, isRemember: event.currentTarget.checked })}
        />
        Keep me signed in
      </label>
      <button type="submit" className="fc-sign-in-button" aria-disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  )
}
