import { Modal } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { send } from '#web/api/query.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { BackupCodesView } from './BackupCodesView.tsx'
import { ConfirmCode } from './ConfirmCode.tsx'
import { PasswordQuestion } from './PasswordQuestion.tsx'

export type SecurityDialogKind = 'enrol' | 'renew' | 'off'

const begin = send(secondFactor.startAuthenticator)
const renew = send(secondFactor.renewBackupCodes)
const remove = send(secondFactor.removeAuthenticator)

const TITLES: Readonly<Record<SecurityDialogKind, string>> = {
  enrol: 'Turn on an authenticator',
  renew: 'New backup codes',
  off: 'Turn the authenticator off',
}

type Props = { kind: SecurityDialogKind; onClose: () => void }

/** Each begins with the password; codes that are shown once are not closed by a click beside them. */
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
      {kind === 'enrol' && <Enrolment onClose={onClose} />}
      {kind === 'renew' && <Renewal onClose={onClose} />}
      {kind === 'off' && (
        <PasswordQuestion
          text="Your backup codes and trusted devices go with it. From then on your password alone lets you in, unless your user type asks for codes by mail."
          confirm="Turn off"
          isDestructive
          ask={(password) => remove({ password })}
          onCancel={onClose}
          onDone={() => {
            onClose()
            toast('Authenticator turned off', 'You are not asked for its codes any more')
          }}
        />
      )}
    </Modal>
  )
}

function Enrolment({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <BackupCodesView codes={codes} onClose={onClose} />
  if (secret !== null) return <ConfirmCode {...secret} onCancel={onClose} onDone={setCodes} />
  return (
    <PasswordQuestion
      text="You need an authenticator app on your phone, such as Aegis, Google Authenticator or 1Password."
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
      text="The codes you have now stop working."
      confirm="Make new codes"
      ask={(password) => renew({ password })}
      onCancel={onClose}
      onDone={({ backupCodes }) => setCodes(backupCodes)}
    />
  )
}
