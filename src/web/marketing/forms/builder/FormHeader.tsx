import { Button } from '@mantine/core'
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { publishLock } from '../form-actions.ts'
import { FormMenu } from '../FormMenu.tsx'
import { FormStatus } from '../FormStatus.tsx'
import { usePublicOrigin } from '../use-public-origin.ts'
import { type FormValues, sumUp } from './form-values.ts'
import type { Builder, Problem } from '#web/questions/builder/use-builder.ts'
import { HistoryButtons } from '#web/ui/history/HistoryButtons.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  form: Form
  record: RecordFormState<FormValues, Form>
  builder: Builder
  /** Publishing is under way. */
  isBusy: boolean
  onSave: () => void
  onPublish: () => void
  onProblem: (problem: Problem) => void
  onChanged: (form: Form) => void
}

const sendTestLink = send(forms.testLink)

/** Name, status and actions of the form. */
export function FormHeader(props: Props) {
  const { form, record, builder, isBusy, onSave, onPublish, onProblem } = props
  const navigate = useNavigate()
  const isChanged = record.changed.length > 0
  const errors = builder.problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/dvp/forms">DVP forms</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>/f/{form.key}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={form.name} />
          <FormStatus status={form.status} isPill />
          {isChanged && (
            <Status tone="warn" mark="wait" isPill>
              Unsaved
            </Status>
          )}
        </div>
        <p aria-live="polite">
          <bdi>{describe(form, builder)}</bdi>
        </p>
      </div>
      <div className="fc-row fc-builder-actions">
        <HistoryButtons undo={builder.undo} redo={builder.redo} />
        <FormMenu
          form={form}
          isOnPage
          onChanged={props.onChanged}
          onRemoved={() => {
            record.release()
            void navigate({ to: '/dvp/forms', ignoreBlocker: true })
          }}
        />
        <PublicPage form={form} />
        <TestButton form={form} />
        <Action
          for={forms.update}
          variant="default"
          lock={isChanged ? null : 'There are no unsaved changes.'}
          saves
          loading={record.isSaving}
          onClick={onSave}
        >
          Save draft
        </Action>
        {first === undefined ? (
          <Action
            for={forms.publish}
            lock={isChanged ? null : publishLock(form)}
            saves
            loading={isBusy}
            onClick={onPublish}
          >
            {form.status === 'closed' ? 'Publish and open' : 'Publish'}
          </Action>
        ) : (
          <Button onClick={() => onProblem(first)}>
            Fix {count(errors.length, 'problem', 'problems')} to publish
          </Button>
        )}
      </div>
    </header>
  )
}

/** The page that visitors see, once there is one. */
function PublicPage({ form: { key, publishedNumber } }: { form: Form }) {
  const origin = usePublicOrigin()
  if (origin === null || publishedNumber === null) return null
  return (
    <Button
      component="a"
      href={`${origin}/f/${key}`}
      target="_blank"
      rel="noreferrer"
      variant="default"
      rightSection={<IconExternalLink size={14} aria-hidden="true" />}
    >
      Public page
    </Button>
  )
}

/** Opens the same page for a test that counts nowhere. Its link ends, so it is made when it is needed. */
function TestButton({ form: { id, publishedNumber } }: { form: Form }) {
  const origin = usePublicOrigin()
  const link = useMutation({ mutationFn: sendTestLink })
  if (origin === null || publishedNumber === null) return null
  const open = () => {
    // Opened before the link is there: a browser blocks a page that opens later than the press of a button.
    const page = window.open('about:blank')
    if (page !== null) page.opener = null
    link.mutate(
      { id },
      {
        onSuccess: ({ path }) => page?.location.replace(`${origin}${path}`),
        onError: (failure) => {
          page?.close()
          showError(failure)
        },
      },
    )
  }
  return (
    <Action
      for={forms.testLink}
      variant="default"
      rightSection={<IconExternalLink size={14} aria-hidden="true" />}
      loading={link.isPending}
      onClick={open}
    >
      Test this form
    </Action>
  )
}

function describe({ publishedNumber, hasChanges, status }: Form, { content }: Builder): string {
  const parts = [sumUp(content.draft)]
  if (publishedNumber === null) parts.push('Not published yet')
  else if (status === 'closed') parts.push('Visitors see that it is closed')
  else if (hasChanges) parts.push(`Visitors see version ${publishedNumber}, without the changes of the draft`)
  else parts.push(`Visitors see version ${publishedNumber}`)
  return `${parts.join('. ')}.`
}
