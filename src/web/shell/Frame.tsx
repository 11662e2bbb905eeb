import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { MAIN_ID } from '#web/follow-navigation.ts'
import { IdleNotice } from './IdleNotice.tsx'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

const COLLAPSED_KEY = 'isMenuCollapsed'

/** Top bar, side menu, page. Under 992 px (specification section 2) the menu is a drawer. */
export function Frame() {
  const isNarrow = useMediaQuery('(max-width: 991px)', false, { getInitialValueInEffect: false })
  const [isCollapsed, setIsCollapsed] = useState(() => localStorage.getItem(COLLAPSED_KEY) === 'true')
  const collapse = () => {
    localStorage.setItem(COLLAPSED_KEY, String(!isCollapsed))
    setIsCollapsed(!isCollapsed)
  }
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="fc-frame" data-collapsed={isCollapsed || undefined}>
      <a className="fc-skip" href={`#${MAIN_ID}`}>
        Skip to the page
      </a>
      <TopBar {...(isNarrow && { onMenu: () => setIsOpen(true) })} />
      {isNarrow ? (
        <Drawer
          opened={isOpen}
          onClose={() => setIsOpen(false)}
          title="Menu"
          size={280}
          padding={0}
          position="left"
          closeButtonProps={{ 'aria-label': 'Close menu' }}
          transitionProps={{ duration: 100, exitDuration: 100 }}
        >
          <SideMenu onNavigate={() => setIsOpen(false)} />
        </Drawer>
      ) : (
        <SideMenu isCollapsed={isCollapsed} onCollapse={collapse} />
      )}
      <main id={MAIN_ID} tabIndex={-1}>
        <Outlet />
      </main>
      <IdleNotice />
    </div>
  )
}
