import { useState } from 'react'
import { useOfferOverTables } from '../feedback/undo.tsx'
import type { GridRow } from './grid-column.ts'

/** Whether there is an undo offer newer than the last change of the rows. */
export function useNewestOffer(rows: readonly GridRow[]): boolean {
  const offered = useOfferOverTables()
  const [since, setSince] = useState({ offered, rows })
  if (since.offered !== offered) setSince({ offered, rows })
  return offered !== null && since.offered === offered && since.rows === rows
}
