import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  title: string
  /** The last part of the breadcrumb; the title if it is left out. */
  crumb?: string
  about: string
  status?: ReactNode
  children?: ReactNode
}

/** The header of the pages of one assessment. */
export function AssessmentTitle({ title, crumb = title, about, status, children }: Props) {
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/assessments">Assessments</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{crumb}</bdi>
          </span>
        </nav>
        <div className="fc-assessment-title">
          <RecordHeading name={title} />
          {status}
        </div>
        <p>
          <bdi>{about}</bdi>
        </p>
      </div>
      {children !== undefined && <div className="fc-row fc-wrap">{children}</div>}
    </header>
  )
}
