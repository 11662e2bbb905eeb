import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import { VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query, send } from '#web/api/query.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { saveConfirmingPrices } from '#web/ui/prices/confirm-prices.ts'
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
  /** Called after saving, unless more was typed meanwhile; closes without asking about unsaved changes. */
  onSaved: (vehicle: VehicleRecord) => void
}

const addVehicle = send(vehicles.add)
const updateVehicle = send(vehicles.update)

/** The form of one vehicle: saves and resolves conflicts with another user's changes. */
export function VehicleForm({ vehicle, onClose, onSaved }: Props) {
  const { fields: own } = useCustomFields()
  const settings = useQuery({ ...query(vehicles.settings, {}), enabled: vehicle === null })
  const currency = vehicle?.currency ?? settings.data?.currency ?? ''
  /** The fields filled in from the VIN; the server compares their values with the decoded ones. */
  const filled = useRef<readonly VinFilledField[]>([])
  return (
    <RecordEditor
      saved={vehicle}
      thing="this vehicle"
      form={{
        schema: VehicleRecord,
        labels: FIELD_NAMES,
        blank: BLANK,
        toValues,
        toInput: (values: VehicleValues) => toInput(values, own, currency),
        check: (values: VehicleValues) => checkVehicle(values, own, currency),
      }}
      endpoints={vehicles}
      save={(values, change) =>
        saveConfirmingPrices((confirmPrices) => {
          const input = { ...values, confirmPrices, fromVin: [...filled.current] }
          return change
            ? updateVehicle({ ...input, id: change.saved.id, version: change.version })
            : addVehicle(input)
        })
      }
      onKept={setVehicleInCache}
      onSaved={(saved, before) => toast(before ? 'Vehicle saved' : 'Vehicle added', nameVehicle(saved))}
      closes={onSaved}
      show={(name, values, [newest]) => showField(name, values, newest)}
    >
      {({ record, saved, endpoint }) => (
        <>
          <VehicleFormFields
            record={record}
            vehicle={saved}
            own={own}
            onFilled={(fields) => {
              filled.current = [...new Set([...filled.current, ...fields])]
            }}
          />
          <FormFooter
            record={record}
            for={endpoint}
            save={saved ? 'Save vehicle' : 'Add vehicle'}
            onCancel={onClose}
          />
        </>
      )}
    </RecordEditor>
  )
}
