import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Shows a customer as the server just answered it, wherever it is open. */
export function setCustomerInCache(customer: OpenCustomer): void {
  queryClient.setQueryData([...keyOf(customers.get), { id: customer.id }], customer)
}

/** The same, and the lists are asked again. */
export async function keepChanged(customer: OpenCustomer): Promise<void> {
  setCustomerInCache(customer)
  await queryClient.invalidateQueries({ queryKey: keyOf(customers.list) })
}
