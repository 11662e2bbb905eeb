import { Modal } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { send } from '#web/api/query.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { BackupCodesView } from './BackupCodesView.tsx'
import { ConfirmCode } from './ConfirmCode.tsx'
import { PasswordQuestion } from './PasswordQuestion.tsx'

export type SecurityDialogKind = 'enroll' | 'renew' | 'off'

const begin = send(secondFactor.startAuthenticator)
const confirm = send(secondFactor.confirmAuthenticator)
const renew = send(secondFactor.renewBackupCodes)
const remove = send(secondFactor.removeAuthenticator)

const TITLES: Readonly<Record<SecurityDialogKind, string>> = {
  enroll: 'Set up an authenticator',
  renew: 'New backup codes',
  off: 'Turn off the authenticator',
}

type Props = { kind: SecurityDialogKind; onClose: () => void }

/**
 * Each starts with the password. A click outside doesn't close it, because backup codes are shown only once.
 */
export function SecurityDialog({ kind, onClose }: Props) {
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={TITLES[kind]}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={closeOnEscape}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      {kind === 'enroll' && <Enrollment onClose={onClose} />}
      {kind === 'renew' && <Renewal onClose={onClose} />}
      {kind === 'off' && (
        <PasswordQuestion
          text="This also removes your backup codes and trusted devices. You'll sign in with only your password, unless your user type requires emailed codes."
          confirm="Turn off"
          isDestructive
          ask={(password) => remove({ password })}
          onCancel={onClose}
          onDone={() => {
            onClose()
            toast('Authenticator turned off', 'You no longer need its codes to sign in')
          }}
        />
      )}
    </Modal>
  )
}

function Enrollment({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <BackupCodesView codes={codes} onClose={onClose} />
  if (secret !== null)
    return (
      <ConfirmCode
        {...secret}
        confirm={confirm}
        onCancel={onClose}
        onDone={({ backupCodes }) => setCodes(backupCodes)}
      />
    )
  return (
    <PasswordQuestion
      text="You'll need an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis."
      confirm="Continue"
      ask={(password) => begin({ password })}
      onCancel={onClose}
      onDone={setSecret}
    />
  )
}

function Renewal({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <BackupCodesView codes={codes} onClose={onClose} />
  return (
    <PasswordQuestion
      text="You get ten codes. Those that you have now stop working."
      confirm="Generate new codes"
      ask={(password) => renew({ password })}
      onCancel={onClose}
      onDone={({ backupCodes }) => setCodes(backupCodes)}
    />
  )
}
