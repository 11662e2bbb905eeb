import type { MouseEvent } from 'react'
import type { ListSearch } from '#web/list-search.ts'

type NameProps = { name: string; count: number | null; isModified: boolean }

/** The name of a view, whether it has unsaved changes, and its number of rows. */
export function ViewName({ name, count, isModified }: NameProps) {
  return (
    <>
      <bdi className="fc-cut">{name}</bdi>{' '}
      {isModified && (
        <>
          <span aria-hidden="true">•</span>
          <span className="fc-hidden">modified</span>{' '}
        </>
      )}
      {count !== null && <bdi className="fc-number fc-view-count">{count.toLocaleString()}</bdi>}
    </>
  )
}

type Props = NameProps & { page: string; search: ListSearch; isOpen: boolean; onOpen: () => void }

/** A tab: a link, so that a view can be copied or opened in a new browser tab. */
export function ViewLink({ page, search, isOpen, onOpen, ...name }: Props) {
  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen()
  }
  return (
    <a
      className="fc-view"
      href={`${page}${write(search)}`}
      {...(isOpen && { 'aria-current': true })}
      onClick={follow}
    >
      <ViewName {...name} />
    </a>
  )
}

function write(search: ListSearch): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
