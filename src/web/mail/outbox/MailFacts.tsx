import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { describeNext } from './mail-columns.tsx'
import { KEPT_REASON } from './mail-labels.ts'
import { MailState } from './MailState.tsx'

/** To whom a mail goes and how far it came. */
export function MailFacts({ mail }: { mail: OpenMail }) {
  const { state, error, toName, toEmail, attempts, sentAt, handlerName } = mail
  return (
    <dl className="fc-mail-facts">
      <div>
        <dt>State</dt>
        <dd>
          <MailState of={state} isPill />
          {state === 'kept' && (
            <span className="fc-second">
              <bdi>{KEPT_REASON}</bdi>
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
              , by <bdi>{handlerName}</bdi>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}
