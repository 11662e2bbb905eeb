import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Lead, type LeadQueue, leadRule } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { inShownOrder, isOrderOld } from './stable-order.ts'

/** As many as one page of the list can have. */
const MOST = 200

type QueueQuery = { queue: LeadQueue; search: string; filter: string; person: string }

/**
 * The leads of a queue, least time left first. They keep their places while they are shown, so that a lead doesn't move away
 * from the person who works on it, until the user sorts them again or asks for other ones.
 */
export function useLeadQueue({ queue, search, filter, person }: QueueQuery) {
  const asked = {
    filter: leadRule({ queue, filter, person }),
    pageSize: MOST,
    ...(search !== '' && { search }),
  }
  const answer = useQuery({
    ...live(query(leads.list, asked), 'queue'),
    placeholderData: keepPreviousData,
  })
  const key = JSON.stringify(asked)
  const [shown, setShown] = useState<{ key: string; ids: readonly string[] }>({ key, ids: [] })
  const { data, isPlaceholderData, isPending, error, refetch } = answer
  const now: readonly Lead[] = data?.results ?? []
  const isSame = shown.key === key
  const rows = isSame ? inShownOrder(shown.ids, now) : now
  const ids = rows.map(({ id }) => id)
  const isKept = isSame && ids.length === shown.ids.length && ids.every((id, at) => id === shown.ids[at])
  // React repeats the render at once, before anything is shown.
  if (data && !isPlaceholderData && !isKept) setShown({ key, ids })
  return {
    rows,
    total: data?.filteredRows ?? 0,
    isStale: isPlaceholderData,
    isPending,
    error,
    retry: () => void refetch(),
    /** Sorts again by the time left; null if they are. */
    sort: isOrderOld(rows, now) ? () => setShown({ key, ids: now.map(({ id }) => id) }) : null,
  }
}
