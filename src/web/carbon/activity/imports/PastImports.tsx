import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ActivityImport, activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { query } from '#web/api/query.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { UndoImport } from './UndoImport.tsx'

/** The files imported into the inventory, each with an undo. */
export function PastImports({ inventoryId, onUndone }: { inventoryId: string; onUndone: () => void }) {
  return (
    <Loaded query={query(activityImports.list, { inventoryId })} what="the imports" shape="spinner">
      {(imports) => (
        <section className="fc-import-past" aria-labelledby="fc-import-past">
          <h3 id="fc-import-past">Past imports of this inventory</h3>
          {imports.length === 0 && <p className="fc-small fc-soft">No imports yet.</p>}
          <ul>
            {imports.map((one) => (
              <Past key={one.id} one={one} onUndone={onUndone} />
            ))}
          </ul>
        </section>
      )}
    </Loaded>
  )
}

/** The sources of an import's records: "Electricity, Northgate Ford; Natural gas, Northgate Ford and 2 more" */
export function sourcesOf({ sources, sourceCount }: ActivityImport): string {
  const named = sources.map((one) => `${sourceTitle(one)}, ${one.facilityName}`).join('; ')
  const more = sourceCount - sources.length
  return more === 0 ? named : `${named} and ${more.toLocaleString()} more`
}

function Past({ one, onUndone }: { one: ActivityImport; onUndone: () => void }) {
  // What the undo did stays to be read.
  const [isUndoneHere, setUndoneHere] = useState(false)
  const undone = () => {
    setUndoneHere(true)
    onUndone()
  }
  const { id, fileName, saved, refused, untouched, createdAt, createdBy, undoneAt, undoneBy } = one
  return (
    <li>
      <div>
        <bdi className="fc-name">{fileName}</bdi>
        <bdi className="fc-second">{sourcesOf(one)}</bdi>
        <bdi className="fc-second">
          {count(saved, 'record', 'records')}
          {refused > 0 && `, ${refused.toLocaleString()} not imported`}, {formatAgo(createdAt)}
          {createdBy !== null && `, by ${createdBy}`}
        </bdi>
        {undoneAt !== null && (
          <bdi className="fc-second">
            Undone {formatAgo(undoneAt)}
            {undoneBy !== null && `, by ${undoneBy}`}
          </bdi>
        )}
      </div>
      <div className="fc-row fc-wrap">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`All lines of ${fileName}`}
          onClick={() => void fetchFile(activityImports.lines, { id }, `${fileName} lines`)}
        >
          All lines
        </Button>
        {refused > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Lines of ${fileName} that weren't imported`}
            onClick={() => void fetchFile(activityImports.refused, { id }, `${fileName} not imported`)}
          >
            Lines not imported
          </Button>
        )}
        {(isUndoneHere || (undoneAt === null && untouched > 0)) && (
          <UndoImport
            id={id}
            fileName={fileName}
            of={sourcesOf(one)}
            untouched={untouched}
            onUndone={undone}
          />
        )}
      </div>
    </li>
  )
}
