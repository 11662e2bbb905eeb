import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { OpenCustomer } from '#contract/customers/customers/customers.ts'
import { auth } from '#contract/identity/auth.ts'
import { queryClient, send } from '#web/api/query.ts'
import { HOME } from '#web/session/guard.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const changeOrganization = send(auth.changeOrganization)

/** Switches to the customer's first organization. */
export function SwitchToCustomer({ customer }: { customer: OpenCustomer }) {
  const session = useSessionOwner()
  const { claims } = useSession()
  const router = useRouter()
  const switching = useMutation({
    mutationFn: (organizationId: string) =>
      changeOrganization({ organizationId, token: session.accessToken }),
    onSuccess: async (token) => {
      session.switchOrganization(token)
      queryClient.clear()
      await router.navigate({ to: HOME })
    },
    onError: (failure) => showError(failure),
  })
  const [first] = customer.organizationList
  const isHere = customer.organizationList.some(({ id }) => id === claims?.organizationId)
  if (!first || isHere) return null
  return (
    <Button loading={switching.isPending} onClick={() => switching.mutate(first.id)}>
      Switch to customer
    </Button>
  )
}
