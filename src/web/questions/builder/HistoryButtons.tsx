import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { Builder } from './use-builder.ts'

/** Undo and redo, also with Ctrl Z and Ctrl Y outside of text fields. */
export function HistoryButtons({ builder }: { builder: Builder }) {
  useHotkeys([
    ['mod+Z', () => builder.undo?.()],
    ['mod+shift+Z', () => builder.redo?.()],
    ['mod+Y', () => builder.redo?.()],
  ])
  return (
    <>
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label="Undo"
        disabled={builder.undo === null}
        onClick={() => builder.undo?.()}
      >
        <IconArrowBackUp size={18} className="fc-flip" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label="Redo"
        disabled={builder.redo === null}
        onClick={() => builder.redo?.()}
      >
        <IconArrowForwardUp size={18} className="fc-flip" />
      </ActionIcon>
    </>
  )
}
