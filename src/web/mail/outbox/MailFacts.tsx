import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { describeNext } from './mail-columns.tsx'
import { NOT_SENT_HELP } from './mail-labels.ts'
import { MailStatus } from './MailStatus.tsx'

/** The status, recipient and sending details of an email. */
export function MailFacts({ mail }: { mail: OpenMail }) {
  const { state, error, toName, toEmail, attempts, sentAt, handlerName } = mail
  return (
    <dl className="fc-mail-facts">
      <div>
        <dt>Status</dt>
        <dd>
          <MailStatus of={state} isPill />
          {state === 'kept' && (
            <span className="fc-second">
              <bdi>{NOT_SENT_HELP}</bdi>
            </span>
          )}
          {error !== null && state !== 'sent' && (
            <span className="fc-second">
              <bdi>{error}</bdi>
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>
          <bdi>{toName}</bdi>, <bdi>{toEmail}</bdi>
        </dd>
      </div>
      <div>
        <dt>Sent</dt>
        <dd>
          {sentAt === null ? describeNext(mail) : formatAgo(sentAt)}
          {attempts > 0 && `, after ${count(attempts, 'attempt', 'attempts')}`}
          {handlerName !== null && (
            <>
              , with <bdi>{handlerName}</bdi>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}
