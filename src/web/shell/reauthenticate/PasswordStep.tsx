import { Button, PasswordInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { auth } from '#contract/identity/auth.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { call } from '#web/api/client.ts'
import { STOP_PROPAGATION, LeaveButton } from './LeaveButton.tsx'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useMutation } from '#web/api/mutation.ts'

type Props = { userName: string; onToken: (token: Token) => Promise<void>; onLeave: () => void }

/** Asks only for the password, because the page belongs to a known user. */
export function PasswordStep({ userName, onToken, onLeave }: Props) {
  const [password, setPassword] = useState('')
  const [isTried, setIsTried] = useState(false)
  const signIn = useMutation({
    mutationFn: async () => onToken(await call(auth.signIn, { username: userName, password })),
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (!signIn.isPending && password !== '') signIn.mutate()
  }

  return (
    <form onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
      <PasswordInput
        {...STOP_PROPAGATION}
        name="password"
        label="Password"
        required
        data-autofocus
        autoComplete="current-password"
        value={password}
        error={isTried && password === '' ? 'Password is required.' : signIn.error?.message}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          signIn.reset()
        }}
      />
      <div className="fc-buttons">
        <LeaveButton onLeave={onLeave} />
        <Button {...STOP_PROPAGATION} type="submit" loading={signIn.isPending}>
          Sign in and continue
        </Button>
      </div>
    </form>
  )
}
