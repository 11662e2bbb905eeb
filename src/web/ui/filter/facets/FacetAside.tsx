import { Drawer } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { FacetPanelProps } from './FacetPanel.tsx'

const FacetPanel = lazy(async () => ({ default: (await import('./FacetPanel.tsx')).FacetPanel }))

type Props = FacetPanelProps & { isNarrow: boolean; onClose: () => void }

/** The facets: next to the rows, or in a drawer on a narrow screen. */
export function FacetAside({ isNarrow, onClose, ...panel }: Props) {
  const content = (
    <Suspense>
      <FacetPanel {...panel} />
    </Suspense>
  )
  if (!isNarrow) {
    return (
      <aside className="fc-facets" aria-label={`Quick filters for ${panel.list.nouns[1]}`}>
        {content}
      </aside>
    )
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Quick filters"
      position="right"
      size={480}
      padding="lg"
      classNames={{ content: 'fc-drawer fc-facet-sheet' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100, exitDuration: 0 }}
    >
      {content}
    </Drawer>
  )
}
