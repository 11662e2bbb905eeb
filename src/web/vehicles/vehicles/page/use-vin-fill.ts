import { useRef, useState } from 'react'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { VIN_FILLED, vinValuesOf, type VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import { vins, type VinFacts } from '#contract/vehicles/vin/vin.ts'
import { query, queryClient } from '#web/api/query.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { VehicleValues } from './vehicle-values.ts'

type Filled = Partial<Record<VinFilledField, string>>

/** The characters of a VIN as typed, without spaces and dashes. */
const normalized = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase()

/**
 * Fills in what a VIN decodes to as soon as it is complete. Only fields that are empty, or that an earlier VIN filled in, are
 * set; what the user typed stays.
 * @param onFilled called with the fields that were set. @returns a message for the user, and the handler for each new VIN.
 */
export function useVinFill(
  { form, change, isReadOnly }: RecordFormState<VehicleValues, VehicleRecord>,
  onFilled: (fields: readonly VinFilledField[]) => void,
) {
  const [note, setNote] = useState<string | null>(null)
  const current = useRef('')
  const filled = useRef<Filled>({})

  async function decode(text: string): Promise<void> {
    const vin = normalized(text)
    if (isReadOnly || vin === current.current) return
    current.current = vin
    if (vin.length !== 17) return setNote(null)
    let decoded: VinFacts
    try {
      decoded = await queryClient.fetchQuery({ ...query(vins.decode, { vin }), staleTime: Infinity })
    } catch {
      if (current.current === vin) setNote("The VIN couldn't be decoded. Enter the details yourself.")
      return
    }
    // The user has typed another VIN in the meantime.
    if (current.current === vin) setNote(fill(decoded))
  }

  function fill(decoded: VinFacts): string {
    if (decoded.refusal !== null) {
      return decoded.suggestion === null
        ? decoded.refusal
        : `${decoded.refusal} Did you mean ${decoded.suggestion}?`
    }
    const values = form.getValues()
    const known = vinValuesOf(decoded.values)
    const changes: Filled = {}
    for (const name of VIN_FILLED) {
      const text = known[name] === undefined ? '' : String(known[name])
      const isOurs = values[name] === '' || values[name] === filled.current[name]
      if (isOurs && text !== values[name]) changes[name] = text
    }
    const names = VIN_FILLED.filter((name) => (changes[name] ?? '') !== '')
    filled.current = { ...filled.current, ...changes }
    change(changes)
    onFilled(names)
    const warning =
      decoded.checkDigit.verdict === 'wrong' ? ' The check digit is wrong: compare it with the vehicle.' : ''
    return names.length === 0
      ? `The VIN adds nothing to what you entered.${warning}`
      : `Filled in from the VIN: ${names.map((name) => VEHICLE_FIELDS[name].title).join(', ')}.${warning}`
  }

  return { note, decode }
}
