import type { AdfVehicle, LeadDocument } from '#contract/leads/adf/adf-lead.ts'
import {
  addressLabel,
  addressText,
  type Detail,
  idDetails,
  nameText,
  plainAmount,
  providerDetails,
  type ShowAmount,
  timeframeText,
  vehicleDetails,
  vehicleName,
  vendorDetails,
} from '#contract/leads/adf/describe-adf.ts'
import { ASKED_CONDITIONS, type LeadRecord } from '#contract/leads/inbox/leads.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import type { Fact } from '#web/ui/record/Facts.tsx'

/** An amount in the format of the reader. What isn't a number stays as the source wrote it. */
const showAmount: ShowAmount = (value, currency) =>
  /^-?\d+(?:\.\d+)?$/.test(value) && currency !== null && /^[A-Z]{3}$/i.test(currency)
    ? formatPrice(Math.round(Number(value) * 100), currency)
    : plainAmount(value, currency)

/** The name and address as the source has them, where the person's are others or not shown. */
export function sentFacts({ personName, document }: LeadRecord): Fact[] {
  if (document === null) return []
  const { name, address } = document.customer.contact
  const sent = nameText(name)
  return [
    ['Name as sent', sent.toLowerCase() === personName.toLowerCase() ? null : sent],
    [addressLabel(address), address && addressText(address)],
  ]
}

/** Facts that the pane shows of a vehicle in stock, of which the document only says them again. */
const KNOWN_OF_STOCK: ReadonlySet<string> = new Set(['VIN', 'Stock number', 'Status', 'Mileage', 'ID'])
/** Facts of a trade-in that the lead has itself. */
const KNOWN_OF_TRADE: ReadonlySet<string> = new Set(['VIN', 'Mileage', 'Condition', 'Status', 'Comments'])

const without = (facts: readonly Detail[], known: ReadonlySet<string>): Fact[] =>
  facts.flatMap(([label, value]): Fact[] => (known.has(label) ? [] : [[label, value]]))

/** What the document says about the vehicle of interest. */
export function askedFacts({ document, vehicle, askedVehicle }: LeadRecord): Fact[] {
  const sent = document?.vehicles[0]
  const condition = ASKED_CONDITIONS.find(({ value }) => value === askedVehicle.condition)?.label
  const asked: Fact[] =
    vehicle === null
      ? [
          ['Condition asked for', condition],
          vinFact(askedVehicle),
          ['VIN', sent?.vin == null ? askedVehicle.vin : null],
        ]
      : []
  if (sent === undefined) return asked
  const known = vehicle === null ? new Set(condition === undefined ? [] : ['Status']) : KNOWN_OF_STOCK
  return [...asked, ...without(vehicleDetails(sent, showAmount), known)]
}

/** What the VIN says, unless the vehicle is named so. */
export const vinFact = (named: NonNullable<LeadRecord['tradeIn']> | LeadRecord['askedVehicle']): Fact => {
  const { year, make, model, trim, vinSays } = named
  const words = [year, make, model, trim].filter(Boolean).join(' ')
  return ['VIN is of', vinSays?.toLowerCase() === words.toLowerCase() ? null : vinSays]
}

export function tradeDetails({ document, tradeIn }: LeadRecord): Fact[] {
  const sent = document?.tradeIns[0]
  if (sent === undefined) return []
  const comments: Fact[] = [['Comments', tradeIn?.comments ?? sent.comments]]
  return [...without(vehicleDetails(sent, showAmount), KNOWN_OF_TRADE), ...comments]
}

export const otherVehicles = ({ document }: LeadRecord): AdfVehicle[] => document?.vehicles.slice(1) ?? []
export const otherTradeIns = ({ document }: LeadRecord): AdfVehicle[] => document?.tradeIns.slice(1) ?? []

/** "2026-12-03", also with a time. What isn't a date stays as it was sent. */
const dayText = (date: string): string =>
  /^\d{4}-\d{2}-\d{2}/.test(date) ? formatDay(`${date.slice(0, 10)}T12:00:00`) : date

/** A vehicle that only the document has. */
export const wholeVehicle = (vehicle: AdfVehicle): Fact[] => [
  ['Vehicle', vehicleName(vehicle)],
  ...vehicleDetails(vehicle, showAmount),
]

/** Who the source says it is and which dealer it names, and when the buyer needs a vehicle. */
export const documentFacts = (document: LeadDocument): Fact[] => [
  ['Time frame', timeframeText(document, dayText)],
  ['Sent', document.status === 'resend' && 'Again, says the source'],
  ...idDetails(document),
  ...vendorDetails(document).map(([label, value]): Fact => [
    label === 'Dealer'
      ? 'Dealer named'
      : `Dealer ${label.toLowerCase() === 'id' ? 'ID' : label.toLowerCase()}`,
    value,
  ]),
  ...providerDetails(document).map(([label, value]): Fact => [
    label === 'Provider' || label === 'Service'
      ? label
      : `Provider ${label === 'ID' ? label : label.toLowerCase()}`,
    value,
  ]),
]
