import type { Database } from '#server/database/tenant-transaction.ts'
import { lotsByDealerId } from '#server/customers/index.ts'
import type { Member } from '#server/http/actor.ts'

export type LotPlaces = {
  /** The lots of the run by their numbers. */
  ids: readonly string[]
  /** Where a row stands, by the dealer that it names; a sentence where it is none of the run's lots. */
  find: (dealer: string | null) => { lotId: string } | { refusal: string }
}

/**
 * Where the rows of a run stand: by the dealer of the row, which is a dealer id or the code of a lot; else on the lot that was chosen, or
 * on the only one there is.
 * @param chosen the lot that somebody said the file is of.
 * @param covered the lots of the source; empty: all in reach.
 */
export async function readLotPlaces(
  db: Database,
  actor: Pick<Member, 'reach'>,
  { chosen, covered }: { chosen: string | null; covered: readonly string[] },
): Promise<LotPlaces> {
  const lots = await db.selectFrom('lots').select(['id', 'code']).orderBy('id').execute()
  const isCovered = (id: string): boolean => covered.length === 0 || covered.includes(id)
  const byDealerId = await lotsByDealerId(db)
  const byCode = new Map(lots.map(({ id, code }) => [keyOf(code), id]))
  const own = lots.filter(({ id }) => isCovered(id)).map(({ id }) => id)
  const [only] = own.length === 1 ? own : []
  const fallback = chosen ?? only ?? null
  return {
    ids: chosen === null ? own : [chosen],
    find(dealer) {
      const named = dealer === null ? undefined : (byDealerId(dealer)?.lotId ?? byCode.get(keyOf(dealer)))
      if (named !== undefined && chosen !== null && named !== chosen) {
        return { refusal: `Dealer ${dealer} is another lot than the chosen one.` }
      }
      if (named !== undefined) {
        return isCovered(named)
          ? { lotId: named }
          : { refusal: `The lot of dealer ${dealer} is none of this feed source.` }
      }
      if (chosen !== null) return { lotId: chosen }
      if (dealer === null) {
        return fallback === null
          ? { refusal: 'The row names no dealer, and no lot was chosen for the file.' }
          : { lotId: fallback }
      }
      return {
        refusal:
          actor.reach === 'customer'
            ? `No lot stands for dealer ${dealer}.`
            : `Dealer ${dealer} is not one of your lots.`,
      }
    },
  }
}

const keyOf = (dealer: string): string => dealer.trim().toLowerCase()
