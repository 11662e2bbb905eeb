import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

type Props = { page: number; size: number; filtered: number; onPage: (page: number) => void }

/** The visible range with buttons for other pages; nothing if all rows fit on one page. */
export function RowPages({ page, size, filtered, onPage }: Props) {
  if (filtered <= size && page === 1) return null
  const last = Math.min(page * size, filtered)
  return (
    <div className="fc-list-footer">
      <span className="fc-grow fc-number">
        <bdi>
          {Math.min((page - 1) * size + 1, filtered).toLocaleString()} to {last.toLocaleString()} of{' '}
          <b>{filtered.toLocaleString()}</b> rows
        </bdi>
      </span>
      <span className="fc-row">
        <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={16} className="fc-flip" />
        </ActionIcon>
        <ActionIcon aria-label="Next page" disabled={last >= filtered} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} className="fc-flip" />
        </ActionIcon>
      </span>
    </div>
  )
}
