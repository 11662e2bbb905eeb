import { ActionIcon, Menu, Button } from '@mantine/core'
import { IconArrowsSort, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { Column } from './DataTable.tsx'

const SIZES = [25, 50, 100, 200] as const

type Props<Row> = {
  /** Counts are shown only once they are known. */
  isKnown: boolean
  filtered: number
  total: number
  /** "lots". */
  noun: string
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
  columns: readonly Column<Row>[]
  sort: string
  onSort: (sort: string) => void
}

/** Counts, page size, range and arrows; on narrow screens, which have no column heads, the sort too. */
export function ListFooter<Row>(props: Props<Row>) {
  const { isKnown, filtered, total, noun, page, size, onPage, onSize, columns, sort, onSort } = props
  const first = filtered === 0 ? 0 : (page - 1) * size + 1
  const last = Math.min(page * size, filtered)
  const sorted = columns.find((column) => column.id === sort.replace(/^-/, ''))
  return (
    <div className="fc-list-footer">
      <span className="fc-grow fc-number">
        {isKnown && (
          <bdi>
            <b>{filtered.toLocaleString()}</b> of {total.toLocaleString()} {noun}
          </bdi>
        )}
      </span>
      <span className="fc-only-narrow">
        <Menu position="top-end">
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconArrowsSort size={16} aria-hidden="true" />}
            >
              <span className="fc-hidden">Sorted by </span>
              {sorted?.title}
              {sort.startsWith('-') && ', last first'}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {columns
              .filter((column) => column.isSortable)
              .flatMap(({ id, title }) => [
                <Menu.Item key={id} onClick={() => onSort(id)}>
                  {title}
                </Menu.Item>,
                <Menu.Item key={`-${id}`} onClick={() => onSort(`-${id}`)}>
                  {title}, last first
                </Menu.Item>,
              ])}
          </Menu.Dropdown>
        </Menu>
      </span>
      <label className="fc-row fc-only-wide">
        Rows
        <select value={size} onChange={(event) => onSize(Number(event.currentTarget.value))}>
          {[...new Set([...SIZES, size])].map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
      {filtered > 0 && (
        <span className="fc-number fc-only-wide">
          <bdi>
            {first.toLocaleString()} to {last.toLocaleString()}
          </bdi>
        </span>
      )}
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
