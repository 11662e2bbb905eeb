import { checkDigitOf } from '#contract/vehicles/vin/check-digit.ts'
import { yearCharacter } from '#server/vehicles/vin/model-year.ts'

/** A made-up VIN with a valid check digit. */
export function makeVin(start: string, { year, serial }: { year: number; serial: number }): string {
  const end = `${yearCharacter(year)}D${String(serial % 1_000_000).padStart(6, '0')}`
  return `${start}${checkDigitOf(`${start}0${end}`)}${end}`
}
