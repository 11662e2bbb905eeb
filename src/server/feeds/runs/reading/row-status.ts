import {
  FEED_STATUS_REASON,
  type FeedStatus,
  GONE_STATUSES,
  KEPT_STATUS,
} from '#contract/feeds/mappings/feed-status.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { labelOf } from '#contract/record.ts'
import { titleOf } from './feed-values.ts'
import type { FoundVehicle } from './find-vehicles.ts'
import type { ImportStats } from './import-stats.ts'
import { nameOf } from './other-vehicles.ts'
import type { ComparedRow, ParsedRow, Staging } from './staging.ts'

/** The statuses of vehicles that were sold or given away. */
export const GONE = new Set<string>(GONE_STATUSES)
export const isGone = (status: string): boolean => GONE.has(status) || status === 'removed'

/** Why a new vehicle that the feed has no more isn't added. */
export const GONE_REASONS: Readonly<Record<string, string>> & { archived: string } = {
  sold: 'The feed lists this vehicle as sold.',
  wholesale: 'The feed lists this vehicle as wholesale.',
  archived: 'The feed lists this vehicle as no longer for sale.',
}

/**
 * The new status of a listed vehicle; null if it doesn't change. A feed changes what is for sale, removed, or has its status from
 * a feed, and it says that a vehicle was sold: what a user otherwise put on hold or sold stays so, whatever the feed says.
 */
export function newStatus(vehicle: FoundVehicle, given: FeedStatus | null): string | null {
  const { status } = vehicle
  if (given === null) return status === 'removed' ? 'live' : null
  return status !== given && mayGive(vehicle, given) ? given : null
}

const mayGive = ({ status, statusReason }: FoundVehicle, given: FeedStatus): boolean =>
  status === 'live' ||
  status === 'removed' ||
  statusReason === FEED_STATUS_REASON ||
  (given === 'sold' && !GONE.has(status))

/** The status of a row that its vehicle doesn't get by itself, because a person gave it another one; null if there is none. */
export function keptStatus(
  { status: given }: ParsedRow,
  vehicle: FoundVehicle,
  { sourceId }: Staging,
): FeedStatus | null {
  if (given === null || given === vehicle.status) return null
  // Our own export calls it removed by the feed, which reads as archived. A person may say that it was sold.
  if (vehicle.status === 'removed')
    return sourceId === null && GONE.has(given) && given !== 'archived' ? given : null
  return mayGive(vehicle, given) ? null : given
}

/** A person who brings a file is asked; of a source it is said. */
export function countKept(
  one: ComparedRow,
  vehicle: FoundVehicle,
  { kept, staging, importStats }: { kept: FeedStatus; staging: Staging; importStats: ImportStats },
): void {
  const name = nameOf(titleOf({ ...vehicle.now, ...one.row.values }), one.stock)
  if (staging.sourceId === null)
    importStats.countFound(
      'keptStatus',
      `${name}: ${statusName(vehicle.status)} here, ${statusName(kept)} in the file`,
    )
  else
    importStats.countVin('Vehicles keep the status that a person gave them. The file has another one.', false)
}

export const keptSentence = ({ status }: FoundVehicle, kept: FeedStatus): string =>
  `The vehicle keeps the status ${statusName(status)}, ${KEPT_STATUS} ${statusName(kept)}.`

const statusName = (status: string): string => labelOf(VEHICLE_LIST.fields.status.choices ?? [], status)
