import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import type { MAIL_LIST } from '#contract/mail/outbox/mail-list.ts'
import type { Mail } from '#contract/mail/outbox/outbox.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { MailOutcome, MailStatus, NextAttempt } from './MailStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells. */
export const CELLS: Cells<Mail, keyof typeof MAIL_LIST.fields> = {
  subject: (mail) => <MailLink mail={mail} />,
  toName: (mail) => (
    <>
      <bdi>{mail.toName}</bdi>
      <span className="fc-second">
        <bdi>{mail.toEmail}</bdi>
      </span>
    </>
  ),
  state: (mail) => (
    <>
      <MailStatus of={mail.state} />
      {mail.error !== null && mail.state !== 'sent' && (
        <span className="fc-second fc-cut" title={mail.error}>
          <bdi>{mail.error}</bdi>
        </span>
      )}
    </>
  ),
  outcome: (mail) => mail.outcome && <MailOutcome of={mail.outcome} />,
  sentAt: (mail) => (
    <>
      {mail.sentAt === null ? <NextAttempt mail={mail} /> : formatAgo(mail.sentAt)}
      {mail.attempts > 0 && <span className="fc-second">{count(mail.attempts, 'attempt', 'attempts')}</span>}
    </>
  ),
}

export const WIDTHS = { subject: 280, toName: 216 }

/** A row on a narrow screen. */
export function MailBlock({ mail }: { mail: Mail }) {
  return (
    <>
      <div className="fc-block-head">
        <MailLink mail={mail} />
        <span className="fc-small fc-soft fc-number">{formatAgo(mail.createdAt)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>
          {mail.toName} · {mail.toEmail}
        </bdi>
      </div>
      <div className="fc-block-head fc-small">
        {mail.outcome === null ? <MailStatus of={mail.state} /> : <MailOutcome of={mail.outcome} />}
        <span className="fc-soft fc-number">{mail.sentAt === null && <NextAttempt mail={mail} />}</span>
      </div>
    </>
  )
}

function MailLink({ mail }: { mail: Mail }) {
  return (
    <MayOpen for={outbox.get}>
      <Link
        from="/administration/outbox"
        to="/administration/outbox"
        search={(before) => ({ ...before, mail: mail.id })}
        className="fc-name"
      >
        <bdi>{mail.subject}</bdi>
      </Link>
    </MayOpen>
  )
}
