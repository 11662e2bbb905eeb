import { useQuery } from '@tanstack/react-query'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'

/**
 * Whether the caller is the platform's staff in somebody else's customer: their own user type is then none of those
 * kept there. Nobody in a customer can be granted what is the platform's. True until it is known.
 */
export function useIsOtherCustomer(): boolean {
  const { claims } = useSession()
  const { data } = useQuery(query(userTypes.forParent, {}))
  return data?.some(({ id }) => id === claims?.impersonateUserTypeId) !== true
}
