import { meterName } from '../records/check-row.ts'
import { plainHeading } from './column-roles.ts'
import { METERS } from './meter-words.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

type Plan = Pick<ReadingPlan, 'proposal'>

/** Headings of what tells one meter from another; numbers of lines, customers and tariffs don't. */
const METER = new RegExp(
  `(^| )(?:${METERS}|serial|channel|register|obis|kanal|canal|premises?|account|acct|vehicle|car|reg|registration|plate|kennzeichen|fahrzeug|vehicule|immatriculation|matricula|kenteken|targa)(?:id|nr|nummer|number)?( |$)`,
)

/** Identifiers with more than one value: those of several meters, accounts or places. */
const varying = ({ proposal }: Plan) =>
  proposal.evidence.filter(({ role, values }) => role === 'identifier' && new Set(values).size > 1)

const textOf = (read: Pick<ReadLine, 'raw'>, places: readonly { place: number }[]): string =>
  places.map(({ place }) => read.raw[place]?.trim() ?? '').join('\u001F')

/** Lines of one meter: in one source, with the same identifiers. */
export function seriesOf(lines: readonly ReadLine[], plan: Plan): ReadLine[][] {
  const ids = varying(plan)
  const named = lines.filter(({ isLeft }) => !isLeft)
  return [...Map.groupBy(named, (read) => `${read.source?.id ?? ''}\u001F${textOf(read, ids)}`).values()]
}

export const isOfMeter = ({ title }: { title: string }): boolean => METER.test(plainHeading(title))

/** Reads what tells the meter of a line from others in the file: one that has its lines after thousands of another is none of the first lines. */
export function meterReader(plan: Plan): (read: Pick<ReadLine, 'raw'>) => string {
  const columns = plan.proposal.evidence.filter((one) => one.role === 'identifier' && isOfMeter(one))
  return (read) => textOf(read, columns)
}

/** Reads the meter of a line as its record names it; '' if nothing does. */
export function meterNamer(plan: Plan): (read: Pick<ReadLine, 'raw'>) => string {
  const columns = plan.proposal.evidence.filter((one) => one.role === 'identifier' && isOfMeter(one))
  return (read) => textOf(read, columns).replaceAll('\u001F', ' ').trim()
}

/** The meter of all lines, if a column of meters names only one; null otherwise. */
export function onlyMeter(lines: readonly ReadLine[], { proposal }: Plan): string | null {
  const columns = proposal.evidence.filter(
    (one) => one.role === 'identifier' && isOfMeter(one) && isDevice(one),
  )
  const names = new Set(lines.map((read) => textOf(read, columns).replaceAll('\u001F', ' ').trim()))
  const [name = ''] = names
  return names.size === 1 && name !== '' ? name : null
}

/**
 * Reads the device of a line, such as its meter or service point, and whose account it is on; '' if no column tells. Columns that tell
 * parts of a meter apart, such as registers, are part of the device.
 */
export function deviceReader(
  plan: Plan,
): (read: Pick<ReadLine, 'raw'>) => { device: string; account: string } {
  const columns = plan.proposal.evidence.filter((one) => one.role === 'identifier' && isOfMeter(one))
  const isAccount = ({ title }: { title: string }) => ACCOUNT.test(plainHeading(title))
  const [accounts, devices] = [columns.filter(isAccount), columns.filter((one) => !isAccount(one))]
  const isNamed = devices.some(isDevice)
  return (read) => ({ device: isNamed ? textOf(read, devices) : '', account: textOf(read, accounts) })
}
const ACCOUNT = /(^| )(account|acct)( |$)/
/** Headings of meters and the points that they measure. */
export const isDevice = ({ title }: { title: string }): boolean => DEVICE.test(plainHeading(title))
const DEVICE = new RegExp(`(^| )(?:${METERS}|serial)(?:id|nr|nummer|number)?( |$)`)

/**
 * Names the meter of each line beside the number of its bill, whatever else is in the file: bills of several meters may share a number,
 * and the next file may have only one of them. A bill without a number has that of its meter.
 */
export function nameMeters(lines: readonly ReadLine[], plan: Plan): void {
  const nameOf = meterNamer(plan)
  for (const read of lines) {
    const meter = nameOf(read)
    if (read.record !== null && meter !== '') read.record.reference = meterName(read.record.reference, meter)
  }
}
