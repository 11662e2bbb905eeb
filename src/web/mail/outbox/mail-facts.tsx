import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import type { Fact } from '#web/ui/record/Facts.tsx'
import { NOT_SENT_HELP } from './mail-labels.ts'
import { MailStatus, NextAttempt } from './MailStatus.tsx'

/** The status, recipient and sending details of an email. */
export function mailFacts(mail: OpenMail): Fact[] {
  const { state, error, toName, toEmail, attempts, sentAt, handlerName } = mail
  return [
    [
      'Status',
      <span key="status">
        <MailStatus of={state} isPill />
        {state === 'kept' && error === null && (
          <span className="fc-second">
            <bdi>{NOT_SENT_HELP}</bdi>
          </span>
        )}
        {error !== null && state !== 'sent' && (
          <span className="fc-second">
            <bdi>{error}</bdi>
          </span>
        )}
      </span>,
    ],
    [
      'To',
      <span key="to">
        <bdi>{toName}</bdi>, <bdi>{toEmail}</bdi>
      </span>,
    ],
    [
      'Sent',
      <span key="sent">
        {sentAt === null ? <NextAttempt mail={mail} /> : formatAgo(sentAt)}
        {attempts > 0 && `, after ${count(attempts, 'attempt', 'attempts')}`}
        {handlerName !== null && (
          <>
            , with <bdi>{handlerName}</bdi>
          </>
        )}
      </span>,
    ],
  ]
}
