import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import { type EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { query } from '#web/api/query.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import { CELLS, showBlock, WIDTHS } from './handler-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '../mail.css'

const HandlerDrawer = lazy(async () => ({ default: (await import('./HandlerDrawer.tsx')).HandlerDrawer }))

/** The customer's email handlers; one opens in a drawer with its own URL. */
export function HandlersPage() {
  return (
    <RecordList
      list={HANDLER_LIST}
      calls={emailHandlers}
      param="handler"
      Drawer={HandlerDrawer}
      short="handler"
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      searches="Name, address, server"
      note={noteDefault}
      icon={<IconSend size={18} />}
      purpose="A handler sends your emails through Postmark or your own SMTP server. Without one, the installation's mail server sends them, if it has one."
    />
  )
}

const noteDefault = (handlers: readonly EmailHandler[]) => (
  <DefaultNote handler={handlers.find(({ isDefault }) => isDefault) ?? null} />
)

function DefaultNote({ handler }: { handler: EmailHandler | null }) {
  const enabled = useMayCall(emailHandlers.effect)
  const { data } = useQuery({ ...query(emailHandlers.effect, {}), enabled })
  return (
    <p className="fc-hint">
      {data !== undefined && <bdi>{describeSending(handler, data.isSending)}</bdi>}{' '}
      <Link to="/administration/suppressed-addresses">Suppressed addresses</Link>
    </p>
  )
}

function describeSending(handler: EmailHandler | null, isSending: boolean): string {
  if (handler !== null) {
    return isSending ? `${handler.name} sends all emails.` : `${handler.name} keeps all emails in the outbox.`
  }
  return isSending
    ? "No default handler. The installation's mail server sends emails."
    : 'No default handler, and no mail server is set up. Emails stay in the outbox.'
}
