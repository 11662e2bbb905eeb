import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { forms } from '#contract/marketing/forms/forms.ts'
import type { Form, FORM_LIST } from '#contract/marketing/forms/forms.ts'
import { DOCUMENT_WIDTHS, documentCells } from '#web/ui/document/document-columns.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { countedSubmissions } from './counted-submissions.ts'
import { FormMenu } from './FormMenu.tsx'
import { FormStatus } from './FormStatus.tsx'
import { IconExternalLink } from '@tabler/icons-react'
import { usePublicOrigin } from './use-public-origin.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<Form, keyof typeof FORM_LIST.fields> = {
  name: (form) => (
    <span className="fc-form-name">
      <span className="fc-grow">
        <FormLink form={form} />
        {hasUnpublished(form) && <span className="fc-second">Changes not published</span>}
      </span>
      <FormMenu form={form} />
    </span>
  ),
  key: (form) => <PublicAddress form={form} />,
  status: ({ status }) => <FormStatus status={status} isPill />,
  submissions: (form) => <SubmissionsLink form={form} />,
  publishedAt: ({ publishedAt, publishedNumber }) =>
    publishedAt !== null && (
      <>
        {formatDay(publishedAt)}
        <span className="fc-second">Version {publishedNumber}</span>
      </>
    ),
  ...documentCells,
}

export const WIDTHS = {
  ...DOCUMENT_WIDTHS,
  name: 280,
  key: 200,
  isOnVehiclePages: 144,
  submissions: 120,
}

/** A row on a narrow screen. */
export function FormBlock({ form }: { form: Form }) {
  return (
    <>
      <div className="fc-block-head">
        <FormLink form={form} />
        <FormMenu form={form} />
      </div>
      <div className="fc-small fc-faint">
        <PublicAddress form={form} />
      </div>
      <div className="fc-block-head fc-small">
        <FormStatus status={form.status} />
        <SubmissionsLink form={form} isSentence />
      </div>
    </>
  )
}

const hasUnpublished = ({ status, hasChanges }: Form): boolean => status !== 'draft' && hasChanges

function FormLink({ form: { id, name } }: { form: Form }) {
  return (
    <MayOpen for={forms.get}>
      <Link to="/dvp/forms/$id" params={{ id }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}

/** The count, as a link to the submissions that it counts. */
function SubmissionsLink({ form, isSentence = false }: { form: Form; isSentence?: boolean }) {
  const { name, submissions } = form
  const text = isSentence ? count(submissions, 'submission', 'submissions') : submissions.toLocaleString()
  if (submissions === 0) return <span className="fc-number fc-faint">{text}</span>
  return (
    <Link
      to="/dvp/submissions"
      search={{ filter: countedSubmissions(name) }}
      className="fc-number fc-link fc-form-count"
    >
      {text}
    </Link>
  )
}

/** Where visitors find a form: a link once it is published, otherwise the path. */
function PublicAddress({ form: { key, publishedNumber } }: { form: Form }) {
  const origin = usePublicOrigin()
  const path = `/f/${key}`
  if (origin === null || publishedNumber === null) return <bdi>{path}</bdi>
  return (
    <a href={`${origin}${path}`} target="_blank" rel="noreferrer" className="fc-public-address">
      <bdi>{path}</bdi>
      <IconExternalLink size={14} aria-hidden="true" />
      <span className="fc-hidden">(opens in a new tab)</span>
    </a>
  )
}
