import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useOpenRow } from './use-open-row.ts'

/**
 * The scroll container of the rows and its inner width. Sets `--fc-frame` to the width, and `data-scrolled` while
 * rows are under the fixed column.
 * @param open the row that is open next to the list, which stays in view
 */
export function useFrame(open: { id: string | undefined; isLoaded: boolean }): {
  frame: RefObject<HTMLElement | null>
  room: number
} {
  const frame = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(0)
  useOpenRow(frame, open.id, open.isLoaded)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => {
      setRoom(element.clientWidth)
      element.style.setProperty('--fc-frame', `${element.clientWidth}px`)
    }
    const look = () => element.toggleAttribute('data-scrolled', element.scrollLeft !== 0)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return { frame, room }
}
