import { Select, Textarea, TextInput } from '@mantine/core'
import { type DomainWhiteLabel, PURPOSES } from '#contract/identity/branding/white-labels.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { ColorField } from './ColourField.tsx'
import { PictureField } from './PictureField.tsx'
import { PURPOSE_NAMES, type WhiteLabelValues } from './white-label-form.ts'

const CHOICES = PURPOSES.map((value) => ({ value, label: PURPOSE_NAMES[value] }))

type Props = {
  record: RecordFormState<WhiteLabelValues, DomainWhiteLabel>
  isNew: boolean
}

/** The name, and everything that makes the look. */
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
        description={isNew ? undefined : <bdi>Another name has to be shown to be yours again.</bdi>}
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
            HTML: text, links, lists and pictures over https. Everything else falls away when it is saved.
          </bdi>
        }
      />
    </div>
  )
}
