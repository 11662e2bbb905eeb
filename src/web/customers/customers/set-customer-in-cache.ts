import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Stores the server's response in the query cache. */
export function setCustomerInCache(customer: OpenCustomer): void {
  queryClient.setQueryData([...keyOf(customers.get), { id: customer.id }], customer)
}

/** Shows a customer that someone else changed, and reloads the lists. */
export async function showChangedCustomer(customer: OpenCustomer): Promise<void> {
  setCustomerInCache(customer)
  await queryClient.invalidateQueries({ queryKey: keyOf(customers.list) })
}
