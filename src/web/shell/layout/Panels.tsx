import { useHotkeys } from '@mantine/hooks'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { closePanel, resetPanels, openPanel, type Panel, type PanelProps, usePanels } from './panels.ts'

const PANELS: Record<Panel, ComponentType<PanelProps>> = {
  palette: lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette })),
  shortcuts: lazy(async () => ({ default: (await import('../Shortcuts.tsx')).Shortcuts })),
  customizer: lazy(async () => ({ default: (await import('../Customizer.tsx')).Customizer })),
  'change-password': lazy(async () => ({ default: (await import('../ChangePassword.tsx')).ChangePassword })),
}

/** The open panels and their shortcut keys. */
export function Panels() {
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
