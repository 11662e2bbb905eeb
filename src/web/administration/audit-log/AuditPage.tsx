import { IconHistory } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AUDIT_LIST } from '#contract/administration/audit-list.ts'
import { type AuditEntry, auditLog } from '#contract/administration/audit-log.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { AuditBlock, CELLS, WIDTHS } from './audit-columns.tsx'
import { describeEntry } from './audit-labels.ts'
import './audit.css'

const route = getRouteApi('/shell/administration/audit-log')

const AuditDrawer = lazy(async () => ({ default: (await import('./AuditDrawer.tsx')).AuditDrawer }))

/** Who did what, including impersonation, newest first; one entry opens in a drawer with its own URL. */
export function AuditPage() {
  const search = route.useSearch()
  const { entry } = search
  const { onShow, close } = useListRoute('entry')
  return (
    <>
      <ListPage
        list={AUDIT_LIST}
        endpoint={auditLog.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={describeEntry}
        selectedId={entry}
        searches="User, action, stock number, VIN, price, record ID"
        about={({ total }) => `${count(total, 'entry', 'entries')}. Entries can't be changed or deleted.`}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconHistory size={18} />}
            title="No activity yet"
            text="Every change in this customer, every sign-in and every file that was taken out appears here, with who it was."
          />
        }
      />
      {entry !== undefined && (
        <Suspense>
          <AuditDrawer key={entry} id={entry} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(entry: AuditEntry) {
  return <AuditBlock entry={entry} />
}
