import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import type { Output } from '#contract/endpoint.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { sourcesOf } from './PastImports.tsx'
import { UndoImport } from './UndoImport.tsx'

type Props = { done: Output<typeof activityImports.add>; onUndone: () => void }

/** The result of an import, with a download of the other lines and an undo. */
export function ImportDone({
  done: { import: made, saved, refused: rejected, open, sentence },
  onUndone,
}: Props) {
  // Lines that waited for an answer are kept with the rejected ones.
  const refused = rejected + open
  const isWhole = saved > 0 && refused === 0
  return (
    <div className="fc-import-done">
      <Status tone={isWhole ? 'good' : 'info'} mark={isWhole ? 'check' : 'dash'}>
        <bdi>{saved > 0 ? `${count(saved, 'record', 'records')} imported. ${sentence}` : sentence}</bdi>
      </Status>
      {made !== null && (
        <div className="fc-row fc-wrap">
          {refused > 0 && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              onClick={() =>
                void fetchFile(activityImports.refused, { id: made.id }, `${made.fileName} not imported`)
              }
            >
              Download {count(refused, 'line', 'lines')} not imported
            </Button>
          )}
          {saved > 0 && (
            <UndoImport
              id={made.id}
              fileName={made.fileName}
              of={sourcesOf(made)}
              untouched={saved}
              onUndone={onUndone}
            />
          )}
        </div>
      )}
    </div>
  )
}
