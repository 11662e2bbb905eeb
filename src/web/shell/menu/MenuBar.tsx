import { ActionIcon, useDirection } from '@mantine/core'
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { MenuItem } from '#contract/identity/auth.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { activeEntry, entriesOf, holdsEntry, useMenu } from './menu.ts'
import { MenuLink } from './MenuLink.tsx'
import { moveFocus } from '#web/ui/overlay/move-focus.ts'
import { hiddenEnds, scrollStep } from './scroll-step.ts'
import './menu-bar.css'

/** The menu of the horizontal layout (specification section 2): a bar with drop-down groups and scroll arrows. */
export function MenuBar() {
  const menu = useMenu() ?? []
  const { pathname } = useLocation()
  const { dir } = useDirection()
  const wrapper = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState({ start: false, end: false })
  const activeId = activeEntry(menu, pathname)
  const watch = useCallback((element: HTMLDivElement) => {
    wrapper.current = element
    return watchEnds(element, setHidden)
  }, [])

  const scroll = (towards: 'start' | 'end') => {
    const element = wrapper.current
    if (!element) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const left = scrollStep(element.clientWidth, towards, dir)
    element.scrollBy({ left, behavior: isCalm ? 'instant' : 'smooth' })
  }
  const isScrolling = hidden.start || hidden.end

  return (
    <div className="fc-menu-bar">
      {isScrolling && (
        <ActionIcon aria-label="Scroll menu back" disabled={!hidden.start} onClick={() => scroll('start')}>
          <IconChevronLeft size={16} className="fc-flip" />
        </ActionIcon>
      )}
      <div key={dir} ref={watch} className="fc-menu-bar-wrapper">
        <nav aria-label="Main">
          {/* Links can also be reached with Tab; arrow keys are a convenience, so the list keeps its semantics. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ul onKeyDown={(event) => moveFocus(event, ':scope > li > :is(a, button)', 'horizontal')}>
            {menu.map((item) => (
              <li key={item.id}>
                {item.type === 'item' ? (
                  <MenuLink item={item} activeId={activeId} />
                ) : (
                  <BarGroup item={item} activeId={activeId} />
                )}
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {isScrolling && (
        <ActionIcon aria-label="Scroll menu forward" disabled={!hidden.end} onClick={() => scroll('end')}>
          <IconChevronRight size={16} className="fc-flip" />
        </ActionIcon>
      )}
    </div>
  )
}

/** Reports which ends are out of view, now and after scrolling, resizing or a menu change. */
function watchEnds(wrapper: HTMLElement, tell: (ends: { start: boolean; end: boolean }) => void): () => void {
  const measure = () => tell(hiddenEnds(wrapper))
  const sizes = new ResizeObserver(measure)
  for (const element of [wrapper, ...wrapper.querySelectorAll('ul')]) sizes.observe(element)
  wrapper.addEventListener('scroll', measure, { passive: true })
  return () => {
    sizes.disconnect()
    wrapper.removeEventListener('scroll', measure)
  }
}

type GroupProps = { item: MenuItem; activeId: string | null }

function BarGroup({ item, activeId }: GroupProps) {
  return (
    <DropMenu
      className="fc-menu-item"
      kind="links"
      side="start"
      isCurrent={holdsEntry(item, activeId)}
      trigger={
        <>
          <span>{item.title}</span>
          {hasBadge(item) && <span className="fc-pip" aria-hidden="true" />}
          <IconChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      <ul>
        {item.children.map((child) => (
          <BarEntry key={child.id} item={child} activeId={activeId} />
        ))}
      </ul>
    </DropMenu>
  )
}

/** In a drop-down, a section is always expanded under its name: a nested drop-down is hard to hit. */
function BarEntry({ item, activeId }: GroupProps) {
  if (item.type === 'item') {
    return (
      <li>
        <MenuLink item={item} activeId={activeId} />
      </li>
    )
  }
  return (
    <li>
      <span id={`bar-${item.id}`} className="fc-menu-group-name">
        {item.title}
      </span>
      <ul aria-labelledby={`bar-${item.id}`}>
        {item.children.map((child) => (
          <BarEntry key={child.id} item={child} activeId={activeId} />
        ))}
      </ul>
    </li>
  )
}

/** Whether a group contains an entry with a badge, to mark the closed group. */
function hasBadge(item: MenuItem): boolean {
  return entriesOf([item]).some(({ badge }) => badge !== null)
}
