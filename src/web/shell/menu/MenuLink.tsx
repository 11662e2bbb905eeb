import { Link } from '@tanstack/react-router'
import type { MenuItem } from '#contract/identity/auth.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { MenuIcon } from './MenuIcon.tsx'

type Props = {
  item: MenuItem
  activeId: string | null
  /** The 56 px menu shows only the icon; the name becomes a tooltip. */
  isCollapsed?: boolean
  isChild?: boolean
  onNavigate?: (() => void) | undefined
}

/** A menu entry with a link: one of our pages, or another site. */
export function MenuLink({ item, activeId, isCollapsed = false, isChild = false, onNavigate }: Props) {
  const shown = {
    className: `fc-menu-item${isChild ? ' fc-menu-child' : ''} ${item.classes ?? ''}`,
    ...(isCollapsed && { 'aria-label': fullName(item) }),
    ...(item.id === activeId && { 'aria-current': 'page' as const }),
    ...(onNavigate && { onClick: onNavigate }),
  }
  const content = (
    <>
      {!isChild && <MenuIcon name={item.icon} size={isCollapsed ? 18 : 16} />}
      {!isCollapsed && <span className="fc-cut">{item.title}</span>}
      <MenuBadge item={item} />
    </>
  )
  const url = item.url ?? '/'
  const isElsewhere = item.external || item.target !== null
  return (
    <Tip label={isCollapsed ? fullName(item) : ''} position="right">
      {isElsewhere ? (
        <a href={url} {...(item.target !== null && { target: item.target, rel: 'noreferrer' })} {...shown}>
          {content}
        </a>
      ) : (
        <Link to={url} activeOptions={{ exact: true }} {...shown}>
          {content}
        </Link>
      )}
    </Tip>
  )
}

/** The title with the count of its badge. */
export function fullName({ title, badge }: MenuItem): string {
  return badge ? `${title}, ${badge.title}` : title
}

/** Gray is a count, amber needs attention, red is an error. */
const BADGE_TONES = new Map([
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['bad', 'bad'],
  ['danger', 'bad'],
])

/** The badge of a menu entry. */
export function MenuBadge({ item }: { item: MenuItem }) {
  if (!item.badge) return null
  return (
    <span className={`fc-badge fc-tint-${BADGE_TONES.get(item.badge.type) ?? 'mute'}`}>
      {item.badge.title}
    </span>
  )
}
