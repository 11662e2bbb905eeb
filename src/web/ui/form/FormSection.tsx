import type { ReactNode } from 'react'
import './form-section.css'

type Props = {
  title: string
  /** Help text next to the fields. */
  text: ReactNode
  children: ReactNode
}

/** A section of a full-page form: description at the start, fields next to it. */
export function FormSection({ title, text, children }: Props) {
  return (
    <section className="fc-section" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="fc-small fc-faint">
          <bdi>{text}</bdi>
        </p>
      </div>
      <div className="fc-section-fields">{children}</div>
    </section>
  )
}
