import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type OpenMail, outbox } from '#contract/mail/outbox/outbox.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { MailText } from '../MailText.tsx'
import { MailFacts } from './MailFacts.tsx'
import { MailOutcome } from './MailStatus.tsx'

const reveal = send(outbox.reveal)
const sendAgain = send(outbox.sendAgain)

/** One email: its status, text, and its link for those allowed to see it. */
export function MailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(query(outbox.get, { id }))
  const { data } = load
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
  const mail = data && (revealed ?? data)
  const canSend = data?.state === 'failed' || data?.state === 'kept'
  return (
    <FormDrawer
      title={data?.subject ?? 'Email'}
      about={data && `Created ${formatAgo(data.createdAt)}`}
      size={560}
      onClose={onClose}
    >
      <Loaded query={load} what="this email" shape="facts">
        {(email) =>
          mail && (
            <div className="fc-form">
              <div className="fc-mail-body">
                <MailFacts mail={email} />
                <MailEvents mail={email} />
                <MailText mail={mail} isMasked={email.hasSecret && revealed === null} />
                {email.hasSecret && (
                  <div className="fc-mail-secret">
                    {revealed === null && (
                      <Action
                        for={outbox.reveal}
                        variant="default"
                        loading={revealing.isPending}
                        onClick={() => revealing.mutate({ id })}
                      >
                        Show {secretIn(email)}
                      </Action>
                    )}
                    <p className="fc-small fc-faint">
                      <bdi>
                        {revealed === null
                          ? `The ${secretIn(email)} gives access to an account, so it's hidden. Showing it is recorded in the audit log.`
                          : REVEALED_NOTES[secretIn(email)]}
                      </bdi>
                    </p>
                  </div>
                )}
              </div>
              <div className="fc-form-footer">
                <span className="fc-grow" />
                <Button variant="default" onClick={onClose}>
                  Close
                </Button>
                {canSend && (
                  <Action
                    for={outbox.sendAgain}
                    loading={sending.isPending}
                    onClick={() => sending.mutate({ id })}
                  >
                    Send again
                  </Action>
                )}
              </div>
            </div>
          )
        }
      </Loaded>
    </FormDrawer>
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
