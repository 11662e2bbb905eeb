import { Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type { FileLeaf } from '#contract/files/files.ts'
import { MAIL_PICTURE_LIMIT, MAIL_PICTURE_TYPES } from '#contract/mail/templates/template-pictures.ts'
import { EmailTemplate, emailTemplates } from '#contract/mail/templates/templates.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { ChooseFromMedia } from '#web/ui/files/picker/ChooseFromMedia.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { checkTemplate, FIELD_NAMES, type TemplateValues, toValues } from './template-form.ts'
import { insertElement, pictureElement } from './insert-picture.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import { TemplateTools } from './TemplateTools.tsx'

type Props = {
  template: EmailTemplate
  onClose: (isSaved: boolean) => void
}

const updateTemplate = send(emailTemplates.update)
const FORM = {
  schema: EmailTemplate,
  labels: FIELD_NAMES,
  toValues,
  toInput: (values: TemplateValues) => values,
  check: checkTemplate,
}

/** The template editor next to its preview; every save creates a version. */
export function TemplateForm({ template, onClose }: Props) {
  const { key, variables } = template
  const layout = useRef<HTMLTextAreaElement>(null)
  return (
    <RecordEditor
      saved={template}
      thing="this email template"
      form={FORM}
      endpoints={emailTemplates}
      save={(values, change) =>
        updateTemplate({ key, version: change?.version ?? template.version, ...values })
      }
      onKept={(kept) => queryClient.setQueryData([...keyOf(emailTemplates.get), { key }], kept)}
      onSaved={({ title }) => toast('Email template saved', title)}
    >
      {({ record, saved, endpoint }) => (
        <>
          <div className="fc-template">
            <div className="fc-template-words">
              <TextInput
                {...record.field('subject')}
                required
                maxLength={200}
                autoComplete="off"
                data-autofocus
              />
              <Textarea
                {...record.field('mjml')}
                ref={layout}
                required
                rows={18}
                spellCheck={false}
                classNames={CODE}
                dir="ltr"
              />
              <div className="fc-row">
                <ChooseFromMedia
                  kind="picture"
                  isMany={false}
                  types={MAIL_PICTURE_TYPES}
                  most={MAIL_PICTURE_LIMIT}
                  disabled={record.isReadOnly}
                  onChoose={([leaf]) => insertPicture(record, layout.current, leaf)}
                >
                  Insert picture
                </ChooseFromMedia>
                <p className="fc-small fc-faint">
                  <bdi>Embedded in every email.</bdi>
                </p>
              </div>
              <Textarea {...record.field('text')} required rows={10} classNames={CODE} />
              <VariableList variables={variables} />
              <TemplateTools
                template={saved ?? template}
                isChanged={record.changed.length > 0}
                onRestored={(restored) => {
                  record.release()
                  record.keep(restored)
                }}
              />
            </div>
            <TemplatePreview name={key} words={record.form.values} />
          </div>
          <FormFooter record={record} for={endpoint} save="Save template" onCancel={() => onClose(false)} />
        </>
      )}
    </RecordEditor>
  )
}

/** Inserts a picture at the cursor of the layout, and selects it. */
function insertPicture(
  record: RecordFormState<TemplateValues, EmailTemplate>,
  area: HTMLTextAreaElement | null,
  leaf: FileLeaf | undefined,
): void {
  if (!leaf || !area) return
  const element = pictureElement(leaf)
  const mjml = insertElement(area.value, area.selectionStart, element)
  if (mjml === null) {
    record.form.setFieldError('mjml', 'Add an mj-column first. Pictures must be inside one.')
    return
  }
  record.change({ mjml })
  const start = mjml.indexOf(element)
  // After React renders: selects the new element.
  requestAnimationFrame(() => {
    area.focus()
    area.setSelectionRange(start, start + element.length)
  })
}

function VariableList({ variables }: Pick<EmailTemplate, 'variables'>) {
  return (
    <dl className="fc-template-variables" aria-label="Variables">
      {variables.map(({ name, about }) => (
        <div key={name}>
          <dt>
            <code>{`{{ ${name} }}`}</code>
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  )
}

const CODE = { input: 'fc-code' }
