import { useQuery } from '@tanstack/react-query'
import { type DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { WhiteLabelForm } from './WhiteLabelForm.tsx'

const WIDTH = 1040

type Props = {
  /** A domain's ID, or `new`. */
  id: string
  /** `isSaved`: nothing would be lost, so don't ask. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** A domain with its branding, or a blank form for a new one. */
export function WhiteLabelDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(whiteLabels.get, { id }),
    enabled: !isNew,
    // The form starts from the current domain, not from a cached one.
    gcTime: 0,
  })
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer title="New domain" about="Your own domain and branding" size={WIDTH} onClose={close}>
        <WhiteLabelForm label={null} onClose={onClose} onCreated={onCreated} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.domain ?? 'Domain'}
      about={data && describeLabel(data)}
      size={WIDTH}
      onClose={close}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={whiteLabels.get}
          what="this domain"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label="Loading the domain" shape="fields" />}
      {data && (
        <LoadedRecord key={data.id} record={data}>
          {(label, keep) => (
            <WhiteLabelForm label={label} onKept={keep} onClose={onClose} onCreated={onCreated} />
          )}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

function describeLabel({ updatedAt, updatedBy }: DomainWhiteLabel): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
