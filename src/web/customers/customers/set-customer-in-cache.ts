import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Stores the server's response in the query cache. */
export function setCustomerInCache(customer: OpenCustomer): void {
  queryClient.setQueryData([...keyOf(customers.get), { id: customer.id }], customer)
}

/** Stores the server's response and reloads the lists. */
export async function updateCustomerInCache(customer: OpenCustomer): Promise<void> {
  setCustomerInCache(customer)
  await queryClient.invalidateQueries({ queryKey: keyOf(customers.list) })
}
