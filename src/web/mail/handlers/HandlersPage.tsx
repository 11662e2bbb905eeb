import { IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import { type EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import { CELLS, showBlock, WIDTHS } from './handler-columns.tsx'
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
      purpose="A handler sends your emails through Postmark or your own SMTP server. Without one, the installation's mail server sends them."
    />
  )
}

function noteDefault(handlers: readonly EmailHandler[]) {
  const hasDefault = handlers.some(({ isDefault }) => isDefault)
  return (
    <p className="fc-hint">
      <bdi>
        {hasDefault
          ? 'The default handler sends all emails.'
          : "No default handler. The installation's mail server sends emails."}
      </bdi>{' '}
      <Link to="/administration/suppressed-addresses">Suppressed addresses</Link>
    </p>
  )
}
