import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Customer, customers, OpenCustomer } from '#contract/customers/customers/customers.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { keepChanged } from './set-customer-in-cache.ts'
import { StatusDialog } from './StatusDialog.tsx'
import { SwitchToCustomer } from './SwitchToCustomer.tsx'

const setStatus = send(customers.setStatus)

const DONE: Record<Customer['status'], string> = {
  active: 'is open again',
  suspended: 'is suspended',
  closed: 'is closed',
}

/** What platform staff do with a customer: work in it, stop it, let it go on. */
export function CustomerFooter({ customer }: { customer: OpenCustomer }) {
  const { id, name, status, statusReason, version, isPlatform } = customer
  const [asked, setAsked] = useState<'suspended' | 'closed' | null>(null)

  async function change(next: Customer['status'], reason: string | null) {
    const changed = await setStatus({ id, version, status: next, reason })
    setAsked(null)
    await keepChanged(changed)
    offerUndo({
      text: `${name} ${DONE[next]}`,
      undo: async () =>
        keepChanged(
          await setStatus({
            id,
            version: changed.version,
            status,
            reason: status === 'active' ? null : statusReason,
          }),
        ),
    })
  }

  const changing = useMutation({
    mutationFn: ({ next, reason }: { next: Customer['status']; reason: string | null }) =>
      change(next, reason),
    onError: (failure) => {
      const current = OpenCustomer.safeParse(failure.current)
      if (failure.status !== 409 || !current.success) return showError(failure)
      setAsked(null)
      void keepChanged(current.data)
      return showError(failure, 'Somebody was faster')
    },
  })

  return (
    <div className="fc-form-footer">
      {!isPlatform && status !== 'closed' && (
        <Action
          for={customers.setStatus}
          variant="subtle"
          className="fc-quiet-danger"
          onClick={() => setAsked('closed')}
        >
          Close customer
        </Action>
      )}
      <span className="fc-grow" />
      {!isPlatform && status === 'active' && (
        <Action for={customers.setStatus} variant="default" onClick={() => setAsked('suspended')}>
          Suspend
        </Action>
      )}
      {!isPlatform && status !== 'active' && (
        <Action
          for={customers.setStatus}
          variant="default"
          loading={changing.isPending}
          onClick={() => changing.mutate({ next: 'active', reason: null })}
        >
          Reopen
        </Action>
      )}
      <SwitchToCustomer customer={customer} />
      {asked && (
        <StatusDialog
          name={name}
          next={asked}
          isBusy={changing.isPending}
          onClose={() => setAsked(null)}
          onDecided={(reason) => changing.mutate({ next: asked, reason })}
        />
      )}
    </div>
  )
}
