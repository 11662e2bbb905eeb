import { useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { PASSWORD_RULE_MESSAGE } from '#contract/identity/passwords/password.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { SIGN_IN } from '#web/session/guard.ts'
import { meetsPasswordRule } from '#web/ui/form/password-rule.ts'
import { PasswordRule } from '#web/ui/form/PasswordRule.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { PasswordField } from '../sign-in/PasswordField.tsx'

/** Sets a password with the secret from an emailed link, then goes to the sign-in page. */
export function ResetPasswordForm({ word, userName }: { word: string; userName: string }) {
  const router = useRouter()
  const [values, setValues] = useState({ password: '', confirmation: '' })
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailure | null>(null)

  const wrong = check(values)
  const shown = isTried ? wrong : {}
  const isWrong = Object.keys(wrong).length > 0

  async function setPassword(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    setFailure(null)
    if (isBusy || isWrong) return
    setIsBusy(true)
    try {
      const { auth } = await import('#contract/identity/auth.ts')
      await call(auth.resetPassword, { resetValue: word, password: values.password })
      toast('Your password is set', 'Sign in with it.')
      await router.navigate({ to: SIGN_IN, state: { newUserName: userName }, replace: true })
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void setPassword(event)} noValidate>
      <FormAlert message={failure && failure.fields['password'] === undefined ? failure.message : null} />
      {/* Password managers save the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        ref={focusAtStart}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        error={shown.password ?? failure?.fields['password']}
        below={<PasswordRule password={values.password} />}
      />
      <PasswordField
        label="Confirm password"
        name="confirmation"
        autoComplete="new-password"
        value={values.confirmation}
        onChange={(confirmation) => setValues({ ...values, confirmation })}
        error={shown.confirmation}
      />
      <button type="submit" className="fc-sign-in-button" aria-disabled={isBusy}>
        {isBusy ? 'Setting…' : 'Set password'}
      </button>
    </form>
  )
}

/** The same messages as the change password form (specification section 5). */
function check({ password, confirmation }: { password: string; confirmation: string }) {
  return {
    ...(!meetsPasswordRule(password) && {
      password: password === '' ? 'New Password is required' : PASSWORD_RULE_MESSAGE,
    }),
    ...(confirmation === '' && { confirmation: 'Confirm Password is required' }),
    ...(confirmation !== '' &&
      confirmation !== password && { confirmation: 'Password and Confirm Password must be match.' }),
  }
}

/** The only task on this page is choosing a password. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}
