import { useQuery } from '@tanstack/react-query'
import { auth } from '#contract/identity/auth.ts'
import { query, queryClient } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'

/** Who saved a version, and when. */
export type Change = Readonly<{ updatedAt?: string | null; updatedBy?: string | null }>

/** "You changed this lot just now", for titles of conflicts. `thing`: "this lot". */
export function useConflictTitle(thing: string, change: Change): string {
  const me = useQuery(query(auth.me, {}))
  return titleOf(thing, change, me.data?.fullName)
}

/** The same outside of components. */
export async function readConflictTitle(thing: string, change: Change): Promise<string> {
  const me = await queryClient.ensureQueryData(query(auth.me, {})).catch(() => null)
  return titleOf(thing, change, me?.fullName)
}

function titleOf(thing: string, { updatedBy, updatedAt }: Change, myName: string | undefined): string {
  const isOwn = updatedBy != null && updatedBy === myName
  const who = isOwn ? 'You' : (updatedBy ?? 'Another user')
  return `${who} changed ${thing}${updatedAt ? ` ${formatAgo(updatedAt)}` : ''}`
}
