import { sql } from 'kysely'
import { GONE_STATUSES } from '#contract/feeds/mappings/feed-status.ts'

/** The statuses in which no feed changes or removes a vehicle, as a list of SQL. A vehicle that a feed removed may come back. */
export const endedStatuses = sql`(${sql.join(GONE_STATUSES.map((status) => sql.lit(status)))})`
