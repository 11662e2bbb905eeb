import { ActionIcon } from '@mantine/core'
import { IconArrowsSort, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type Ref, useState } from 'react'
import { DropMenu } from '../controls/DropMenu.tsx'
import type { ListControl } from './use-list-state.ts'

const SIZES = [25, 50, 100, 200] as const

type Props = {
  control: ListControl
  /** Counts are shown only once they are known. */
  isKnown: boolean
  /** The rows on screen are still those of the page before: so is the range. */
  isStale: boolean
  filtered: number
  total: number
  /** The element where scrolled rows report the visible range. */
  range: Ref<HTMLElement>
}

/** Counts, page size, range and page buttons; also the sort on narrow screens, which have no column headers. */
export function ListFooter({ control, isKnown, isStale, filtered, total, range }: Props) {
  const { list, show } = control
  const { page, size } = control.state
  const isScrolled = size === 0
  const first = filtered === 0 ? 0 : (page - 1) * size + 1
  const last = Math.min(page * size, filtered)
  const [shown, setShown] = useState({ first, last })
  if (!isStale && (shown.first !== first || shown.last !== last)) setShown({ first, last })
  return (
    <div className="fc-list-footer">
      <span className="fc-grow fc-number">
        {isKnown && (
          <bdi>
            <b>{filtered.toLocaleString()}</b> of {total.toLocaleString()} {list.nouns[total === 1 ? 0 : 1]}
          </bdi>
        )}
      </span>
      <SortMenu control={control} />
      <label className="fc-row fc-only-wide">
        Rows
        <select value={size} onChange={(event) => show({ size: Number(event.currentTarget.value) })}>
          {[...new Set([...SIZES, ...(isScrolled ? [] : [size])])]
            .toSorted((a, b) => a - b)
            .map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          <option value={0}>All</option>
        </select>
      </label>
      {isScrolled ? (
        <bdi ref={range} className="fc-number fc-only-wide" />
      ) : (
        <>
          {filtered > 0 && (
            <span className="fc-number fc-only-wide">
              <bdi>
                {shown.first.toLocaleString()} to {shown.last.toLocaleString()}
              </bdi>
            </span>
          )}
          <span className="fc-row">
            <ActionIcon
              aria-label="Previous page"
              disabled={page <= 1}
              onClick={() => show({ page: page - 1 })}
            >
              <IconChevronLeft size={16} className="fc-flip" />
            </ActionIcon>
            <ActionIcon
              aria-label="Next page"
              disabled={last >= filtered}
              onClick={() => show({ page: page + 1 })}
            >
              <IconChevronRight size={16} className="fc-flip" />
            </ActionIcon>
          </span>
        </>
      )}
    </div>
  )
}

function SortMenu({ control: { columns, state, show } }: Pick<Props, 'control'>) {
  const [first = ''] = state.sort.split(',')
  const sorted = columns.find(({ id }) => id === first.replace(/^-/, ''))
  const trigger = (
    <>
      <IconArrowsSort size={16} aria-hidden="true" />
      <span>
        <span className="fc-hidden">Sorted by </span>
        {sorted?.field.title}
        {first.startsWith('-') && ', descending'}
      </span>
    </>
  )
  return (
    <span className="fc-only-narrow">
      <DropMenu kind="menu" side="end" className="fc-quiet" trigger={trigger}>
        {columns
          .filter(({ field }) => field.isSortable)
          .flatMap(({ id, field }) => [
            { sort: id, title: field.title },
            { sort: `-${id}`, title: `${field.title}, descending` },
          ])
          .map(({ sort, title }) => (
            <button
              key={sort}
              type="button"
              role="menuitemradio"
              aria-checked={sort === state.sort}
              className="fc-drop-item"
              onClick={() => show({ sort })}
            >
              {title}
            </button>
          ))}
      </DropMenu>
    </span>
  )
}
