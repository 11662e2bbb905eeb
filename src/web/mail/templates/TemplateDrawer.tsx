import { emailTemplates, TEMPLATE_KEYS } from '#contract/mail/templates/templates.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
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
  const load = useLoad({ ...query(emailTemplates.get, { key }), gcTime: 0 })
  const { data } = load
  return (
    <FormDrawer
      title={data?.title ?? 'Email template'}
      about={data && (data.isChanged ? `Customized, version ${data.version}` : 'Built-in version')}
      size={1120}
      onClose={() => onClose(false)}
    >
      <Loaded query={load} what="this email template" shape="fields">
        {(loaded) => <TemplateForm key={loaded.key} template={loaded} onClose={onClose} />}
      </Loaded>
    </FormDrawer>
  )
}
