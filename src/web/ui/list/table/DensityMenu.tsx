import { IconBaselineDensityMedium, IconCheck } from '@tabler/icons-react'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import type { Density } from '../views/stored-view.ts'

const NAMES = [
  { density: 'comfortable', name: 'Comfortable' },
  { density: 'medium', name: 'Medium' },
  { density: 'compact', name: 'Compact' },
] as const satisfies { density: Density; name: string }[]

/** In px. Must match the style sheet. */
export const ROW_HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 44, medium: 36, compact: 32 }

/** Sets the row height. */
export function DensityMenu({
  density,
  onChange,
}: {
  density: Density
  onChange: (density: Density) => void
}) {
  const trigger = (
    <>
      <IconBaselineDensityMedium size={18} stroke={1.6} aria-hidden="true" />
      <span className="fc-hidden">Row height</span>
    </>
  )
  return (
    <DropMenu kind="menu" side="end" className="fc-tool" trigger={trigger}>
      {NAMES.map(({ density: own, name }) => (
        <button
          key={own}
          type="button"
          role="menuitemradio"
          aria-checked={own === density}
          className="fc-drop-item"
          onClick={() => onChange(own)}
        >
          <span className="fc-grow">{name}</span>
          {own === density && <IconCheck size={16} aria-hidden="true" />}
        </button>
      ))}
    </DropMenu>
  )
}
