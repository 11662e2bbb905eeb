import { useQuery } from '@tanstack/react-query'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'

/**
 * Whether the caller is platform staff working in a customer. Their own user type isn't one of that
 * customer's types, and platform permissions can't be granted there. True until known.
 */
export function useIsOtherCustomer(): boolean {
  const { claims } = useSession()
  const { data } = useQuery(query(userTypes.forParent, {}))
  return data?.some(({ id }) => id === claims?.impersonateUserTypeId) !== true
}
