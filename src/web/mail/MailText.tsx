import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { CopyLink } from './CopyLink.tsx'
import './mail.css'

type Props = {
  mail: Pick<OpenMail, 'text'>
  /** Its link is dots, of no use to anybody. */
  isCovered?: boolean
}

/** The words of a mail as its reader gets them; a link that is not covered can be copied. */
export function MailText({ mail, isCovered = false }: Props) {
  const link = isCovered ? null : findLink(mail.text)
  return (
    <div className="fc-mail">
      <pre className="fc-mail-text" dir="auto">
        {mail.text}
      </pre>
      {link !== null && <CopyLink link={link} />}
    </div>
  )
}

/** The first web address of a text. */
function findLink(text: string): string | null {
  return /https?:\/\/[^\s<>"]+/.exec(text)?.[0] ?? null
}
