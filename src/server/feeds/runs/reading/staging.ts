import type { FeedStatus } from '#contract/feeds/mappings/feed-status.ts'
import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import type { VehicleValues } from './feed-values.ts'
import type { VehicleAnswers } from './file-questions.ts'
import type { Fingerprint } from './find-vehicles.ts'
import type { LotAssignment } from './lot-assignment.ts'

/** A mapped row of a file, not yet compared. */
export type ParsedRow = {
  line: number
  raw: string
  values: VehicleValues
  dealer: string | null
  /** The status that the feed gives the vehicle. */
  status: FeedStatus | null
  /** Why the feed leaves the row out. */
  leftOut: string | null
  warnings: readonly string[]
  refusals: readonly string[]
}

/** The context of a comparison. */
export type Staging = {
  customerId: string
  sourceId: string | null
  places: LotAssignment
  reading: Pick<ReadOptions, 'today' | 'ownWord'>
  /** The product exported the file: a stock number stands for one vehicle. */
  isOwnExport?: boolean
  /** Rows without a status leave removed vehicles removed. */
  keepsStatus?: boolean
  /** What a person said about vehicles that rows may be for. */
  answers: VehicleAnswers
}

/** A row with what it is recognized by. */
export type ComparedRow = {
  row: ParsedRow
  place: number
  lot: ReturnType<LotAssignment['find']>
  rowFingerprint: string
  vin: string | null
  stock: string | null
  lotId: string | null
  fingerprint: Fingerprint | null
}
