import { IconMail } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { MAIL_LIST } from '#contract/mail/outbox/mail-list.ts'
import { type Mail, outbox } from '#contract/mail/outbox/outbox.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { CELLS, MailBlock, WIDTHS } from './mail-columns.tsx'
import { NOT_SENT_HELP } from './mail-labels.ts'
import '#web/ui/feedback/notice.css'
import '../mail.css'

const route = getRouteApi('/shell/administration/outbox')

const MailDrawer = lazy(async () => ({ default: (await import('./MailDrawer.tsx')).MailDrawer }))

/** The customer's emails, newest first; one opens in a drawer with its own URL. */
export function OutboxPage() {
  const search = route.useSearch()
  const { mail } = search
  const { onShow, close } = useListRoute('mail')
  return (
    <>
      <ListPage
        list={MAIL_LIST}
        endpoint={outbox.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.subject}
        selectedId={mail}
        searches="Recipient, subject"
        about={({ total }) => `${count(total, 'email', 'emails')} for this customer.`}
        note={noteUndelivered}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconMail size={18} />}
            title="No emails yet"
            text="Emails that Forecourt sends for this customer appear here: invitations, password links and sign-in codes."
          />
        }
      />
      {mail !== undefined && (
        <Suspense>
          <MailDrawer key={mail} id={mail} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(mail: Mail) {
  return <MailBlock mail={mail} />
}

/** Why emails aren't sent, if any aren't. */
function noteUndelivered(mails: readonly Mail[]) {
  if (!mails.some(({ state, error }) => state === 'kept' && error === null)) return null
  return (
    <p className="fc-note">
      <bdi>{NOT_SENT_HELP}</bdi>
    </p>
  )
}
