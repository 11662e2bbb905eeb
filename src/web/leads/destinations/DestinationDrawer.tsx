import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { useRoutingLock, useRoutingSettings } from '../routing/use-routing-settings.ts'
import { showSecret } from './show-secret.tsx'
import { destinationForm, showField } from './destination-form.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { DestinationHealth } from './DestinationHealth.tsx'
import { useDestinationActions } from './use-destination-actions.ts'

const addDestination = send(leadDestinations.add)
const updateDestination = send(leadDestinations.update)
const WEBHOOK_FORM = { ...destinationForm, blank: { ...destinationForm.blank, kind: 'webhook' as const } }

type Props = RecordDrawerProps & {
  /** The kind of a new one. */
  kind?: 'webhook'
}

/** One destination with its health, or a blank form for a new one. */
export function DestinationDrawer({ kind, ...props }: Props) {
  const settings = useRoutingSettings()
  const lock = useRoutingLock()
  const actions = useDestinationActions()
  const users = settings.data?.users ?? []
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return (
    <RecordDrawer
      {...props}
      noun="destination"
      {...(kind === 'webhook' && { newTitle: 'New webhook' })}
      about="Where rules can send leads"
      size={560}
      className="fc-form fc-rule-form"
      form={kind === 'webhook' ? WEBHOOK_FORM : destinationForm}
      endpoints={leadDestinations}
      save={(input, change) => (change ? updateDestination({ ...input, ...change }) : addDestination(input))}
      nameOf={({ name }) => ({ name })}
      show={(name, values) => showField(name, values, names)}
      disabledReason={lock}
      needs={settings}
      isBusy={actions.isPending}
      onSaved={(saved, before) => {
        if (saved.kind === 'webhook' && before?.kind !== 'webhook') void showSecret(saved, { rotate: false })
      }}
      renderFooter={(record, destination) => (
        <>
          <Action
            for={leadDestinations.remove}
            lock={lock}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={actions.isPending || record.isSaving}
            onClick={() => {
              void actions.remove(destination, () => {
                record.release()
                props.onClose(true)
              })
            }}
          >
            Delete
          </Action>
          <Action
            for={leadDestinations.update}
            lock={lock}
            variant="subtle"
            disabled={actions.isPending || record.isSaving || record.changed.length > 0}
            onClick={() => void actions.pause(destination, record.keep)}
          >
            {destination.isActive ? 'Pause' : 'Resume'}
          </Action>
        </>
      )}
    >
      {(record, destination) => (
        <div className="fc-rule-body">
          {destination && (
            <DestinationHealth
              destination={destination}
              lock={lock}
              isChanged={record.changed.length > 0}
              actions={actions}
              onKept={record.keep}
            />
          )}
          <DestinationFields record={record} destination={destination} users={users} />
        </div>
      )}
    </RecordDrawer>
  )
}
