import type { AskedVehicle, TradeIn } from '#contract/leads/inbox/leads.ts'
import { checkDigitOf } from '#contract/vehicles/vin/check-digit.ts'
import { clock } from '#server/clock.ts'
import { decodeVin } from '#server/vehicles/index.ts'

/** In upper case, as people copy it from a listing. */
const VIN = /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])/g
/** The message may be about the buyer's own car. */
const OWN_CAR =
  /\btrad(?:e|ing)\b|\bsell(?:ing)?\b|\b(?:my|our) (?:\w+ ){0,2}(?:car|truck|suv|van|vehicle|vin)\b/i

type Message = Readonly<{
  /** In stock. */
  vehicle?: object | null
  askedVehicle?: AskedVehicle
  tradeIn?: TradeIn | null
  comments?: string | null
}>

/**
 * The VIN in the message of a lead that names no other vehicle. Its check digit is right, and the message isn't about a car that the buyer
 * has; null otherwise, or if there are several.
 */
export function vinInMessage({ vehicle, askedVehicle, tradeIn, comments }: Message): string | null {
  const isNamed = Object.values({ ...askedVehicle }).some((value) => value != null && value !== '')
  if (vehicle != null || isNamed || tradeIn != null || comments == null || OWN_CAR.test(comments)) return null
  const found = new Set(
    (comments.slice(0, 20_000).toUpperCase().match(VIN) ?? []).filter((vin) => checkDigitOf(vin) === vin[8]),
  )
  return found.size === 1 ? ([...found][0] ?? null) : null
}

/**
 * What the VIN of a vehicle says that isn't in stock: year, make, model and trim where the buyer gave none, and `vinSays`, the vehicle that
 * it is, also where the buyer named another one.
 */
export function withVin<T extends AskedVehicle | TradeIn>(vehicle: T): T {
  if (vehicle.vin == null || vehicle.vin === '') return vehicle
  const { refusal, checkDigit, values } = decodeVin(vehicle.vin, Number(clock.today('UTC').slice(0, 4)))
  if (refusal !== null || checkDigit.verdict === 'wrong' || values.make === undefined) return vehicle
  const { year, make, model, trim } = values
  const vinSays = [year, make, model, trim].flatMap((one) => (one === undefined ? [] : [one.value])).join(' ')
  // The words of a buyer who named another car stay together.
  if (!isSame(vehicle.make, make.value) || !isSame(vehicle.model, model?.value))
    return { ...vehicle, vinSays }
  return {
    ...vehicle,
    year: vehicle.year ?? (year === undefined ? null : Number(year.value)),
    make: vehicle.make ?? make.value,
    model: vehicle.model ?? model?.value ?? null,
    trim: vehicle.trim ?? trim?.value ?? null,
    vinSays,
  }
}

const isSame = (given: string | null | undefined, decoded: string | undefined): boolean =>
  given == null || given === '' || given.toLowerCase() === decoded?.toLowerCase()
