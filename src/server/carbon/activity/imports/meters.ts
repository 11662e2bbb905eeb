import { plainHeading } from './column-roles.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

type Plan = Pick<ReadingPlan, 'proposal'>

/** Headings of what tells one meter from another; numbers of lines, customers and tariffs don't. */
const METER =
  /(^| )(meter|meters|zahler\w*|zahlpunkt|marktlokation|messlokation|malo|melo|compteur|point de livraison|pdl|prm|pce|pod|cups|contador|contatore|matricola|ean|mpan|mprn|nmi|esi|esiid|service point|sdp|serial|channel|register|obis|kanal|canal|premises?|account|acct)( |$)/

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

/** What tells the meter of a line from others in the file; '' if nothing does. */
export const meterOf = (read: Pick<ReadLine, 'raw'>, plan: Plan): string =>
  textOf(
    read,
    varying(plan).filter(({ title }) => METER.test(plainHeading(title))),
  )

/** Bills of several meters for the same days, with one bill number or none, are told apart by their meters. */
export function nameMeters(lines: readonly ReadLine[], plan: Plan): void {
  const meters = new Map(lines.map((read) => [read, meterOf(read, plan).replaceAll('\u001F', ' ').trim()]))
  const groups = Map.groupBy(
    lines.filter(({ record }) => record !== null),
    ({ record }) =>
      [record?.sourceId, record?.periodStart, record?.periodEnd, record?.reference].join('\u001F'),
  )
  for (const own of groups.values()) {
    if (new Set(own.map((read) => meters.get(read))).size < 2) continue
    for (const { record, ...read } of own.map((one) => ({
      record: one.record,
      meter: meters.get(one) ?? '',
    })))
      if (record !== null && read.meter !== '')
        record.reference = [...(record.reference == null ? [] : [record.reference]), `Meter ${read.meter}`]
          .join(', ')
          .slice(0, MOST_LETTERS)
  }
}

/** Of a bill number. */
const MOST_LETTERS = 80
