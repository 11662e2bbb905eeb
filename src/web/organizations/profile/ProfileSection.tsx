import type { ReactNode } from 'react'

type Props = {
  title: string
  /** What it is for, beside the fields. */
  text: ReactNode
  children: ReactNode
}

/** A block of the step: what it is about at the start, its fields beside it. */
export function ProfileSection({ title, text, children }: Props) {
  return (
    <section className="fc-profile-section" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="fc-small fc-faint">
          <bdi>{text}</bdi>
        </p>
      </div>
      <div className="fc-profile-fields">{children}</div>
    </section>
  )
}
