import { useState } from 'react'
import { type OpenMail, outbox } from '#contract/mail/outbox/outbox.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { DetailDrawer } from '#web/ui/record/DetailDrawer.tsx'
import { MailText } from '../MailText.tsx'
import { mailFacts } from './mail-facts.tsx'
import { MailOutcome } from './MailStatus.tsx'

const reveal = send(outbox.reveal)
const sendAgain = send(outbox.sendAgain)

/** One email: its status, text, and its link for those allowed to see it. */
export function MailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  // Never in the query cache: closing the drawer masks the link again.
  const [revealed, setRevealed] = useState<OpenMail | null>(null)
  const revealing = useMutation({
    mutationFn: reveal,
    onSuccess: setRevealed,
    onError: (failure) => showError(failure),
  })
  const sending = useMutation({
    mutationFn: sendAgain,
    onSuccess: ({ toEmail }) => toast('Email queued', toEmail),
    onError: (failure) => showError(failure),
  })
  return (
    <DetailDrawer
      query={query(outbox.get, { id })}
      what="this email"
      noun="Email"
      size={560}
      onClose={onClose}
      renderParts={(mail) => ({
        title: mail.subject,
        about: `Created ${formatAgo(mail.createdAt)}`,
        facts: mailFacts(mail),
        actions: (mail.state === 'failed' || mail.state === 'kept') && (
          <Action for={outbox.sendAgain} loading={sending.isPending} onClick={() => sending.mutate({ id })}>
            Send again
          </Action>
        ),
      })}
    >
      {(mail) => (
        <>
          <MailEvents mail={mail} />
          <MailText mail={revealed ?? mail} isMasked={mail.hasSecret && revealed === null} />
          {mail.hasSecret && (
            <div className="fc-mail-secret">
              {revealed === null && (
                <Action
                  for={outbox.reveal}
                  variant="default"
                  loading={revealing.isPending}
                  onClick={() => revealing.mutate({ id })}
                >
                  Show {secretIn(mail)}
                </Action>
              )}
              <p className="fc-small fc-faint">
                <bdi>
                  {revealed === null
                    ? `Anyone who has this ${secretIn(mail)} can use it, so it's hidden. Showing it is recorded in the audit log.`
                    : REVEALED_NOTES[secretIn(mail)]}
                </bdi>
              </p>
            </div>
          )}
        </>
      )}
    </DetailDrawer>
  )
}

/** The kind of secret masked in the text: the end of a link, or a code. */
const secretIn = ({ text }: OpenMail): keyof typeof REVEALED_NOTES =>
  text.includes('#\u2022') ? 'link' : 'code'

const REVEALED_NOTES = {
  link: 'Anyone with this link can set the password. Your access is recorded in the audit log.',
  code: 'Anyone with this code and the password can sign in. Your access is recorded in the audit log.',
} as const

/** Delivery events of an email, newest first. Hidden while there are none. */
function MailEvents({ mail: { events } }: { mail: OpenMail }) {
  if (events.length === 0) return null
  return (
    <ul className="fc-mail-events" aria-label="Delivery events">
      {events.map(({ id, kind, at, detail }) => (
        <li key={id}>
          <MailOutcome of={kind} />
          <span className="fc-soft fc-number">{formatAgo(at)}</span>
          {detail !== null && (
            <span className="fc-second">
              <bdi>{detail}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
