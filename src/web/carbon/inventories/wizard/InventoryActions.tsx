import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { IconCopy, IconHistory, IconPencilCheck, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import {
  type InventoryStatus,
  STATUS_NAMES,
  STATUS_STEPS,
} from '#contract/carbon/inventories/inventory-schema.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { ApproveForm } from './ApproveForm.tsx'
import { CopyForm } from './CopyForm.tsx'
import { reloadInventory, setInventoryInCache } from './invalidate-inventories.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { useOpenReopening, useReopening } from '../../approvals/InventoryReopening.tsx'
import { StatusHistory } from './StatusHistory.tsx'
import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'

const setStatus = send(carbonInventories.setStatus)
const restate = send(carbonInventories.restate)
const remove = send(carbonInventories.remove)
type Question = {
  title: string
  text: string
  endpoint: Endpoint
  send: (reason: string) => Promise<Inventory>
}
const ICON = { size: 16, 'aria-hidden': true } as const

const askReason = (id: string, { title, ...question }: Question) =>
  askFor<Inventory>(title, (answer) => (
    <ReasonForm
      {...question}
      max={500}
      missing="Enter a reason."
      confirm={title}
      about={`${id} ${title}`}
      onRefused={() => void reloadInventory()}
      onAnswer={answer}
    />
  ))

/** What the buttons do, with their questions. A rejected call is shown, and the inventory is read again. */
function useInventoryActions(inventory: Inventory) {
  const { id, name, status, version } = inventory
  const navigate = useNavigate()
  const onError = (failure: Parameters<typeof showError>[0]) => {
    showError(failure)
    void reloadInventory()
  }
  const onStep = (kept: Inventory) => {
    toast(STATUS_NAMES[kept.status], kept.name)
    setInventoryInCache(kept)
  }
  const step = useMutation({ mutationFn: setStatus, onError, onSuccess: onStep })
  const open = (inventoryId: string) =>
    navigate({ to: '/carbon/start', search: { inventory: inventoryId }, ignoreBlocker: true })

  const askForReason = (question: Question) => askReason(id, question)
  async function goTo(to: InventoryStatus, title: string, needsReason: boolean) {
    if (!(await mayLeave())) return
    if (status === 'in_review' && to === 'approved') return approve()
    if (!needsReason) return step.mutate({ id, status: to, reason: null, version })
    const stepped = await askForReason({
      title,
      text: `The status of ${name} changes to ${STATUS_NAMES[to].toLowerCase()}. The reason is saved with it.`,
      endpoint: carbonInventories.setStatus,
      send: (reason) => setStatus({ id, status: to, reason, version }),
    })
    if (stepped !== null) onStep(stepped)
  }

  const showHistory = () => showNotice(`History of ${name}`, <StatusHistory inventoryId={id} />)

  async function approve() {
    const approved = await askFor<Inventory>(`Approve ${name}`, (answer) => (
      <ApproveForm
        inventoryId={id}
        name={name}
        send={(approval) => setStatus({ id, status: 'approved', version, ...approval })}
        onRefused={() => void reloadInventory()}
        onAnswer={answer}
      />
    ))
    if (approved !== null) onStep(approved)
  }

  async function copy() {
    if (!(await mayLeave())) return
    const added = await askFor<Inventory>('Copy for next year', (answer) => (
      <CopyForm inventory={inventory} onAnswer={answer} />
    ))
    if (added === null) return
    toast('Inventory copied', added.name)
    await open(added.id)
  }

  async function restateIt() {
    const restated = await askForReason({
      title: 'Restate',
      text: `This adds a corrected inventory for the same period. ${name} keeps its figures.`,
      endpoint: carbonInventories.restate,
      send: (reason) => restate({ id, reason, version }),
    })
    if (restated === null) return
    toast('Restatement added', restated.name)
    await open(restated.id)
  }

  async function drop() {
    const done = await askToRemove({
      read: carbonInventories.get,
      shown: inventory,
      thing: 'this inventory',
      question: {
        title: `Delete ${name}?`,
        text: "This also deletes its settings, facility choices and assignments. This can't be undone.",
        confirm: 'Delete inventory',
      },
      run: (current) => remove({ id, version: current.version }),
      onRefused: onError,
    })
    if (done === null) return
    if (done !== 'gone') toast('Inventory deleted', name)
    await navigate({ to: '/carbon', ignoreBlocker: true })
  }

  return { goTo, showHistory, copy, restateIt, drop, isChanging: step.isPending }
}

/** The actions on a whole inventory: change its status, copy it for next year, restate or delete it. */
export function InventoryActions({ inventory }: { inventory: Inventory }) {
  const { status } = inventory
  const { goTo, showHistory, copy, restateIt, drop, isChanging } = useInventoryActions(inventory)
  const [next, ...others] = STATUS_STEPS[status]
  return (
    <div className="fc-row fc-carbon-actions">
      {status === 'draft' && (
        <Action
          for={carbonInventories.remove}
          lock={
            inventory.approvals > 0
              ? "It was approved before, so it can't be deleted. What was approved stays stored."
              : null
          }
          variant="subtle"
          color="gray"
          onClick={() => void drop()}
          leftSection={<IconTrash {...ICON} />}
        >
          Delete
        </Action>
      )}
      <Action
        for={inventoryApproval.history}
        variant="subtle"
        color="gray"
        onClick={showHistory}
        leftSection={<IconHistory {...ICON} />}
      >
        History
      </Action>
      <Action
        for={carbonInventories.copy}
        variant="default"
        onClick={() => void copy()}
        leftSection={<IconCopy {...ICON} />}
      >
        Copy for next year
      </Action>
      {status === 'locked' && (
        <Action
          for={carbonInventories.restate}
          variant="default"
          onClick={() => void restateIt()}
          leftSection={<IconPencilCheck {...ICON} />}
        >
          Restate
        </Action>
      )}
      {others.map((one) => (
        <StatusStep
          key={one.to}
          inventory={inventory}
          step={one}
          variant="default"
          isChanging={false}
          goTo={goTo}
        />
      ))}
      {next && (
        <StatusStep
          inventory={inventory}
          step={next}
          // A locked inventory has been reported, so unlocking it isn't offered as the main action.
          variant={status === 'locked' ? 'default' : 'filled'}
          isChanging={isChanging}
          goTo={goTo}
        />
      )}
    </div>
  )
}

type StepProps = {
  inventory: Inventory
  step: (typeof STATUS_STEPS)[InventoryStatus][number]
  variant: 'default' | 'filled'
  isChanging: boolean
  goTo: (to: InventoryStatus, title: string, needsReason: boolean) => Promise<void>
}

/** A change of the status, or the request for it: what two people approved is unlocked and reopened by two people. */
function StatusStep({ inventory, step: { to, title, needsReason }, variant, isChanging, goTo }: StepProps) {
  const open = useOpenReopening(inventory)
  const { request } = useReopening(inventory)
  const { status, twoPersonApproval } = inventory
  if (twoPersonApproval && (status === 'locked' || (status === 'approved' && to === 'collecting'))) {
    const wanted = status === 'locked' ? 'approved' : 'collecting'
    return (
      <Action
        for={inventoryReopenings.request}
        variant="default"
        lock={open === null ? null : 'Someone has already asked for this. Confirm or decline the request.'}
        onClick={() => void request(wanted)}
      >
        Request to {title.toLowerCase()}
      </Action>
    )
  }
  return (
    <Action
      for={carbonInventories.setStatus}
      variant={variant}
      loading={isChanging}
      onClick={() => void goTo(to, title, needsReason === true)}
    >
      {title}
    </Action>
  )
}
