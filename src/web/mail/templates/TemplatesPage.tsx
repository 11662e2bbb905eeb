import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { IconTemplate } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { TEMPLATE_LIST } from '#contract/mail/templates/template-list.ts'
import { emailTemplates, type TemplateRow } from '#contract/mail/templates/templates.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/administration/email-templates')

const TemplateDrawer = lazy(async () => ({ default: (await import('./TemplateDrawer.tsx')).TemplateDrawer }))

const CELLS: Cells<TemplateRow, keyof typeof TEMPLATE_LIST.fields> = {
  title: (row) => <TemplateLink row={row} />,
  isChanged: (row) => <Origin row={row} />,
  updatedAt: (row) => (
    <>
      {row.updatedAt !== null && formatDay(row.updatedAt)}
      {row.updatedBy !== null && (
        <span className="fc-second">
          <bdi>{row.updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}
const WIDTHS = { title: 220, subject: 360 }

/** The product's email templates; one opens in a drawer with its own URL. */
export function TemplatesPage() {
  const search = route.useSearch()
  const { template } = search
  const { onShow, close } = useListRoute('template')
  return (
    <>
      <ListPage
        list={TEMPLATE_LIST}
        endpoint={emailTemplates.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.title}
        searches="Title, subject"
        empty={
          <EmptyState
            icon={<IconTemplate size={18} />}
            title="No email templates"
            text="Customize the emails that Forecourt sends."
          />
        }
      />
      {template !== undefined && (
        <Suspense>
          <TemplateDrawer key={template} name={template} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(row: TemplateRow) {
  return (
    <>
      <div className="fc-block-head">
        <TemplateLink row={row} />
        <Origin row={row} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{row.subject}</bdi>
      </div>
    </>
  )
}

function Origin({ row }: { row: TemplateRow }) {
  if (row.isChanged) {
    return (
      <Status tone="info" mark="half">
        Customized
      </Status>
    )
  }
  return (
    <Status tone="mute" mark="dash">
      Built-in
    </Status>
  )
}

function TemplateLink({ row }: { row: TemplateRow }) {
  return (
    <MayOpen for={emailTemplates.get}>
      <Link
        from="/administration/email-templates"
        to="/administration/email-templates"
        search={(before) => ({ ...before, template: row.key })}
        className="fc-name"
      >
        {row.title}
      </Link>
    </MayOpen>
  )
}
