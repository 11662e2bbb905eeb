import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { Action } from '#web/ui/controls/Action.tsx'

type Props = {
  /** What was chosen; several where they were chosen together. */
  onFiles: (files: readonly File[]) => void
  isSecond?: boolean
  isQuiet?: boolean
  label?: string
  name?: string
}

/** Chooses a feed from the machine, or the two files of one: what dropping is for the keyboard. */
export function UploadButton({
  onFiles,
  isSecond = false,
  isQuiet = isSecond,
  label = 'Bring a feed',
  name,
}: Props) {
  return (
    <FileButton multiple={!isSecond} onChange={(chosen) => take(chosen, onFiles)}>
      {({ onClick }) => (
        <Action
          for={feedRuns.add}
          variant={isQuiet ? 'default' : 'filled'}
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

function take(chosen: File | File[] | null, onFiles: Props['onFiles']): void {
  const files = chosen === null ? [] : [chosen].flat()
  // Who changed their mind chose nothing.
  if (files.length > 0) onFiles(files)
}
