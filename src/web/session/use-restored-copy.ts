import { useQuery } from '@tanstack/react-query'
import { auth } from '#contract/identity/auth.ts'
import { live } from '#web/api/live.ts'
import { query, queryClient } from '#web/api/query.ts'

/** How soon others see that a copy was declared the real installation, in milliseconds. */
const LOOK_MS = 30_000

/** Whether this installation is a restored copy, which sends and fetches nothing. False until it is known. */
export function useRestoredCopy(): boolean {
  const me = live(query(auth.me, {}), { ms: LOOK_MS, while: (data) => data?.isRestoredCopy === true })
  return useQuery(me, queryClient).data?.isRestoredCopy === true
}
