import type { ReactNode } from 'react'

type Props = { title: string; context: ReactNode; children?: ReactNode }

/** The page's one heading, a line that says what is seen, and at the end what can be done. */
export function PageHeader({ title, context, children }: Props) {
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <h1>{title}</h1>
        <p aria-live="polite">
          <bdi>{context}</bdi>
        </p>
      </div>
      <div className="fc-row">{children}</div>
    </header>
  )
}
