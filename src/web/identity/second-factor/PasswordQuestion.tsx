import { Button, PasswordInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from '#web/api/mutation.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import '@mantine/core/styles/PasswordInput.layer.css'

type Props<Answer> = {
  text: string
  confirm: string
  isDestructive?: boolean
  /** The call that receives the password. */
  ask: (password: string) => Promise<Answer>
  onDone: (answer: Answer) => void
  onCancel: () => void
}

/** Protects against someone using a session that was left open. */
export function PasswordQuestion<Answer>({
  text,
  confirm,
  isDestructive = false,
  ask,
  onDone,
  onCancel,
}: Props<Answer>) {
  const [password, setPassword] = useState('')
  const [isTried, setIsTried] = useState(false)
  const asking = useMutation({
    mutationFn: ask,
    onSuccess: onDone,
    onError: (failure) => {
      if (failure.fields['password'] === undefined) showError(failure)
    },
  })
  const missing = isTried && password === '' ? 'Password is required' : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (password !== '' && !asking.isPending) asking.mutate(password)
  }

  return (
    <form className="fc-security-form" onSubmit={submit} noValidate>
      <p>{text}</p>
      <PasswordInput
        label="Your password"
        name="password"
        required
        data-autofocus
        autoComplete="current-password"
        value={password}
        error={missing ?? asking.error?.fields['password']}
        visibilityToggleButtonProps={{ 'aria-label': 'Show your password', tabIndex: 0 }}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          asking.reset()
        }}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={asking.isPending} {...(isDestructive && { className: 'fc-danger' })}>
          {confirm}
        </Button>
      </div>
    </form>
  )
}
