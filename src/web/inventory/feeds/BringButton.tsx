import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { feedRuns } from '#contract/inventory/feed-runs.ts'
import { Action } from '#web/ui/Action.tsx'

type Props = { onFile: (file: File) => void; isSecond?: boolean; label?: string; name?: string }

/** Chooses a feed from the machine: what dropping is for the keyboard. */
export function BringButton({ onFile, isSecond = false, label = 'Bring a feed', name }: Props) {
  return (
    <FileButton onChange={(file) => file !== null && onFile(file)}>
      {({ onClick }) => (
        <Action
          for={feedRuns.add}
          variant={isSecond ? 'default' : 'filled'}
          onClick={onClick}
          leftSection={<IconUpload size={16} aria-hidden="true" />}
          {...(name !== undefined && { 'aria-label': name })}
        >
          {label}
        </Action>
      )}
    </FileButton>
  )
}
