import { type DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
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
  const load = useLoad({
    ...query(whiteLabels.get, { id }),
    enabled: !isNew,
    // The form starts from the current domain, not from a cached one.
    gcTime: 0,
  })
  const { data } = load
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
      <Loaded query={load} what="this domain" shape="fields">
        {(loaded) => (
          <LoadedRecord key={loaded.id} record={loaded}>
            {(label, keep) => (
              <WhiteLabelForm label={label} onKept={keep} onClose={onClose} onCreated={onCreated} />
            )}
          </LoadedRecord>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describeLabel({ updatedAt, updatedBy }: DomainWhiteLabel): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
