import { Modal } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { type OwnSecondFactor, secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { queryClient, send } from '#web/api/query.ts'
import { afterSignIn } from '#web/session/guard.ts'
import { isRemembered } from '#web/session/store.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
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

const WITHOUT: Readonly<Record<OwnSecondFactor['withoutAuthenticator'], string>> = {
  nothing: "You'll sign in with only your password.",
  email: "You'll sign in with your password and a code that we email to you.",
  setup:
    'Your user type requires a second factor. So your other sessions end, and you set up an authenticator again before you can go on.',
}

type Props = { kind: SecurityDialogKind; own: OwnSecondFactor; onClose: () => void }

/**
 * Each starts with the password. A click outside doesn't close it, because backup codes are shown only once.
 */
export function SecurityDialog({ kind, own, onClose }: Props) {
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
      {kind === 'off' && <TurningOff own={own} onClose={onClose} />}
    </Modal>
  )
}

/** Where a second factor is required and codes can't be emailed, the session waits for a new authenticator afterward. */
function TurningOff({ own, onClose }: Omit<Props, 'kind'>) {
  const session = useSessionOwner()
  const router = useRouter()
  return (
    <PasswordQuestion
      text={`This also removes your backup codes and trusted devices. ${WITHOUT[own.withoutAuthenticator]}`}
      confirm="Turn off"
      isDestructive
      ask={(password) => remove({ password })}
      onCancel={onClose}
      onDone={({ token }) => {
        onClose()
        toast('Authenticator turned off', 'Its codes no longer work')
        if (token === null) return
        session.begin(token, { isRemember: isRemembered() })
        // What is cached belongs to the verified session.
        queryClient.clear()
        void router.navigate({ href: afterSignIn(readClaims(token.accessToken), '/account/security') })
      }}
    />
  )
}

function Enrollment({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Awaited<ReturnType<typeof begin>> | null>(null)
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
