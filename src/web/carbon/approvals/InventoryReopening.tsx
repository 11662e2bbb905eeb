import { useQuery } from '@tanstack/react-query'
import { inventoryReopenings, type Reopening } from '#contract/carbon/approvals/reopenings.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen, STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { live } from '#web/api/live.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useOpening } from '#web/ui/reopening/use-opening.tsx'
import { ReopeningNotice } from '#web/ui/reopening/ReopeningNotice.tsx'

const CALLS = {
  request: send(inventoryReopenings.request),
  confirm: send(inventoryReopenings.confirm),
  decline: send(inventoryReopenings.decline),
  withdraw: send(inventoryReopenings.withdraw),
}

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

/** What two people do to unlock or reopen an inventory. */
export function useReopening({ id, name, version }: Inventory) {
  const opening = useOpening({
    id,
    name,
    endpoints: inventoryReopenings,
    calls: CALLS,
    stale: [carbonInventories.get, inventoryReopenings.list],
    onOpened: (opened) => toast(STATUS_NAMES[opened.status], opened.name),
  })
  const former = ({ formerStatus }: Reopening) => STATUS_NAMES[formerStatus].toLowerCase()
  return {
    request: (status: Reopening['status']) =>
      opening.request(verbOf({ status }).toLowerCase(), (reason) => ({
        inventory: id,
        status,
        reason,
        version,
      })),
    confirm: (one: Reopening) =>
      opening.confirm(
        one,
        verbOf(one),
        one.status === 'approved' ? 'can be reopened then' : 'can be changed then',
      ),
    decline: (one: Reopening) => opening.decline(one, former(one)),
    withdraw: (one: Reopening) => opening.withdraw(one, former(one)),
  }
}

/** The open request to unlock or reopen an inventory. Nothing without one. */
export function InventoryReopening({ inventory }: { inventory: Inventory }) {
  const reopening = useOpenReopening(inventory)
  const { confirm, decline, withdraw } = useReopening(inventory)
  if (reopening === null) return null
  return (
    <ReopeningNotice
      reopening={reopening}
      verb={verbOf(reopening)}
      name={inventory.name}
      endpoints={inventoryReopenings}
      onConfirm={() => void confirm(reopening)}
      onDecline={() => void decline(reopening)}
      onWithdraw={() => void withdraw(reopening)}
    />
  )
}
