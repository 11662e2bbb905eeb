import { Select, Textarea, TextInput } from '@mantine/core'
import { type DomainWhiteLabel, PURPOSES } from '#contract/identity/branding/white-labels.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { ColorField } from './ColorField.tsx'
import { PictureField } from './PictureField.tsx'
import { PURPOSE_NAMES, type WhiteLabelValues } from './white-label-form.ts'

const CHOICES = PURPOSES.map((value) => ({ value, label: PURPOSE_NAMES[value] }))

type Props = {
  record: RecordFormState<WhiteLabelValues, DomainWhiteLabel>
  isNew: boolean
}

/** The domain name and its branding. */
export function WhiteLabelFields({ record, isNew }: Props) {
  const { field } = record
  return (
    <div className="fc-brand-grid">
      <TextInput
        {...field('domain')}
        {...(isNew && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={253}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="office.example.com"
        dir="ltr"
        description={isNew ? undefined : <bdi>If you change the domain, you'll have to verify it again.</bdi>}
      />
      <Select {...field('purpose')} data={CHOICES} allowDeselect={false} />
      <TextInput {...field('title')} required maxLength={80} autoComplete="off" />
      <ColorField record={record} />
      <PictureField record={record} name="logo" />
      <PictureField record={record} name="favicon" />
      <Textarea
        {...field('footer')}
        className="fc-wide"
        classNames={{ input: 'fc-brand-code' }}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={4_000}
        dir="ltr"
        description={
          <bdi>
            HTML with text, links, lists and images over https. Everything else is removed when you save.
          </bdi>
        }
      />
    </div>
  )
}
