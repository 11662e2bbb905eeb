import { type EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { HandlerForm } from './HandlerForm.tsx'

type Props = {
  /** A handler ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** One email handler, or a blank form for a new one. */
export function HandlerDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(emailHandlers.get, { id }),
    enabled: !isNew,
    // The form must start with current data, not a cached copy.
    gcTime: 0,
  })
  const { data } = load
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer title="New email handler" about="How emails are sent" size={560} onClose={close}>
        <HandlerForm handler={null} onClose={onClose} onCreated={onCreated} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.name ?? 'Email handler'}
      about={data && describeHandler(data)}
      size={560}
      onClose={close}
    >
      <Loaded query={load} what="this email handler" shape="fields">
        {(loaded) => (
          <LoadedRecord key={loaded.id} record={loaded}>
            {(handler, keep) => (
              <HandlerForm handler={handler} onKept={keep} onClose={onClose} onCreated={onCreated} />
            )}
          </LoadedRecord>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describeHandler({ updatedAt, updatedBy }: EmailHandler): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
