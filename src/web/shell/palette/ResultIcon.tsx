import {
  IconBuilding,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconPlus,
  IconProgress,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import { createElement } from 'react'
import { MenuIcon } from '../menu/MenuIcon.tsx'

const ICONS = new Map<string, TablerIcon>([
  ['building', IconBuilding],
  ['key', IconKey],
  ['keyboard', IconKeyboard],
  ['logout', IconLogout],
  ['palette', IconPalette],
  ['plus', IconPlus],
  ['progress', IconProgress],
  ['user', IconUser],
])

/** The icon of an action, a record or, as in the menu, a page. */
export function ResultIcon({ name }: { name: string }) {
  const icon = ICONS.get(name)
  if (!icon) return <MenuIcon name={name} size={16} />
  return createElement(icon, { size: 16, stroke: 1.6, 'aria-hidden': true })
}
