import type { ReactNode } from 'react'
import { useRecordTitle } from './use-record-title.ts'

type Props = { title: string; context: ReactNode; children?: ReactNode }

/** The page's heading, a line of context and the page actions. */
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

/** The heading of a record's page. Its name is the title of the tab, too, and so in the browser's history. */
export function RecordHeading({ name }: { name: string }) {
  useRecordTitle(name)
  return (
    <h1>
      <bdi>{name}</bdi>
    </h1>
  )
}
