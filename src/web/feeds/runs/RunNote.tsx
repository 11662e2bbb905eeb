import type { ReactNode } from 'react'

/** A part of a run's page about what to check or to decide. */
export function RunNote({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="fc-feed-note">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </section>
  )
}
