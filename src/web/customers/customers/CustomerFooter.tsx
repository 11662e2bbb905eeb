import { useState } from 'react'
import { type Customer, customers, OpenCustomer } from '#contract/customers/customers/customers.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send, queryClient } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { setCustomerInCache, showChangedCustomer } from './set-customer-in-cache.ts'
import { StatusDialog } from './StatusDialog.tsx'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { auth } from '#contract/identity/auth.ts'
import { HOME } from '#web/session/guard.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'

const setStatus = send(customers.setStatus)

const DONE: Record<Customer['status'], string> = {
  active: 'was reopened',
  suspended: 'was suspended',
  closed: 'was closed',
}

/** Actions for platform staff: switch to, suspend, close or reopen the customer. */
export function CustomerFooter({ customer }: { customer: OpenCustomer }) {
  const { id, name, status, statusReason, version, isPlatform } = customer
  const [pendingStatus, setPendingStatus] = useState<'suspended' | 'closed' | null>(null)

  async function change(next: Customer['status'], reason: string | null) {
    const changed = await setStatus({ id, version, status: next, reason })
    setCustomerInCache(changed)
    offerUndo({
      text: `${name} ${DONE[next]}`,
      undo: async () =>
        setCustomerInCache(
          await setStatus({
            id,
            version: changed.version,
            status,
            reason: status === 'active' ? null : statusReason,
          }),
        ),
    })
    return changed
  }

  /** Whether someone else changed the customer, which is shown then. */
  function showChange(failure: CallFailure): boolean {
    const current = OpenCustomer.safeParse(failure.current)
    if (failure.status !== 409 || !current.success) return false
    setPendingStatus(null)
    void showChangedCustomer(current.data)
    showError(failure, 'Changed by someone else')
    return true
  }
  const reopening = useMutation({
    mutationFn: () => change('active', null),
    onError: (failure) => showChange(failure) || showError(failure),
  })

  return (
    <div className="fc-form-footer">
      {!isPlatform && status !== 'closed' && (
        <Action
          for={customers.setStatus}
          variant="subtle"
          className="fc-quiet-danger"
          onClick={() => setPendingStatus('closed')}
        >
          Close customer
        </Action>
      )}
      <span className="fc-grow" />
      {!isPlatform && status === 'active' && (
        <Action for={customers.setStatus} variant="default" onClick={() => setPendingStatus('suspended')}>
          Suspend
        </Action>
      )}
      {!isPlatform && status !== 'active' && (
        <Action
          for={customers.setStatus}
          variant="default"
          loading={reopening.isPending}
          onClick={() => reopening.mutate()}
        >
          Reopen
        </Action>
      )}
      <SwitchToCustomer customer={customer} />
      {pendingStatus && (
        <StatusDialog
          id={id}
          name={name}
          next={pendingStatus}
          send={(reason) => change(pendingStatus, reason)}
          onRefused={showChange}
          onClose={() => setPendingStatus(null)}
        />
      )}
    </div>
  )
}

const changeOrganization = send(auth.changeOrganization)

/** Switches to the customer's first organization. */
function SwitchToCustomer({ customer }: { customer: OpenCustomer }) {
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
