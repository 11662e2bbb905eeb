import { IconPlus, IconSend } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import { type EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, HandlerBlock, WIDTHS } from './handler-columns.tsx'
import '../mail.css'

const route = getRouteApi('/shell/administration/email-handlers')

const HandlerDrawer = lazy(async () => ({ default: (await import('./HandlerDrawer.tsx')).HandlerDrawer }))

/** The customer's email handlers; one opens in a drawer with its own URL. */
export function HandlersPage() {
  const search = route.useSearch()
  const { handler } = search
  const { onShow, open, close, onCreated } = useListRoute('handler')
  const add = (
    <Action
      for={emailHandlers.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add handler
    </Action>
  )
  return (
    <>
      <ListPage
        list={HANDLER_LIST}
        endpoint={emailHandlers.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={handler}
        searches="Name, address, server"
        actions={add}
        note={noteDefault}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconSend size={18} />}
            title="No email handlers yet"
            text="A handler sends your emails through Postmark or your own SMTP server. Without one, the installation's mail server sends them."
          >
            {add}
          </EmptyState>
        }
      />
      {handler !== undefined && (
        <Suspense>
          <HandlerDrawer key={handler} id={handler} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(handler: EmailHandler) {
  return <HandlerBlock handler={handler} />
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
