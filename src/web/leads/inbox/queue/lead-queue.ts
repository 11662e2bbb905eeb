import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type Lead, LEAD_LIST, type LeadQueue, leadRule } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { inShownOrder, isOrderOld } from './stable-order.ts'

/** As many as one page of the list can have. */
const MOST = 200

/** How the first page of a queue is asked for. */
export const pageOfQueue = (narrowed: { filter: string; search: string }) => ({
  ...narrowed,
  sort: LEAD_LIST.sort,
  page: 1,
  size: MOST,
})

type QueueQuery = { queue: LeadQueue; search: string; filter: string; person: string; store: string }

/**
 * The leads of a queue, least time left first, page by page. They keep their places while they are shown, so that a lead doesn't move away
 * from the person who works on it, until the user sorts them again or asks for other ones.
 */
export function useLeadQueue({ queue, search, filter, person, store }: QueueQuery) {
  const rule = leadRule({ queue, filter, person, store })
  const { size: pageSize, sort } = pageOfQueue({ filter: rule, search })
  const asked = {
    filter: rule,
    sort,
    pageSize,
    ...(search !== '' && { search }),
  }
  const key = JSON.stringify(asked)
  const [read, setRead] = useState({ key, pages: 1 })
  const pages = read.key === key ? read.pages : 1
  const answers = useQueries({
    queries: Array.from({ length: pages }, (_, at) => ({
      ...live(query(leads.list, { ...asked, page: at + 1 }), 'queue'),
      placeholderData: keepPreviousData,
    })),
  })
  const [shown, setShown] = useState<{ key: string; ids: readonly string[] }>({ key, ids: [] })
  const [first] = answers
  const data = first?.data
  const isStale = first?.isPlaceholderData ?? false
  const now = withoutRepeats(
    answers.flatMap((page) => (page.isPlaceholderData && !isStale ? [] : (page.data?.results ?? []))),
  )
  const isSame = shown.key === key
  const rows = isSame ? inShownOrder(shown.ids, now) : now
  const ids = rows.map(({ id }) => id)
  const isKept = isSame && ids.length === shown.ids.length && ids.every((id, at) => id === shown.ids[at])
  // React repeats the render at once, before anything is shown.
  if (data && !isStale && !isKept) setShown({ key, ids })
  const total = data?.filteredRows ?? 0
  const isReading = answers.some((page) => page.isFetching && page.data === undefined)
  const failed = answers.find(({ error }) => error !== null)
  return {
    rows,
    total,
    rule,
    isStale,
    isPending: first?.isPending ?? true,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    /** Reads the next page; null if there is none, or it is being read. */
    more:
      data === undefined || isStale || isReading || pages * MOST >= total
        ? null
        : () => setRead({ key, pages: pages + 1 }),
    isReading: isReading && pages > 1,
    /** Sorts again by the time left; null if they are. */
    sort: isOrderOld(rows, now) ? () => setShown({ key, ids: now.map(({ id }) => id) }) : null,
  }
}

/** A lead that came to another page between two answers is on both. */
function withoutRepeats(rows: readonly Lead[]): Lead[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
