import { NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lotsByDealerId } from '#server/customers/index.ts'
import type { Member } from '#server/http/actor.ts'

export type LotAssignment = {
  /** The IDs of the run's lots. */
  ids: readonly string[]
  /** The lot assumed for rows without one. It is shown and can be changed. */
  presumed: string | null
  /** The lot of a row, from its dealer ID (`isNamed`) or as chosen; a message if it isn't one of the run's lots. */
  find: (dealer: string | null) => { lotId: string; isNamed?: true } | { refusal: string }
  /** The name of one of the user's lots. */
  nameOf: (id: string) => string
}

/**
 * Assigns the rows of a run to lots: by their dealer ID or lot code, else to the chosen lot, else to the only possible lot.
 * @param chosen the lot a user chose for the rows of the file that name none, or none that is known.
 * @param remembered the lot chosen for the last file like it, used for rows without a known dealer ID.
 * @param near the user's organization: if it has a single lot, that one is assumed.
 * @param covered the lots of the source; empty: all accessible lots.
 * @param isOwnExport the product exported the file: its rows may be for any lot, whatever lot was chosen.
 */
export async function loadLotAssignment(
  db: Database,
  actor: Pick<Member, 'reach'>,
  {
    chosen,
    remembered = null,
    near = null,
    covered,
    isOwnExport = false,
  }: {
    chosen: string | null
    remembered?: string | null
    near?: string | null
    covered: readonly string[]
    isOwnExport?: boolean
  },
): Promise<LotAssignment> {
  const lots = await db
    .selectFrom('lots')
    .select(['id', 'code', 'name', 'type', 'organizationId'])
    .orderBy('id')
    .execute()
  const isCovered = (id: string): boolean => covered.length === 0 || covered.includes(id)
  const byDealerId = await lotsByDealerId(db)
  const byCode = new Map(lots.map(({ id, code }) => [keyOf(code), id]))
  const byName = Map.groupBy(lots, ({ name }) => keyOf(name))
  const named = (dealer: string): string | undefined => {
    const [one, ...others] = byName.get(keyOf(dealer)) ?? []
    return (
      byDealerId(dealer)?.lotId ?? byCode.get(keyOf(dealer)) ?? (others.length === 0 ? one?.id : undefined)
    )
  }
  const own = lots.filter(({ id }) => isCovered(id)).map(({ id }) => id)
  // Service lots have no vehicles for sale.
  const selling = lots.filter(({ id, type }) => type !== 'service' && isCovered(id))
  const known = own.includes(remembered ?? '') ? remembered : null
  const presumed = known ?? onlyOne(selling.filter(({ organizationId }) => organizationId === near))
  const fallback = chosen ?? onlyOne(selling) ?? presumed
  return {
    ids: chosen === null || isOwnExport ? own : [chosen],
    nameOf: (id) => lots.find((lot) => lot.id === id)?.name ?? 'another lot',
    presumed: chosen !== null || fallback !== presumed ? null : presumed,
    find(dealer) {
      const found = dealer === null ? undefined : named(dealer)
      if (found !== undefined) {
        return isCovered(found)
          ? { lotId: found, isNamed: true }
          : { refusal: `The lot of dealer ID ${dealer} isn't covered by this feed source.` }
      }
      const assigned = chosen ?? known
      if (assigned !== null) return { lotId: assigned }
      if (dealer === null) {
        return fallback === null ? { refusal: NO_LOT } : { lotId: fallback }
      }
      return {
        refusal:
          actor.reach === 'customer'
            ? `Dealer ID ${dealer} isn't linked to a lot.`
            : `Dealer ID ${dealer} isn't one of your lots.`,
      }
    },
  }
}

const onlyOne = ([one, ...others]: readonly { id: string }[]): string | null =>
  one === undefined || others.length > 0 ? null : one.id

const keyOf = (dealer: string): string => dealer.trim().toLowerCase()
