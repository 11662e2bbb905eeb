import { NO_LOT } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lotsByDealerId } from '#server/customers/index.ts'
import type { Member } from '#server/http/actor.ts'

export type LotPlaces = {
  /** The lots of the run by their numbers. */
  ids: readonly string[]
  /** The lot that rows without one go to although nobody said so: it is shown, and can be changed. */
  presumed: string | null
  /** Where a row stands, by the dealer that it names; a sentence where it is none of the run's lots. */
  find: (dealer: string | null) => { lotId: string } | { refusal: string }
}

/**
 * Where the rows of a run stand: by the dealer of the row, which is a dealer id or the code of a lot; else on the lot that was chosen, or
 * on the only one that can be meant.
 * @param chosen the lot that somebody said the file is of.
 * @param remembered the lot that somebody said the last file like it is of: rows of no known dealer go there.
 * @param near the organization somebody works in: its only lot is meant where the customer has several.
 * @param covered the lots of the source; empty: all in reach.
 */
export async function readLotPlaces(
  db: Database,
  actor: Pick<Member, 'reach'>,
  {
    chosen,
    remembered = null,
    near = null,
    covered,
  }: { chosen: string | null; remembered?: string | null; near?: string | null; covered: readonly string[] },
): Promise<LotPlaces> {
  const lots = await db
    .selectFrom('lots')
    .select(['id', 'code', 'type', 'organizationId'])
    .orderBy('id')
    .execute()
  const isCovered = (id: string): boolean => covered.length === 0 || covered.includes(id)
  const byDealerId = await lotsByDealerId(db)
  const byCode = new Map(lots.map(({ id, code }) => [keyOf(code), id]))
  const own = lots.filter(({ id }) => isCovered(id)).map(({ id }) => id)
  // No vehicle is offered on a lot that only serves them.
  const selling = lots.filter(({ id, type }) => type !== 'service' && isCovered(id))
  const known = own.includes(remembered ?? '') ? remembered : null
  const presumed = known ?? onlyOne(selling.filter(({ organizationId }) => organizationId === near))
  const fallback = chosen ?? onlyOne(selling) ?? presumed
  return {
    ids: chosen === null ? own : [chosen],
    presumed: chosen !== null || fallback !== presumed ? null : presumed,
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
      const told = chosen ?? known
      if (told !== null) return { lotId: told }
      if (dealer === null) {
        return fallback === null ? { refusal: NO_LOT } : { lotId: fallback }
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

const onlyOne = ([one, ...others]: readonly { id: string }[]): string | null =>
  one === undefined || others.length > 0 ? null : one.id

const keyOf = (dealer: string): string => dealer.trim().toLowerCase()
