import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { MenuItem } from '#contract/identity/auth.ts'
import { holdsEntry } from './menu.ts'
import { MenuIcon } from './MenuIcon.tsx'
import { MenuBadge, MenuLink } from './MenuLink.tsx'
import { parseRecord } from '#web/api/read-json.ts'

type Props = {
  item: MenuItem
  activeId: string | null
  isCollapsed: boolean
  isChild?: boolean
  onNavigate?: (() => void) | undefined
}

/** An entry of the side menu: a group with its name, a collapsible section, or a link. */
export function MenuEntry(props: Props) {
  if (props.item.type === 'group') return <Group {...props} />
  if (props.item.type === 'collapse') return <Section {...props} />
  return (
    <li>
      <MenuLink {...props} />
    </li>
  )
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

function Section({ item, isCollapsed, ...rest }: Props) {
  const [chosen, setChosen] = useState(() => readSection(item.id))
  // The section of the open page is expanded, unless the user closed it.
  const isOpen = chosen ?? holdsEntry(item, rest.activeId)
  const toggle = () => {
    setChosen(!isOpen)
    storeSection(item.id, !isOpen)
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  // A collapsed menu has no space for a section, so its pages are listed directly.
  if (isCollapsed)
    return item.children.map((child) => <MenuEntry key={child.id} item={child} {...rest} isCollapsed />)
  return (
    <li>
      <button type="button" className="fc-menu-item" aria-expanded={isOpen} onClick={toggle}>
        <MenuIcon name={item.icon} size={16} />
        <span className="fc-cut">{item.title}</span>
        <MenuBadge item={item} />
        <Chevron size={14} className="fc-menu-chevron fc-flip" aria-hidden="true" />
      </button>
      {isOpen && (
        <ul>
          {item.children.map((child) => (
            <MenuEntry key={child.id} item={child} {...rest} isCollapsed={false} isChild />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Which menu sections the user opened or closed during this session. */
const KEY = 'openSections'

/** The user's last choice for a section; null if they haven't changed it. */
function readSection(id: string): boolean | null {
  const value = parseRecord(localStorage.getItem(KEY) ?? '')?.[id]
  return typeof value === 'boolean' ? value : null
}

function storeSection(id: string, isOpen: boolean): void {
  const sections = parseRecord(localStorage.getItem(KEY) ?? '') ?? {}
  localStorage.setItem(KEY, JSON.stringify({ ...sections, [id]: isOpen }))
}
