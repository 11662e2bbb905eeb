import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'
import { keepChanged } from './set-customer-in-cache.ts'
import { UserState } from './UserState.tsx'

type Administrator = NonNullable<OpenCustomer['administrator']>

const invite = send(customers.invite)
const revealInvitation = send(customers.revealInvitation)

/** Whom the customer was handed to, and the mail that lets them in. */
export function AdministratorBlock({ customer }: { customer: OpenCustomer }) {
  const { id, administrator } = customer
  const [mail, setMail] = useState<OpenMail | null>(null)
  const sending = useMutation({
    mutationFn: invite,
    onSuccess: (changed) => {
      toast('Mail is on its way', administrator?.email)
      return keepChanged(changed)
    },
    onError: (failure) => showError(failure),
  })
  const revealing = useMutation({
    mutationFn: revealInvitation,
    onSuccess: setMail,
    onError: (failure) => showError(failure),
  })
  return (
    <section>
      <h2>Administrator</h2>
      {administrator === null ? (
        <p className="fc-soft">Whom this customer was handed to is gone. Its own people look after it.</p>
      ) : (
        <>
          <ul className="fc-lines">
            <li>
              <span className="fc-grow">
                <bdi className="fc-name">{administrator.fullName}</bdi>
                <span className="fc-second">
                  <bdi>{describe(administrator)}</bdi>
                </span>
              </span>
              <UserState of={administrator.state} />
            </li>
          </ul>
          <div className="fc-row fc-wrap">
            <Action
              for={customers.invite}
              variant="default"
              loading={sending.isPending}
              onClick={() => sending.mutate({ id })}
            >
              {nameMail(administrator)}
            </Action>
            {administrator.state === 'invited' && administrator.passwordMailAt !== null && (
              <Action
                for={customers.revealInvitation}
                variant="default"
                loading={revealing.isPending}
                onClick={() => revealing.mutate({ id })}
              >
                Show the mail
              </Action>
            )}
            <bdi className="fc-small fc-faint">{describeEmail(administrator.passwordMailAt)}</bdi>
          </div>
        </>
      )}
      {mail && <InvitationDialog mail={mail} onClose={() => setMail(null)} />}
    </section>
  )
}

/** Who has a password gets a link to a new one, which is no invitation. */
function nameMail({ state, passwordMailAt }: Administrator): string {
  if (state !== 'invited') return 'Send password mail'
  return passwordMailAt === null ? 'Send invitation' : 'Send invitation again'
}

function describe({ email, userName }: Administrator): string {
  return email === userName ? email : `${email}, signs in as ${userName}`
}

function describeEmail(mailedAt: string | null): string {
  if (mailedAt === null) return 'No mail was sent yet.'
  return `Mailed ${formatAgo(mailedAt)}. Showing the mail is written in the audit log.`
}
