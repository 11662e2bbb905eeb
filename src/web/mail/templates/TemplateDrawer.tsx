import { useQuery } from '@tanstack/react-query'
import { emailTemplates, TEMPLATE_KEYS } from '#contract/mail/templates/templates.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import './templates.css'

type Props = {
  /** From the URL: one of `TEMPLATE_KEYS`, or anything else. */
  name: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved: boolean) => void
}

/** One template: content, preview and versions. */
export function TemplateDrawer({ name, onClose }: Props) {
  const key = TEMPLATE_KEYS.find((one) => one === name) ?? 'invitation'
  const { data, error, isPending, refetch } = useQuery({ ...query(emailTemplates.get, { key }), gcTime: 0 })
  return (
    <FormDrawer
      title={data?.title ?? 'Email template'}
      about={data && (data.isChanged ? `Customized, version ${data.version}` : 'Built-in version')}
      size={1120}
      onClose={() => onClose(false)}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={emailTemplates.get}
          what="this email template"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label="Loading the email template" shape="fields" />}
      {data && (
        <LoadedRecord key={data.key} record={data}>
          {(template, keep) => <TemplateForm template={template} onKept={keep} onClose={onClose} />}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}
