import type { ReactNode } from 'react'
import './form-section.css'

type Props = {
  title: string
  /** What it is for, beside the fields. */
  text: ReactNode
  children: ReactNode
}

/** A block of a form that fills a page: what it is about at the start, its fields beside it. */
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
