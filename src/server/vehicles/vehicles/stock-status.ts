import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { OUT_OF_STOCK_STATUSES } from '#contract/vehicles/vehicles/stock-rules.ts'

const outOfStock = sql`(${sql.join(OUT_OF_STOCK_STATUSES.map((status) => sql.lit(status)))})`

/** Whether a vehicle is in stock. Written like the conditions of the indexes, so that they are used. */
export const isInStock = (vehicle: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${vehicle}.status`)} not in ${outOfStock}`

/** Whether a vehicle is no longer in stock. */
export const isOutOfStock = (vehicle: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${vehicle}.status`)} in ${outOfStock}`
