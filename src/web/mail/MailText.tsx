import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { CopyLink } from './CopyLink.tsx'
import './mail.css'

type Props = {
  mail: Pick<OpenMail, 'text'>
  /** Its link is masked. */
  isMasked?: boolean
}

/** The plain text of an email. A link that isn't masked can be copied. */
export function MailText({ mail, isMasked = false }: Props) {
  const link = isMasked ? null : findLink(mail.text)
  return (
    <div className="fc-mail">
      <pre className="fc-mail-text" dir="auto">
        {mail.text}
      </pre>
      {link !== null && <CopyLink link={link} />}
    </div>
  )
}

/** The first URL in a text. */
function findLink(text: string): string | null {
  return /https?:\/\/[^\s<>"]+/.exec(text)?.[0] ?? null
}
