import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useBoot } from '#web/use-boot.ts'
import { FooterHtml } from '#web/ui/layout/FooterHtml.tsx'
import { MenuEntry } from './MenuEntry.tsx'
import { activeEntry, useMenu } from './menu.ts'

type Props = { isCollapsed?: boolean; onCollapse?: () => void; onNavigate?: () => void }

/** The side menu with the footer of the white label. */
export function SideMenu({ isCollapsed = false, onCollapse, onNavigate }: Props) {
  const menu = useMenu() ?? []
  const { pathname } = useLocation()
  const { whiteLabel } = useBoot()
  const CollapseIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className="fc-side" data-collapsed={isCollapsed || undefined}>
      <nav aria-label="Main">
        <ul>
          {menu.map((item) => (
            <MenuEntry
              key={item.id}
              item={item}
              activeId={activeEntry(menu, pathname)}
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
            />
          ))}
        </ul>
      </nav>
      <footer className="fc-side-foot">
        <div className="fc-grow">{!isCollapsed && <FooterHtml html={whiteLabel.footer} />}</div>
        {onCollapse && (
          <ActionIcon
            aria-label={isCollapsed ? 'Expand menu' : 'Collapse menu'}
            aria-expanded={!isCollapsed}
            onClick={onCollapse}
          >
            <CollapseIcon size={16} stroke={1.6} className="fc-flip" />
          </ActionIcon>
        )}
      </footer>
    </div>
  )
}
