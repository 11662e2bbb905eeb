import { Button, Modal, PasswordInput } from '@mantine/core'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { auth } from '#contract/identity/auth.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { MODAL_TRANSITION, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { PasswordRule } from '#web/ui/form/PasswordRule.tsx'
import { BLANK_CHANGE, checkChange, type PasswordChange } from './check-password.ts'
import type { PanelProps } from './layout/panels.ts'
import '@mantine/core/styles/PasswordInput.layer.css'
import './layout/panel-sheets.css'

const FIELDS = [
  { name: 'oldPassword', label: 'Old Password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New Password', autoComplete: 'new-password' },
  { name: 'confirmPassword', label: 'Confirm Password', autoComplete: 'new-password' },
] as const

const changePassword = send(auth.changePassword)

/** The dialog of specification sections 4, 5 and 8: closed, open, submitting, closed on success. */
export function ChangePassword({ isOpen, onClose }: PanelProps) {
  // Mantine listens on the window, which would also close the dialog under its own error dialog.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Change Password"
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={closeOnEscape}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  )
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<PasswordChange>(BLANK_CHANGE)
  const [isTried, setIsTried] = useState(false)
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      onClose()
      showNotice('Success', 'Password Changed Successfully')
    },
    onError: (failure) => showError(failure),
  })
  const wrong = checkChange(values)
  // A server error stays on its field until the field changes.
  const refused = change.error?.fields ?? {}
  const shown = isTried ? { ...refused, ...wrong } : {}

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (change.isPending) return
    const [first] = FIELDS.filter(({ name }) => wrong[name] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
    else change.mutate({ oldPassword: values.oldPassword, newPassword: values.newPassword })
  }

  return (
    <form ref={form} className="fc-password-form" onSubmit={submit} noValidate>
      {FIELDS.map(({ name, label, autoComplete }) => (
        <PasswordInput
          key={name}
          name={name}
          label={label}
          required
          autoComplete={autoComplete}
          {...(name === 'oldPassword' && { 'data-autofocus': true })}
          description={name === 'newPassword' ? <PasswordRule password={values.newPassword} /> : undefined}
          descriptionProps={{ component: 'div' }}
          value={values[name]}
          error={shown[name]}
          visibilityToggleButtonProps={{ 'aria-label': `Show ${label}`, tabIndex: 0 }}
          onChange={(event) => {
            setValues({ ...values, [name]: event.currentTarget.value })
            if (refused[name] !== undefined) change.reset()
          }}
        />
      ))}
      <div className="fc-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Change Password
        </Button>
      </div>
    </form>
  )
}
