import { useQuery } from '@tanstack/react-query'
import { type Lot, lots } from '#contract/customers/lots/lots.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/KeptRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { LotForm } from './LotForm.tsx'

type Props = {
  /** A lot's number, or `new`. */
  id: string
  /** `isSaved`: nothing is lost, so nothing needs to be asked. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** One lot, or the blank form of a new one. */
export function LotDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(lots.get, { id }),
    enabled: !isNew,
    // A form begins with the lot as it is, not as it was when it was last open.
    gcTime: 0,
  })
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer title="New lot" about="A place where vehicles stand" onClose={close}>
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
