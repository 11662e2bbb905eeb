import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import { VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query, send } from '#web/api/query.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { saveConfirmingPrices } from '../confirm-prices.ts'
import { useCustomFields } from '../custom-fields/use-custom-fields.ts'
import { setVehicleInCache } from '../set-vehicle-in-cache.ts'
import {
  BLANK,
  checkVehicle,
  FIELD_NAMES,
  showField,
  toInput,
  toValues,
  type VehicleValues,
} from './vehicle-values.ts'
import { nameVehicle } from '../vehicle-labels.ts'
import { VehicleFormFields } from './VehicleFormFields.tsx'

type Props = {
  /** Null for a new one. */
  vehicle: VehicleRecord | null
  onClose: () => void
  /** Called after saving; closes without asking about unsaved changes. */
  onSaved: (vehicle: VehicleRecord) => void
  /** Called when another user's version replaces the loaded one. */
  onKept?: (vehicle: VehicleRecord) => void
}

const addVehicle = send(vehicles.add)
const updateVehicle = send(vehicles.update)

/** The form of one vehicle: saves and resolves conflicts with another user's changes. */
export function VehicleForm({ vehicle, onClose, onSaved, onKept }: Props) {
  const { fields: own } = useCustomFields()
  const settings = useQuery({ ...query(vehicles.settings, {}), enabled: vehicle === null })
  const currency = vehicle?.currency ?? settings.data?.currency ?? ''
  /** The fields filled in from the VIN; the server compares their values with the decoded ones. */
  const filled = useRef<readonly VinFilledField[]>([])
  const endpoint = vehicle ? vehicles.update : vehicles.add
  const record = useRecordForm<VehicleValues, VehicleRecord>({
    record: vehicle,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: VehicleRecord,
    endpoint,
    check: (values) => checkVehicle(values, own, currency),
    save: (values, version) =>
      saveConfirmingPrices((confirmPrices) => {
        const input = { ...toInput(values, own, currency), confirmPrices, fromVin: [...filled.current] }
        return vehicle ? updateVehicle({ ...input, id: vehicle.id, version }) : addVehicle(input)
      }),
    keep: (kept) => {
      setVehicleInCache(kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(vehicle ? 'Vehicle saved' : 'Vehicle added', nameVehicle(saved))
      onSaved(saved)
    },
  })
  return (
    <RecordForm record={record}>
      <VehicleFormFields
        record={record}
        vehicle={vehicle}
        own={own}
        onFilled={(fields) => {
          filled.current = [...new Set([...filled.current, ...fields])]
        }}
      />
      <FormFooter
        record={record}
        for={endpoint}
        save={vehicle ? 'Save vehicle' : 'Add vehicle'}
        onCancel={onClose}
      />
      <StaleDialog
        record={record}
        thing="this vehicle"
        show={(name, values) => showField(name, values, record.stale?.current)}
      />
    </RecordForm>
  )
}
