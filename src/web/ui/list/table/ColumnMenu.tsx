import { IconColumns3 } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import type { ListControl } from '../use-list-state.ts'

/** Drag and drop takes 15 kB, which isn't needed to read a list. */
const ColumnChooser = lazy(async () => ({ default: (await import('./ColumnChooser.tsx')).ColumnChooser }))

/** Chooses and orders the columns of a list. */
export function ColumnMenu({ control }: { control: ListControl }) {
  const trigger = (
    <>
      <IconColumns3 size={18} stroke={1.6} aria-hidden="true" />
      <span className="fc-hidden">Columns</span>
    </>
  )
  return (
    <DropMenu kind="panel" name="Columns" side="end" className="fc-tool" trigger={trigger}>
      <Suspense fallback={<Spinner label="Loading the columns" />}>
        <ColumnChooser control={control} />
      </Suspense>
    </DropMenu>
  )
}
