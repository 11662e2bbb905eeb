import { IconMailOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SUPPRESSION_LIST } from '#contract/mail/suppressed/suppression-list.ts'
import { type SuppressedAddress, suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
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
const takeOff = send(suppressions.remove)

const REASONS: Record<SuppressedAddress['reason'], string> = {
  bounced: 'Bounced for good',
  complained: 'Called spam',
}

const CELLS: Cells<SuppressedAddress, keyof typeof SUPPRESSION_LIST.fields> = {
  email: (row) => (
    <span className="fc-suppressed">
      <bdi className="fc-cut" title={row.email}>
        {row.email}
      </bdi>
      <TakeOff row={row} />
    </span>
  ),
}
const WIDTHS = { email: 360, detail: 360 }

/** The addresses that the customer's mails are not sent to any more, and the way back for each. */
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
      searches="Address, what was said"
      about={({ total }) => `${count(total, 'address', 'addresses')} that nothing is sent to.`}
      empty={
        <EmptyState
          tone="brand"
          icon={<IconMailOff size={18} />}
          title="No suppressed addresses"
          text="An address comes here when a mail to it bounced for good, or its reader called one spam."
        />
      }
    />
  )
}

function TakeOff({ row }: { row: SuppressedAddress }) {
  const taking = useMutation({
    mutationFn: takeOff,
    onSuccess: async () => {
      toast('Address taken off', row.email)
      await queryClient.invalidateQueries({ queryKey: keyOf(suppressions.list) })
    },
    onError: (failure) => showError(failure),
  })
  async function confirm() {
    const isSure = await ask({
      title: `Send to ${row.email} again?`,
      text: 'Mails that bounce again and again make others bounce, too. A provider may have a list of its own.',
      confirm: 'Take off the list',
    })
    if (isSure) taking.mutate({ id: row.id })
  }
  return (
    <Action
      for={suppressions.remove}
      variant="subtle"
      size="compact-sm"
      aria-label={`Take off ${row.email}`}
      loading={taking.isPending}
      onClick={() => void confirm()}
    >
      Take off
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
        <TakeOff row={row} />
      </div>
    </>
  )
}
