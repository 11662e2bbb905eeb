import { useQuery } from '@tanstack/react-query'
import { emailTemplates, TEMPLATE_KEYS } from '#contract/mail/templates/templates.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { LoadedRecord } from '#web/ui/record/KeptRecord.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import './templates.css'

type Props = {
  /** As the URL has it: one of `TEMPLATE_KEYS`, or anything. */
  name: string
  /** `isSaved`: nothing is lost, so nothing needs to be asked. */
  onClose: (isSaved: boolean) => void
}

/** One template: its words, how they look, its versions. */
export function TemplateDrawer({ name, onClose }: Props) {
  const key = TEMPLATE_KEYS.find((one) => one === name) ?? 'invitation'
  const { data, error, isPending, refetch } = useQuery({ ...query(emailTemplates.get, { key }), gcTime: 0 })
  return (
    <FormDrawer
      title={data?.title ?? 'Email template'}
      about={
        data && (data.isChanged ? `In your words, version ${data.version}` : 'As it came with the product')
      }
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
