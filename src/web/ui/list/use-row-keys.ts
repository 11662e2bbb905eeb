import { useHotkeys } from '@mantine/hooks'
import { useRef, type RefObject } from 'react'
import { isFree } from '../controls/is-free.ts'

/**
 * j and k open the next and the previous row while one is open beside the list.
 * @returns for the element around the rows, of which each has one link that opens it.
 */
export function useRowKeys(isBeside: boolean): RefObject<HTMLDivElement | null> {
  const pane = useRef<HTMLDivElement>(null)
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (!isBeside || !isFree(event)) return
    const rows = [...(pane.current?.querySelectorAll('.fc-blocks > li') ?? [])]
    const at = rows.findIndex((row) => row.matches('[data-selected]'))
    const link = rows[at === -1 ? 0 : at + by]?.querySelector('a')
    link?.focus()
    link?.click()
  }
  useHotkeys([
    ['j', move(1)],
    ['k', move(-1)],
  ])
  return pane
}
