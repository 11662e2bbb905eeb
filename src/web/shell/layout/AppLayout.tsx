import { useMediaQuery, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState, type ComponentType, useEffect } from 'react'
import { MAIN_ID } from '#web/follow-navigation.ts'
import { changeAppearance, useAppearance } from '#web/ui/layout/appearance.ts'
import { useBoot } from '#web/use-boot.ts'
import { FooterHtml } from '#web/ui/layout/FooterHtml.tsx'
import { IdleNotice } from '../IdleNotice.tsx'
import { ImpersonationBanner } from '../ImpersonationBanner.tsx'
import { useSavedAppearance } from '../save-appearance.ts'
import { OfflineNotice } from '../OfflineNotice.tsx'
import { SideMenu } from '../menu/SideMenu.tsx'
import { TopBar } from './TopBar.tsx'
import { Outlet, useMatches } from '@tanstack/react-router'
import { useRestoredCopy } from '#web/session/use-restored-copy.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { closePanel, resetPanels, openPanel, type Panel, type PanelProps, usePanels } from './panels.ts'

const PANELS: Record<Panel, ComponentType<PanelProps>> = {
  palette: lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette })),
  shortcuts: lazy(async () => ({ default: (await import('../Shortcuts.tsx')).Shortcuts })),
  customizer: lazy(async () => ({ default: (await import('../Customizer.tsx')).Customizer })),
  'change-password': lazy(async () => ({ default: (await import('../ChangePassword.tsx')).ChangePassword })),
}

/** The open panels and their shortcut keys. */
function Panels() {
  const { open, seen } = usePanels()
  useEffect(() => resetPanels, [])
  // Works inside fields too, because this key is never part of typing.
  useHotkeys([['mod+K', () => openPanel('palette')]], [])
  useHotkeys([
    ['shift+?', () => openPanel('shortcuts')],
    ['?', () => openPanel('shortcuts')],
  ])
  return seen.map((panel) => {
    const Shown = PANELS[panel]
    return (
      <Suspense key={panel}>
        <Shown isOpen={panel === open} onClose={() => closePanel(panel)} />
      </Suspense>
    )
  })
}

const RestoredCopyNotice = lazy(async () => ({
  default: (await import('../RestoredCopyNotice.tsx')).RestoredCopyNotice,
}))
const MenuDrawer = lazy(async () => ({ default: (await import('../menu/MenuDrawer.tsx')).MenuDrawer }))
const MenuBar = lazy(async () => ({ default: (await import('../menu/MenuBar.tsx')).MenuBar }))

/** Top bar, menu, page. Under 992 px (specification section 2), the layout is vertical and the menu is a drawer. */
export function AppLayout() {
  useSavedAppearance()
  const isNarrow = useMediaQuery('(max-width: 991px)', false, { getInitialValueInEffect: false })
  const { layout, isMenuCollapsed } = useAppearance()
  const isHorizontal = layout === 'horizontal' && !isNarrow
  const [isOpen, setIsOpen] = useState(false)
  const isCopy = useRestoredCopy()
  return (
    <div className="fc-frame" data-menu={isHorizontal ? 'bar' : 'side'}>
      <a className="fc-skip" href={`#${MAIN_ID}`}>
        Skip to content
      </a>
      <ImpersonationBanner />
      <TopBar {...(isNarrow && { onMenu: () => setIsOpen(true) })} />
      {isNarrow && (
        <Suspense>
          <MenuDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
      {isHorizontal && (
        <div className="fc-bar-place">
          <Suspense>
            <MenuBar />
          </Suspense>
        </div>
      )}
      {!isNarrow && !isHorizontal && (
        <SideMenu
          isCollapsed={isMenuCollapsed}
          onCollapse={() => changeAppearance({ isMenuCollapsed: !isMenuCollapsed })}
        />
      )}
      <main id={MAIN_ID} tabIndex={-1}>
        <OfflineNotice />
        {isCopy && (
          <Suspense>
            <RestoredCopyNotice />
          </Suspense>
        )}
        <GuardedPage />
      </main>
      {isHorizontal && <BarFooter />}
      <IdleNotice />
      <Panels />
    </div>
  )
}

/** Without a side menu, the footer of the white label is below the page. */
function BarFooter() {
  const { footer } = useBoot().whiteLabel
  if (footer === '') return null
  return (
    <footer className="fc-bar-foot">
      <FooterHtml html={footer} />
    </footer>
  )
}

const ForbiddenPage = lazy(async () => ({ default: (await import('./ForbiddenPage.tsx')).ForbiddenPage }))

const RemovedPage = lazy(async () => ({ default: (await import('./RemovedPage.tsx')).RemovedPage }))
const RemovedNotice = lazy(async () => ({ default: (await import('./RemovedPage.tsx')).RemovedNotice }))

/**
 * The page, or an explanation if its route names a permission the user doesn't have. The server checks access
 * anyway; this only avoids showing a failing list.
 */
function GuardedPage() {
  const holds = useHolds()
  const { isRemoved } = useSession()
  const { title = '', needs } = useMatches().findLast(({ staticData }) => staticData.title)?.staticData ?? {}
  // Until the permissions have loaded, show the page.
  if (!needs || holds(needs) !== false)
    return (
      <>
        {isRemoved && (
          <Suspense>
            <RemovedNotice />
          </Suspense>
        )}
        <Outlet />
      </>
    )
  return (
    <Suspense>
      {isRemoved ? <RemovedPage title={title} /> : <ForbiddenPage title={title} needs={needs} />}
    </Suspense>
  )
}
