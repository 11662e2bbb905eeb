import { useQuery } from '@tanstack/react-query'
import { type Lot, lots } from '#contract/customers/lots/lots.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { LotForm } from './LotForm.tsx'

type Props = {
  /** A lot ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** One lot, or a blank form for a new one. */
export function LotDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(lots.get, { id }),
    enabled: !isNew,
    // The form must start with current data, not a cached copy.
    gcTime: 0,
  })
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer title="New lot" about="A vehicle location" onClose={close}>
        <LotForm lot={null} onClose={onClose} onCreated={onCreated} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer title={data?.name ?? 'Lot'} about={data && describeLot(data)} onClose={close}>
      {error && !data && (
        <FailureState failure={error} endpoint={lots.get} what="this lot" onRetry={() => void refetch()} />
      )}
      {isPending && <RecordSkeleton label="Loading the lot" shape="fields" />}
      {data && (
        <LoadedRecord key={data.id} record={data}>
          {(lot, keep) => <LotForm lot={lot} onKept={keep} onClose={onClose} onCreated={onCreated} />}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

function describeLot({ code, updatedAt, updatedBy }: Lot): string {
  return `Lot ${code}, changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
