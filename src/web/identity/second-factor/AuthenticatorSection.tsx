import { Button } from '@mantine/core'
import { BACKUP_CODES, type OwnSecondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { SecurityDialogKind } from './SecurityDialog.tsx'
import { SecuritySection } from './SecuritySection.tsx'

const FEW = 3

type Props = { own: OwnSecondFactor; onOpen: (dialog: SecurityDialogKind) => void }

/** The second factor as it stands: an authenticator with its backup codes, codes by mail, or none. */
export function AuthenticatorSection({ own, onOpen }: Props) {
  const { authenticatorAt, backupCodesLeft } = own
  if (authenticatorAt === null) {
    return (
      <SecuritySection
        title="Second factor"
        text="Besides your password you show that you have your phone, or your mailbox, at hand."
      >
        <WithoutAuthenticator own={own} />
        <div className="fc-row">
          <Button onClick={() => onOpen('enrol')}>Turn on an authenticator</Button>
        </div>
      </SecuritySection>
    )
  }
  return (
    <>
      <SecuritySection
        title="Second factor"
        text="Besides your password you type the 6 digits that your authenticator app shows."
      >
        <Status tone="good" mark="check">
          Authenticator on since {formatDay(authenticatorAt)}
        </Status>
        <p className="fc-small fc-soft">For another phone, turn it off first and on again there.</p>
        <div className="fc-row">
          <Button variant="default" onClick={() => onOpen('off')}>
            Turn off
          </Button>
        </div>
      </SecuritySection>
      <SecuritySection
        title="Backup codes"
        text="For the day on which the phone is not there. Each code works once."
      >
        <Status
          tone={backupCodesLeft > FEW ? 'good' : 'warn'}
          mark={backupCodesLeft > FEW ? 'check' : 'alert'}
        >
          {backupCodesLeft} of {BACKUP_CODES} codes left
        </Status>
        <div className="fc-row">
          <Button variant="default" onClick={() => onOpen('renew')}>
            Make new codes
          </Button>
        </div>
      </SecuritySection>
    </>
  )
}

function WithoutAuthenticator({ own: { isRequired, mailTo } }: { own: OwnSecondFactor }) {
  if (mailTo !== null) {
    return (
      <>
        <Status tone="good" mark="check">
          Codes by mail
        </Status>
        <p className="fc-small fc-soft">
          Your user type asks for a second factor: at sign-in we mail a code to <bdi>{mailTo}</bdi>. An
          authenticator takes its place.
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
          ? 'Your user type asks for a second factor, but no mail with a code can be sent here. Turn on an authenticator.'
          : 'Whoever learns your password gets in. An authenticator app on your phone keeps them out.'}
      </p>
    </>
  )
}
