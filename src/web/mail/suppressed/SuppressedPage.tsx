import { IconMailOff } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { SUPPRESSION_LIST } from '#contract/mail/suppressed/suppression-list.ts'
import { type SuppressedAddress, suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import '../mail.css'

const route = getRouteApi('/shell/administration/suppressed-addresses')
const removeAddress = send(suppressions.remove)

const REASONS: Record<SuppressedAddress['reason'], string> = {
  bounced: 'Hard bounce',
  complained: 'Marked as spam',
}

const CELLS: Cells<SuppressedAddress, keyof typeof SUPPRESSION_LIST.fields> = {
  email: (row) => (
    <span className="fc-suppressed">
      <bdi className="fc-cut" title={row.email}>
        {row.email}
      </bdi>
      <RemoveButton row={row} />
    </span>
  ),
}
const WIDTHS = { email: 360, detail: 360 }

/** Addresses that no longer receive the customer's emails, each with a button to remove it. */
export function SuppressedPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  return (
    <ListPage
      list={SUPPRESSION_LIST}
      endpoint={suppressions.list}
      search={search}
      onShow={onShow}
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.email}
      searches="Address, details"
      about={({ total }) => `${count(total, 'suppressed address', 'suppressed addresses')}.`}
      empty={
        <EmptyState
          tone="brand"
          icon={<IconMailOff size={18} />}
          title="No suppressed addresses"
          text="Addresses are added here after a hard bounce or a spam complaint."
        />
      }
    />
  )
}

function RemoveButton({ row }: { row: SuppressedAddress }) {
  const removing = useMutation({
    mutationFn: removeAddress,
    onSuccess: () => toast('Address removed', row.email),
    onError: (failure) => showError(failure),
  })
  async function confirm() {
    const isSure = await ask({
      title: `Send to ${row.email} again?`,
      text: 'Repeated bounces hurt delivery of all your emails. Your provider may keep its own suppression list.',
      confirm: 'Remove from list',
    })
    if (isSure) removing.mutate({ id: row.id })
  }
  return (
    <Action
      for={suppressions.remove}
      variant="subtle"
      size="compact-sm"
      aria-label={`Remove ${row.email}`}
      loading={removing.isPending}
      onClick={() => void confirm()}
    >
      Remove
    </Action>
  )
}

function showBlock(row: SuppressedAddress) {
  return (
    <>
      <div className="fc-block-head">
        <bdi>{row.email}</bdi>
        <span className="fc-small fc-soft fc-number">{formatDay(row.createdAt)}</span>
      </div>
      <div className="fc-small fc-faint">
        {REASONS[row.reason]} <bdi>{row.detail}</bdi>
      </div>
      <div>
        <RemoveButton row={row} />
      </div>
    </>
  )
}
