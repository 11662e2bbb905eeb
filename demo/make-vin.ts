import { checkDigitOf } from '#server/inventory/vin/check-digit.ts'
import { yearCharacter } from '#server/inventory/vin/model-year.ts'

/** A VIN of nobody's vehicle, with the check digit that its other sixteen characters ask for. */
export function makeVin(start: string, { year, serial }: { year: number; serial: number }): string {
  const end = `${yearCharacter(year)}D${String(serial % 1_000_000).padStart(6, '0')}`
  return `${start}${checkDigitOf(`${start}0${end}`)}${end}`
}
