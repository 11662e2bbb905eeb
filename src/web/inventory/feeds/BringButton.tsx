import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { feedRuns } from '#contract/inventory/feed-runs.ts'
import { Action } from '#web/ui/Action.tsx'

type Props = {
  /** `second` where two files of one feed were chosen together. */
  onFile: (file: File, second?: File) => void
  isSecond?: boolean
  isQuiet?: boolean
  label?: string
  name?: string
}

/** Chooses a feed from the machine, or the two files of one: what dropping is for the keyboard. */
export function BringButton({
  onFile,
  isSecond = false,
  isQuiet = isSecond,
  label = 'Bring a feed',
  name,
}: Props) {
  return (
    <FileButton multiple={!isSecond} onChange={(chosen) => take(chosen, onFile)}>
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

function take(chosen: File | File[] | null, onFile: Props['onFile']): void {
  const [file, second] = chosen === null ? [] : [chosen].flat()
  if (file !== undefined) onFile(file, second)
}
