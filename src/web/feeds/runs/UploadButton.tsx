import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { Action } from '#web/ui/controls/Action.tsx'

type Props = {
  /** Called with the chosen files. */
  onFiles: (files: readonly File[]) => void
  isSecond?: boolean
  isQuiet?: boolean
  label?: string
  name?: string
}

/** Opens the file picker to upload a feed of one or two files. The keyboard alternative to dropping files. */
export function UploadButton({
  onFiles,
  isSecond = false,
  isQuiet = isSecond,
  label = 'Upload feed',
  name,
}: Props) {
  return (
    <FileButton multiple={!isSecond} onChange={(chosen) => passFiles(chosen, onFiles)}>
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

function passFiles(chosen: File | File[] | null, onFiles: Props['onFiles']): void {
  const files = chosen === null ? [] : [chosen].flat()
  // Canceling the picker chooses nothing.
  if (files.length > 0) onFiles(files)
}
