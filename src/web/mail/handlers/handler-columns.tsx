import type { ReactNode } from 'react'
import type { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import type { EmailHandler } from '#contract/mail/handlers/handlers.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { KIND_NAMES } from './handler-form.ts'

/** Custom cells. */
export const CELLS: Cells<EmailHandler, keyof typeof HANDLER_LIST.fields> = {
  kind: (handler) => (
    <>
      {KIND_NAMES[handler.kind]}
      {handler.host !== null && (
        <span className="fc-second">
          <bdi>
            {handler.host}:{handler.port}
          </bdi>
        </span>
      )}
    </>
  ),
  fromEmail: (handler) => (
    <>
      <bdi>{handler.fromEmail}</bdi>
      <span className="fc-second">
        <bdi>{handler.fromName}</bdi>
      </span>
    </>
  ),
  isDefault: (handler) => <Default handler={handler} />,
}

export const WIDTHS = { name: 220, kind: 224, fromEmail: 240 }

/** A row on a narrow screen. */
export function showBlock(handler: EmailHandler, link: ReactNode) {
  return (
    <>
      <div className="fc-block-head">
        {link}
        <Default handler={handler} />
      </div>
      <div className="fc-small fc-faint">{KIND_NAMES[handler.kind]}</div>
      <div className="fc-small">
        <bdi>{handler.fromEmail}</bdi>
      </div>
    </>
  )
}

function Default({ handler }: { handler: EmailHandler }) {
  if (!handler.isDefault) {
    return (
      <Status tone="mute" mark="dash">
        Not in use
      </Status>
    )
  }
  return (
    <Status tone="good" mark="check">
      Default
    </Status>
  )
}
