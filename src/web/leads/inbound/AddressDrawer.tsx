import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  type InboundAddress,
  inboundAddresses,
  inboundAddressRecord,
} from '#contract/leads/inbound/inbound-addresses.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { type RecordFormState, useRecordForm } from '#web/ui/record/use-record-form.ts'
import { AddressUrls } from './AddressUrls.tsx'
import './inbound.css'

const addAddress = send(inboundAddresses.add)
const updateAddress = send(inboundAddresses.update)
const removeAddress = send(inboundAddresses.remove)

const addressForm = recordForm(inboundAddressRecord)
type AddressValues = typeof addressForm.blank

type Props = {
  /** An address's ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}

/** One inbound address with its URLs, or a blank form for a new one. */
export function AddressDrawer({ id, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(inboundAddresses.get, { id }),
    enabled: !isNew,
    gcTime: 0,
  })
  const { data } = load
  return (
    <FormDrawer
      title={isNew ? 'New inbound address' : (data?.label ?? 'Inbound address')}
      about={isNew ? 'Where one lead provider sends leads' : data && describe(data)}
      size={560}
      onClose={() => onClose()}
    >
      {isNew ? (
        <AddressForm address={null} onClose={onClose} onCreated={onCreated} />
      ) : (
        <Loaded query={load} what="this inbound address" shape="fields">
          {(address) => (
            <LoadedRecord key={address.id} record={address}>
              {(loaded, keep) => (
                <AddressForm address={loaded} onKept={keep} onClose={onClose} onCreated={onCreated} />
              )}
            </LoadedRecord>
          )}
        </Loaded>
      )}
    </FormDrawer>
  )
}

function describe({ updatedAt, updatedBy }: InboundAddress): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}

type FormProps = Omit<Props, 'id'> & {
  /** Null for a new one. */
  address: InboundAddress | null
  /** Called after saving or reloading. */
  onKept?: (address: InboundAddress) => void
}

function AddressForm({ address, onClose, onCreated, onKept }: FormProps) {
  const endpoint = address ? inboundAddresses.update : inboundAddresses.add
  const lots = useLotNames()
  const record = useRecordForm<AddressValues, InboundAddress>({
    ...addressForm,
    record: address,
    endpoint,
    save: (values, version) => {
      const input = addressForm.toInput(values)
      return address ? updateAddress({ ...input, id: address.id, version }) : addAddress(input)
    },
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(inboundAddresses.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(address ? 'Inbound address saved' : 'Inbound address added', saved.label)
      if (!address) onCreated(saved.id)
    },
  })
  const remove = useMutation({
    mutationFn: removeAddress,
    onSuccess: () => {
      record.release()
      toast('Inbound address deleted', address?.label ?? '')
      onClose(true)
    },
    onError: (failure) => showError(failure),
  })
  const nameOfLot = (id: string): string => {
    const known = [address, record.stale?.current].find((one) => one?.lotId === id)
    return known?.lotName ?? lots.choices.find(({ value }) => value === id)?.label ?? 'Another lot'
  }
  async function confirmRemoval({ id, label }: InboundAddress) {
    const isSure = await ask({
      title: `Delete ${label}?`,
      text: 'Its URLs stop working immediately, and its messages are deleted. Its leads stay in the inbox.',
      confirm: 'Delete inbound address',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <div className="fc-inbound-fields">
        <AddressFields record={record} address={address} lots={lots} />
        {address && <AddressUrls address={address} />}
      </div>
      <FormFooter
        record={record}
        for={endpoint}
        save={address ? 'Save inbound address' : 'Add inbound address'}
        onCancel={() => onClose(false)}
      >
        {address && (
          <Action
            for={inboundAddresses.remove}
            lock={address.quarantined > 0 ? NEEDS_REVIEW : null}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={remove.isPending || record.isSaving}
            onClick={() => void confirmRemoval(address)}
          >
            Delete
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this inbound address"
        show={(name, values) =>
          name === 'lotId' ? nameOfLot(values.lotId) : showValue(Reflect.get(values, name))
        }
      />
    </RecordForm>
  )
}

const NEEDS_REVIEW = 'Messages of this address still need review. Review or dismiss them first.'

type FieldsProps = {
  record: RecordFormState<AddressValues, InboundAddress>
  address: InboundAddress | null
  lots: ReturnType<typeof useLotNames>
}

function AddressFields({ record, address, lots: { choices, search } }: FieldsProps) {
  const { field } = record
  // A lot that isn't on the first page of choices.
  const own =
    address?.lotId == null || choices.some(({ value }) => value === address.lotId)
      ? []
      : [{ value: address.lotId, label: address.lotName ?? address.lotId }]
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('label')}
        {...(address === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={80}
        autoComplete="off"
        placeholder="Cars.com, Ford store"
      />
      <TextInput
        {...field('sourceName')}
        className="fc-wide"
        required
        maxLength={60}
        autoComplete="off"
        description={<bdi>Shown as the source of its leads. Routing rules can use it.</bdi>}
      />
      <Select
        {...field('lotId')}
        className="fc-wide"
        required
        data={[...own, ...choices]}
        searchable
        onSearchChange={search}
        description={<bdi>Leads go to this lot unless they ask about a vehicle on another lot.</bdi>}
      />
    </div>
  )
}
