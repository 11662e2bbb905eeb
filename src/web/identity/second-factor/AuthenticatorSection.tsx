import { Button } from '@mantine/core'
import { BACKUP_CODES, type OwnSecondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { SecurityDialogKind } from './SecurityDialog.tsx'
import { SecuritySection } from './SecuritySection.tsx'

const FEW = 3

type Props = { own: OwnSecondFactor; onOpen: (dialog: SecurityDialogKind) => void }

/** The current second factor: an authenticator with its backup codes, emailed codes, or none. */
export function AuthenticatorSection({ own, onOpen }: Props) {
  const { authenticatorAt, backupCodesLeft } = own
  if (authenticatorAt === null) {
    return (
      <>
        <SecuritySection
          title="Second factor"
          text="Confirm it's you with your phone or email in addition to your password."
        >
          <WithoutAuthenticator own={own} />
          <div className="fc-row">
            <Button onClick={() => onOpen('enroll')}>Set up an authenticator</Button>
          </div>
        </SecuritySection>
        {own.codeEmail !== null && (
          <BackupCodes
            left={backupCodesLeft}
            text="Use these if no email arrives. Each code works once."
            onOpen={onOpen}
          />
        )}
      </>
    )
  }
  return (
    <>
      <SecuritySection
        title="Second factor"
        text="At sign-in, you enter the 6-digit code from your authenticator app after your password."
      >
        <Status tone="good" mark="check">
          Authenticator on since {formatDay(authenticatorAt)}
        </Status>
        <p className="fc-small fc-soft">
          To switch to another phone, turn it off here, then set it up on the new phone.
        </p>
        <div className="fc-row">
          <Button variant="default" onClick={() => onOpen('off')}>
            Turn off
          </Button>
        </div>
      </SecuritySection>
      <BackupCodes
        left={backupCodesLeft}
        text="Use these if you don't have your phone. Each code works once."
        onOpen={onOpen}
      />
    </>
  )
}

function BackupCodes({ left, text, onOpen }: { left: number; text: string } & Pick<Props, 'onOpen'>) {
  return (
    <SecuritySection title="Backup codes" text={text}>
      <Status tone={left > FEW ? 'good' : 'warn'} mark={left > FEW ? 'check' : 'alert'}>
        {left} of {BACKUP_CODES} codes left
      </Status>
      <div className="fc-row">
        <Button variant="default" onClick={() => onOpen('renew')}>
          Generate new codes
        </Button>
      </div>
    </SecuritySection>
  )
}

function WithoutAuthenticator({ own: { isRequired, codeEmail } }: { own: OwnSecondFactor }) {
  if (codeEmail !== null) {
    return (
      <>
        <Status tone="good" mark="check">
          Codes by email
        </Status>
        <p className="fc-small fc-soft">
          Your user type requires a second factor. At sign-in, we email a code to <bdi>{codeEmail}</bdi>. If
          you set up an authenticator, you'll use that instead.
        </p>
      </>
    )
  }
  return (
    <>
      <Status tone="warn" mark="alert">
        Password only
      </Status>
      <p className="fc-small fc-soft">
        {isRequired
          ? "Your user type requires a second factor, but codes can't be emailed here. Set up an authenticator."
          : 'Anyone who learns your password can sign in. Add an authenticator app to protect your account.'}
      </p>
    </>
  )
}
