import { useMutation, useQuery } from '@tanstack/react-query'
import { inventoryReopenings, type Reopening } from '#contract/carbon/approvals/reopenings.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen, STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { live } from '#web/api/live.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { ReasonForm } from '#web/ui/form/ReasonForm.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'

const requestReopening = send(inventoryReopenings.request)
const confirmReopening = send(inventoryReopenings.confirm)
const declineReopening = send(inventoryReopenings.decline)
const withdrawReopening = send(inventoryReopenings.withdraw)

/** "Unlock", or "Reopen". */
export const verbOf = ({ status }: Pick<Reopening, 'status'>): string =>
  status === 'approved' ? 'Unlock' : 'Reopen'

/** The request to unlock or reopen an inventory that waits for a decision; null if there is none. */
export function useOpenReopening({ id, status, twoPersonApproval }: Inventory): Reopening | null {
  const holds = useHolds()
  const mayRead = permissionsFor(inventoryReopenings.list.allow).some((one) => holds(one) === true)
  const { data } = useQuery({
    ...live(query(inventoryReopenings.list, { inventory: id }), {
      while: (all) => all?.some(({ decision }) => decision === null) === true,
    }),
    enabled: mayRead && twoPersonApproval && isFrozen(status),
  })
  return data?.find(({ decision, formerStatus }) => decision === null && formerStatus === status) ?? null
}

const askForReason = (title: string, text: string) =>
  askFor<string>(title, (answer) => (
    <ReasonForm max={500} missing="Enter a reason." text={text} confirm={title} onAnswer={answer} />
  ))

/** What two people do to unlock or reopen an inventory. A rejected call is shown, and the inventory is read again. */
export function useReopening({ id, name, version }: Inventory) {
  const onError = (failure: Parameters<typeof showError>[0]) => {
    showError(failure)
    const stale = [carbonInventories.get, inventoryReopenings.list]
    for (const endpoint of stale) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })
  }
  const requesting = useMutation({
    mutationFn: requestReopening,
    onError,
    onSuccess: () => toast('Request sent', name),
  })
  const confirming = useMutation({
    mutationFn: confirmReopening,
    onError,
    onSuccess: (kept) => toast(STATUS_NAMES[kept.status], kept.name),
  })
  const declining = useMutation({
    mutationFn: declineReopening,
    onError,
    onSuccess: () => toast('Request declined', name),
  })
  const withdrawing = useMutation({
    mutationFn: withdrawReopening,
    onError,
    onSuccess: () => toast('Request withdrawn', name),
  })

  async function request(status: Reopening['status']) {
    const verb = verbOf({ status })
    const text = `Two people approved ${name}, so a second person must confirm this. They see your reason. What was approved stays stored.`
    const reason = await askForReason(`Request to ${verb.toLowerCase()}`, text)
    if (reason !== null) requesting.mutate({ inventory: id, status, reason, version })
  }

  async function confirm(reopening: Reopening) {
    const what = reopening.status === 'approved' ? 'can be reopened then' : 'can be changed then'
    const text = `${reopening.requestedBy ?? 'Someone'} asks for it: ${reopening.reason} ${name} ${what}. What was approved stays stored. Your reason is saved as well.`
    const reason = await askForReason(verbOf(reopening), text)
    if (reason !== null) confirming.mutate({ id: reopening.id, reason })
  }

  async function decline(reopening: Reopening) {
    const text = `${name} stays ${STATUS_NAMES[reopening.formerStatus].toLowerCase()}. ${reopening.requestedBy ?? 'The requester'} sees the reason.`
    const reason = await askForReason('Decline request', text)
    if (reason !== null) declining.mutate({ id: reopening.id, reason })
  }

  async function withdraw(reopening: Reopening) {
    const isSure = await ask({
      title: 'Withdraw request?',
      text: `${name} stays ${STATUS_NAMES[reopening.formerStatus].toLowerCase()}.`,
      confirm: 'Withdraw request',
    })
    if (isSure) withdrawing.mutate({ id: reopening.id })
  }

  return {
    request,
    confirm,
    decline,
    withdraw,
    isRequesting: requesting.isPending,
    isConfirming: confirming.isPending,
  }
}
