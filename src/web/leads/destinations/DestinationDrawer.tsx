import {
  type LeadDestination,
  leadDestinationRecord,
  leadDestinations,
} from '#contract/leads/destinations/lead-destinations.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { useRoutingLock, useRoutingSettings } from '../routing/use-routing-settings.ts'
import { showSecret } from './show-secret.tsx'
import { destinationForm, type DestinationValues, showField } from './destination-form.ts'
import { DestinationFields, type RoutingUser } from './DestinationFields.tsx'
import { DestinationHealth } from './DestinationHealth.tsx'
import { useDestinationActions } from './use-destination-actions.ts'

type Props = {
  /** A destination's ID, or `new`. */
  id: string
  /** The kind of a new one. */
  kind?: 'webhook'
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}

/** One destination with its health, or a blank form for a new one. */
export function DestinationDrawer({ id, kind, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const settings = useRoutingSettings()
  const load = useLoad({
    ...query(leadDestinations.get, { id }),
    enabled: !isNew,
    gcTime: 0,
  })
  const noun = kind === 'webhook' ? 'webhook' : 'destination'
  const { data } = load
  return (
    <FormDrawer
      title={isNew ? `New ${noun}` : (data?.name ?? 'Destination')}
      about={isNew ? 'Where rules can send leads' : data && describe(data)}
      size={560}
      onClose={() => onClose()}
    >
      {isNew ? (
        <Loaded query={settings} what="this destination" shape="fields">
          {({ users }) => <DestinationForm destination={null} {...{ kind, users, onClose, onCreated }} />}
        </Loaded>
      ) : (
        <Loaded query={both(settings, load)} what="this destination" shape="fields">
          {([{ users }, destination]) => (
            <LoadedRecord key={destination.id} record={destination}>
              {(loaded, keep) => (
                <DestinationForm destination={loaded} onKept={keep} {...{ users, onClose, onCreated }} />
              )}
            </LoadedRecord>
          )}
        </Loaded>
      )}
    </FormDrawer>
  )
}

function describe({ updatedAt, updatedBy }: LeadDestination): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

const addDestination = send(leadDestinations.add)
const updateDestination = send(leadDestinations.update)

type FormProps = {
  /** Null for a new one. */
  destination: LeadDestination | null
  kind?: 'webhook' | undefined
  users: readonly RoutingUser[]
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after saving or reloading. */
  onKept?: (destination: LeadDestination) => void
}

/** The form of one destination: saves, tests, deletes, and resolves conflicting changes. */
function DestinationForm({ destination, kind, users, onClose, onCreated, onKept }: FormProps) {
  const lock = useRoutingLock()
  const endpoint = destination ? leadDestinations.update : leadDestinations.add
  const keep = (kept: LeadDestination) => {
    queryClient.setQueryData([...keyOf(leadDestinations.get), { id: kept.id }], kept)
    onKept?.(kept)
  }
  const record = useRecordForm<DestinationValues, LeadDestination>({
    ...destinationForm,
    record: destination,
    blank: kind === undefined ? destinationForm.blank : { ...destinationForm.blank, kind },
    schema: leadDestinationRecord.schema,
    endpoint,
    isLocked: lock !== null,
    save: (values, version) => {
      const input = destinationForm.toInput(values)
      return destination
        ? updateDestination({ ...input, id: destination.id, version })
        : addDestination(input)
    },
    keep,
    onSaved: (saved) => {
      toast(destination ? 'Destination saved' : 'Destination added', saved.name)
      if (!destination) onCreated(saved.id)
      if (saved.kind === 'webhook' && destination?.kind !== 'webhook')
        void showSecret(saved, { rotate: false })
    },
  })
  const actions = useDestinationActions({
    onKept: keep,
    onRemoved: () => {
      record.release()
      onClose(true)
    },
  })
  const isChanged = record.changed.length > 0
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return (
    <RecordForm record={record} isBusy={actions.isPending} className="fc-form fc-rule-form">
      <div className="fc-rule-body">
        {destination && (
          <DestinationHealth destination={destination} lock={lock} isChanged={isChanged} actions={actions} />
        )}
        <DestinationFields record={record} destination={destination} users={users} />
      </div>
      <FormFooter
        record={record}
        for={endpoint}
        save={destination ? 'Save destination' : 'Add destination'}
        lock={lock}
        onCancel={() => onClose(false)}
      >
        {destination && (
          <>
            <Action
              for={leadDestinations.remove}
              lock={lock}
              variant="subtle"
              className="fc-quiet-danger"
              disabled={actions.isPending || record.isSaving}
              onClick={() => void actions.remove(destination)}
            >
              Delete
            </Action>
            <Action
              for={leadDestinations.update}
              lock={lock}
              variant="subtle"
              disabled={actions.isPending || record.isSaving || isChanged}
              onClick={() => void actions.pause(destination)}
            >
              {destination.isActive ? 'Pause' : 'Resume'}
            </Action>
          </>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this destination"
        show={(name, shown) => showField(name, shown, names)}
      />
    </RecordForm>
  )
}
