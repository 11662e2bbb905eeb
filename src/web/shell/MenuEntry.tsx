import { Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { MenuItem } from '#contract/identity/auth.ts'
import { isHere } from './menu.ts'
import { MenuIcon } from './MenuIcon.tsx'

type Props = {
  item: MenuItem
  isCollapsed: boolean
  isChild?: boolean
  onNavigate?: (() => void) | undefined
}

/** One entry: a group with its name, a section that opens in place, or a link. */
export function MenuEntry(props: Props) {
  if (props.item.type === 'group') return <Group {...props} />
  if (props.item.type === 'collapse') return <Section {...props} />
  return <Entry {...props} />
}

function Group({ item, ...rest }: Props) {
  return (
    <li className="fc-menu-group">
      <span id={`menu-${item.id}`} className="fc-menu-group-name">
        {item.title}
      </span>
      <ul aria-labelledby={`menu-${item.id}`}>
        {item.children.map((child) => (
          <MenuEntry key={child.id} item={child} {...rest} />
        ))}
      </ul>
    </li>
  )
}

function Section({ item, isCollapsed, onNavigate }: Props) {
  const { pathname } = useLocation()
  const isInside = isHere(item, pathname)
  const [isToggled, setIsToggled] = useState(false)
  const isOpen = isInside !== isToggled
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  // Collapsed there is no room to open in place: the pages of the section stand in the row themselves.
  if (isCollapsed) return item.children.map((child) => <MenuEntry key={child.id} item={child} isCollapsed />)
  return (
    <li>
      <button
        type="button"
        className="fc-menu-item"
        aria-expanded={isOpen}
        onClick={() => setIsToggled(!isToggled)}
      >
        <MenuIcon name={item.icon} size={16} />
        <span className="fc-cut">{item.title}</span>
        <Badge item={item} />
        <Chevron size={14} className="fc-menu-chevron fc-flip" aria-hidden="true" />
      </button>
      {isOpen && (
        <ul>
          {item.children.map((child) => (
            <MenuEntry key={child.id} item={child} isCollapsed={false} isChild onNavigate={onNavigate} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Entry({ item, isCollapsed, isChild = false, onNavigate }: Props) {
  const { pathname } = useLocation()
  const isActive = isHere(item, pathname)
  const badge = item.badge ? `, ${item.badge.title}` : ''
  const shown = {
    className: `fc-menu-item${isChild ? ' fc-menu-child' : ''} ${item.classes ?? ''}`,
    ...(isCollapsed && { 'aria-label': `${item.title}${badge}` }),
    ...(isActive && { 'aria-current': 'page' as const }),
    ...(onNavigate && { onClick: onNavigate }),
  }
  const content = (
    <>
      {!isChild && <MenuIcon name={item.icon} size={isCollapsed ? 18 : 16} />}
      {!isCollapsed && <span className="fc-cut">{item.title}</span>}
      <Badge item={item} />
    </>
  )
  const url = item.url ?? '/dashboard'
  const isElsewhere = item.external || item.target !== null
  return (
    <li>
      <Tooltip label={`${item.title}${badge}`} position="right" disabled={!isCollapsed}>
        {isElsewhere ? (
          <a href={url} {...(item.target !== null && { target: item.target, rel: 'noreferrer' })} {...shown}>
            {content}
          </a>
        ) : (
          <Link to={url} {...shown}>
            {content}
          </Link>
        )}
      </Tooltip>
    </li>
  )
}

/** Grey counts, amber needs somebody, red is broken. */
const BADGE_TONES = new Map([
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['bad', 'bad'],
  ['danger', 'bad'],
])

function Badge({ item }: { item: MenuItem }) {
  if (!item.badge) return null
  return (
    <span className={`fc-badge fc-tint-${BADGE_TONES.get(item.badge.type) ?? 'mute'}`}>
      {item.badge.title}
    </span>
  )
}
