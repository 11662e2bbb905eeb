import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  title: string
  /** What the tile shows as its number. */
  value: ReactNode
  /** The path of the rows that the number counts; null if the user can't open it. */
  url: string | null
  children?: ReactNode
}

/** A figure of a strip, which opens the rows that it counts. */
export function CountFigure({ title, value, url, children }: Props) {
  const content = (
    <>
      <span>
        <bdi>{title}</bdi>
      </span>
      <b>{value}</b>
      <span>{children}</span>
    </>
  )
  if (url === null) return <div className="fc-figure">{content}</div>
  return (
    <Link className="fc-figure fc-figure-link" to={url}>
      {content}
      <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
    </Link>
  )
}
