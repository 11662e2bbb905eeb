import { TagsInput, TextInput } from '@mantine/core'
import { MAKES } from '../makes.ts'
import type { DetailsRecord } from './details-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

/** Who the customer is. */
export function ProfileSection({ record }: { record: DetailsRecord }) {
  const { field, isReadOnly } = record
  return (
    <FormSection title="Profile" text="How you are called on pages, in mails and on forms.">
      <TextInput {...field('name')} required maxLength={120} autoComplete="off" />
      <TextInput {...field('legalName')} maxLength={160} autoComplete="off" />
      <TextInput
        {...field('website')}
        type="url"
        maxLength={300}
        autoComplete="off"
        placeholder="https://www.example.com"
      />
      <TextInput {...field('phone')} type="tel" maxLength={32} autoComplete="off" />
      <TagsInput
        {...field('makes')}
        className="fc-wide"
        data={MAKES}
        description={isReadOnly ? undefined : <bdi>Press Enter after each. What you sell new.</bdi>}
        clearable={!isReadOnly}
        clearButtonProps={{ 'aria-label': 'Clear makes' }}
      />
    </FormSection>
  )
}
