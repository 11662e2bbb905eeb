import type { ReactNode } from 'react'
import './facts.css'

/** A title with its value, and a note under the title. */
export type Fact = readonly [title: string, value: ReactNode, note?: string | undefined]

const isShown = ([, value]: Fact) => value !== null && value !== undefined && value !== false && value !== ''

/** Titles with their values, to read. Those without a value are left out. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fc-fact-list">
      {facts.filter(isShown).map(([name, value, note], at) => (
        <div key={at}>
          <dt>
            <bdi>{name}</bdi>
            {note !== undefined && <span className="fc-second">{note}</span>}
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Props = {
  title: string
  facts: readonly Fact[]
  /** Beside the heading: what opens or changes it. */
  tools?: ReactNode
  /** Above the facts, such as a picture. */
  children?: ReactNode
}

/** A part of a record with its facts. An empty part is left out. */
export function Facts({ title, facts, tools, children }: Props) {
  if (!facts.some(isShown) && children === undefined) return null
  return (
    <section className="fc-facts" aria-label={title}>
      <div className="fc-facts-head">
        <h3>{title}</h3>
        {tools}
      </div>
      {children}
      <FactList facts={facts} />
    </section>
  )
}
