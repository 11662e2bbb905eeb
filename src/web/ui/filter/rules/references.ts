import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import type { NameOf } from '#contract/expressions/describe.ts'
import type { Referred } from '#contract/lists/list.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { query } from '#web/api/query.ts'

/** A record to choose: ID and name. */
export type NamedRecord = Readonly<{ value: string; label: string }>

type KnownReference = Readonly<{
  choices: readonly NamedRecord[]
  /** Not all records were loaded: typed text is searched on the server. */
  hasMore: boolean
  isPending: boolean
  /** Why the names couldn't be loaded; null otherwise. */
  failure: string | null
}>

/** The records of one kind, by name. Loads nothing while `kind` is undefined. */
export function useReferences(kind: Referred | undefined, search = ''): KnownReference {
  const ofOrganizations = useQuery({
    ...query(organizations.listAll, {}),
    enabled: kind === 'organizations',
  })
  const ofTypes = useQuery({ ...query(userTypes.forParent, {}), enabled: kind === 'userTypes' })
  const ofLots = useQuery({
    ...query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name', ...(search !== '' && { search }) }),
    enabled: kind === 'lots',
    placeholderData: keepPreviousData,
  })
  const ofInventories = useQuery({
    ...query(carbonInventories.list, {
      pageSize: MAX_PAGE_SIZE,
      sort: 'name',
      ...(search !== '' && { search }),
    }),
    enabled: kind === 'inventories',
    placeholderData: keepPreviousData,
  })
  const [{ data: found }, { data: foundInventories }] = [ofLots, ofInventories]
  const known = {
    organizations: { ...ofOrganizations, hasMore: false },
    userTypes: { ...ofTypes, hasMore: false },
    lots: { ...ofLots, data: found?.results, hasMore: (found?.totalRows ?? 0) > MAX_PAGE_SIZE },
    inventories: {
      ...ofInventories,
      data: foundInventories?.results,
      hasMore: (foundInventories?.totalRows ?? 0) > MAX_PAGE_SIZE,
    },
  }
  if (kind === undefined) return { choices: [], hasMore: false, isPending: false, failure: null }
  const { data = [], hasMore, isPending, error } = known[kind]
  const choices = data.map(({ id, name }) => ({ value: id, label: name }))
  return { choices, hasMore, isPending, failure: error?.message ?? null }
}

/** The IDs whose names are wanted, by kind. */
type IdsByKind = ReadonlyMap<Referred, readonly string[]>

/** Names for chip labels. Loads only the kinds that are used. */
export function useNames(wanted: IdsByKind): NameOf {
  const first = {
    organizations: useReferences(wanted.has('organizations') ? 'organizations' : undefined),
    userTypes: useReferences(wanted.has('userTypes') ? 'userTypes' : undefined),
    lots: useReferences(wanted.has('lots') ? 'lots' : undefined),
    inventories: useReferences(wanted.has('inventories') ? 'inventories' : undefined),
  }
  const rest = useOtherNames(
    new Map([...wanted].map(([kind, ids]) => [kind, first[kind].hasMore ? unlisted(first[kind], ids) : []])),
  )
  return (kind, id) => {
    const { choices, hasMore, isPending, failure } = first[kind]
    const name = choices.find(({ value }) => value === id)?.label ?? rest(kind, id)
    return name ?? (hasMore || isPending || failure !== null ? undefined : UNAVAILABLE[kind])
  }
}

/** What is said of a record that was deleted, or that the reader doesn't reach. */
export const UNAVAILABLE: Readonly<Record<Referred, string>> = {
  organizations: 'Unavailable organization',
  userTypes: 'Unavailable user type',
  lots: 'Unavailable lot',
  inventories: 'Unavailable inventory',
}

/** The IDs that the first page doesn't have. */
export const unlisted = ({ choices }: Pick<KnownReference, 'choices'>, ids: readonly string[]): string[] =>
  ids.filter((id) => choices.every(({ value }) => value !== id))

/** A rule with more IDs shows those beyond as numbers. */
const MOST_OTHERS = 50

/** The names of records that are not on the first page, each loaded by its ID. */
export function useOtherNames(wanted: IdsByKind): NameOf {
  const idsOf = (kind: Referred) => [...new Set(wanted.get(kind))].slice(0, MOST_OTHERS)
  const foundLots = useQueries({ queries: idsOf('lots').map((id) => query(lots.get, { id })) })
  const foundInventories = useQueries({
    queries: idsOf('inventories').map((id) => query(carbonInventories.get, { id })),
  })
  const found = { lots: foundLots, inventories: foundInventories }
  return (kind, id) => {
    if (kind !== 'lots' && kind !== 'inventories') return undefined
    const at = idsOf(kind).indexOf(id)
    const one = found[kind][at]
    return one?.data?.name ?? (one?.error?.status === 404 ? UNAVAILABLE[kind] : undefined)
  }
}
