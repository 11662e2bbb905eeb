import type { ReactNode } from 'react'

type Props = { title: string; text: string; children: ReactNode }

/** A section of the page: heading and text on the left, status and actions on the right. */
export function SecuritySection({ title, text, children }: Props) {
  return (
    <section className="fc-security" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="fc-small fc-faint">{text}</p>
      </div>
      <div className="fc-security-body">{children}</div>
    </section>
  )
}
