import { useState } from 'react'
import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError, MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { setCustomerInCache } from './set-customer-in-cache.ts'
import { describeMail, isLoopback } from './customer-labels.ts'
import { UserStatus } from './UserStatus.tsx'
import { Modal, Text } from '@mantine/core'
import { MailText } from '#web/mail/index.ts'

type Administrator = NonNullable<OpenCustomer['administrator']>

const invite = send(customers.invite)
const revealInvitation = send(customers.revealInvitation)

/** The customer's first administrator, and their invitation email. */
export function AdministratorBlock({ customer }: { customer: OpenCustomer }) {
  const { id, administrator, address } = customer
  const [mail, setMail] = useState<OpenMail | null>(null)
  const sending = useMutation({
    mutationFn: invite,
    onSuccess: (changed) => {
      toast('Email written', administrator?.email)
      setCustomerInCache(changed)
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
        <p className="fc-soft">
          This customer's first administrator no longer exists. Its own users manage it.
        </p>
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
              <UserStatus of={administrator.state} />
            </li>
          </ul>
          <div className="fc-row fc-wrap">
            <Action
              for={customers.invite}
              variant="default"
              loading={sending.isPending}
              onClick={() => sending.mutate({ id })}
            >
              {labelSendButton(administrator)}
            </Action>
            {administrator.state === 'invited' && administrator.passwordMailAt !== null && (
              <Action
                for={customers.revealInvitation}
                variant="default"
                loading={revealing.isPending}
                onClick={() => revealing.mutate({ id })}
              >
                Show email
              </Action>
            )}
          </div>
          <Text size="sm" c="dimmed" component="output" display="block" mt="xs">
            <bdi>
              {describeMail(
                administrator.passwordMailState,
                administrator.passwordMailAt === null ? 'earlier' : formatAgo(administrator.passwordMailAt),
              )}
            </bdi>
          </Text>
          <Text size="sm" c="dimmed">
            <bdi>
              Links in emails open <bdi dir="ltr">{address}</bdi>
            </bdi>
          </Text>
          {isLoopback(address) && (
            <Text size="sm" role="note">
              This address works only on the computer that runs the product. Set PUBLIC_URL, then resend the
              email.
            </Text>
          )}
        </>
      )}
      {mail && <InvitationDialog mail={mail} onClose={() => setMail(null)} />}
    </section>
  )
}

/** A user who already has a password gets a password link, not an invitation. */
function labelSendButton({ state, passwordMailAt }: Administrator): string {
  if (state !== 'invited') return 'Send password email'
  return passwordMailAt === null ? 'Send invitation' : 'Resend invitation'
}

function describe({ email, userName }: Administrator): string {
  return email === userName ? email : `${email}, signs in as ${userName}`
}

/** The latest email to an administrator with its link, to share if the email doesn't arrive. */
function InvitationDialog({ mail, onClose }: { mail: OpenMail; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={mail.subject}
      size={560}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p className="fc-small fc-soft fc-dialog-lead">
        To{' '}
        <bdi>
          {mail.toName}, {mail.toEmail}
        </bdi>
        . Anyone with this link can set the password, so share it only with them. Your access is recorded in
        the audit log.
      </p>
      <MailText mail={mail} />
    </Modal>
  )
}
